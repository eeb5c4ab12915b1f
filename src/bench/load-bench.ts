import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { readAtMost } from '../base/files/read-at-most.ts';
import { parseJsonBytes } from '../base/json/parse-json-bytes.ts';
import { type FieldProblem, maxProblems } from '../base/schema/schema-problems.ts';
import { defaultSettings } from '../modbus/transport/endpoint-text.ts';
import type { BenchFile, FileNetwork } from './bench-file.ts';
import type { Bench, BenchNetwork } from './bench-record.ts';
import { benchProblems } from './bench-rules.ts';
import { builtInBench } from './built-in-bench.ts';

export const benchFileName = 'busbar.bench.json';
const maxFile = 1024 * 1024;

const invalidBench = (
  path: string,
  problems: readonly FieldProblem[],
  cause?: unknown,
): BusbarError =>
  new BusbarError('invalid_bench', {
    message: `Invalid bench file ${path}: ${problems[0]?.message}`,
    details: { path, problems: problems.slice(0, maxProblems) },
    cause,
  });

const unusable = (path: string, message: string, cause?: unknown): BusbarError =>
  invalidBench(path, [{ field: '', message }], cause);

const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? 'unknown';

const readBenchFile = (path: string): Uint8Array | undefined => {
  let descriptor: number | undefined;
  try {
    // Opening a pipe of that name must not block.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) throw unusable(path, 'The file is not a regular file');
    const bytes = readAtMost(descriptor, maxFile);
    if (bytes.length > maxFile) throw unusable(path, 'The file is larger than 1 MiB');
    return bytes;
  } catch (thrown) {
    if (thrown instanceof BusbarError) throw thrown;
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown))) return undefined;
    throw unusable(path, `The file cannot be read (${codeOf(thrown)})`, thrown);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

const parsed = (path: string, bytes: Uint8Array): unknown => {
  try {
    return parseJsonBytes(bytes);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    throw invalidBench(path, [{ field: String(details.field ?? ''), message }], thrown);
  }
};

const networkOf = (network: FileNetwork): BenchNetwork => {
  if (network === null || typeof network === 'string') return { channel: network };
  if (!('serial' in network)) return network;
  const { baudRate, dataBits, parity, stopBits } = defaultSettings[network.serial.framing];
  const prescribed = { baud_rate: baudRate, data_bits: dataBits, parity, stop_bits: stopBits };
  return { serial: { ...prescribed, ...network.serial } };
};

const benchOf = (source: Bench['source'], path: string, file: BenchFile): Bench => ({
  source,
  path,
  project_id: file.project_id ?? null,
  devices: (file.devices ?? []).map(({ driver, address, ports = {} }) => ({
    driver,
    address,
    ports,
  })),
  networks: Object.fromEntries(
    Object.entries(file.networks ?? {}).map(([name, network]) => [name, networkOf(network)]),
  ),
  databases: file.databases ?? {},
  ecus: file.ecus ?? {},
  recorders: file.recorders ?? {},
  firmware_index: file.firmware_index ?? null,
  dashboard: file.dashboard ?? null,
});

export interface BenchFiles {
  readonly project: string;
  readonly global: string;
}

export const loadBench = (
  places: BenchFiles,
  withoutFile: () => Bench = () => builtInBench,
): Bench => {
  for (const source of ['project', 'global'] as const) {
    const path = join(places[source], benchFileName);
    const bytes = readBenchFile(path);
    if (!bytes) continue;
    const document = parsed(path, bytes);
    const problems = benchProblems(document);
    if (problems.length > 0) throw invalidBench(path, problems);
    return benchOf(source, path, document as BenchFile);
  }
  return withoutFile();
};

export const globalBenchDirectory = (env: NodeJS.ProcessEnv): string => {
  const { XDG_CONFIG_HOME: configured } = env;
  // The XDG specification requires that relative paths are ignored.
  const base = configured && isAbsolute(configured) ? configured : undefined;
  return join(base ?? join(env.HOME || homedir(), '.config'), 'busbar');
};

export const benchPlaces = (
  chosen: string | null,
  projectRoot: string,
  env: NodeJS.ProcessEnv,
): BenchFiles => ({ project: chosen ?? projectRoot, global: globalBenchDirectory(env) });
