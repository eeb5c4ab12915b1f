import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../src/gateway/import/testing/import-text.ts';
import type { LinearCodec } from '../../src/gateway/project/tables/codecs.ts';

interface PlainSignal {
  readonly message: string;
  readonly id: number;
  readonly extended: boolean;
  readonly cycle: number | null;
  readonly signal: string;
  readonly start: number;
  readonly length: number;
  readonly order: string;
  readonly raw: string;
  readonly factor: number;
  readonly offset: number;
  readonly unit: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: string | null;
  readonly pages: readonly number[];
}

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'support', 'cantools_signals.py');
const golden = join(import.meta.dirname, '../golden');

const { CANTOOLS_PYTHONPATH: folder } = process.env;
const env = folder === undefined ? process.env : { ...process.env, PYTHONPATH: folder };
const available = spawnSync(python, ['-c', 'import cantools'], { env }).status === 0;
if (!available)
  console.log('Skipped: cantools is not found; give its folder in CANTOOLS_PYTHONPATH');

/** Labels by raw value: in 8 bits, a signed signal has 255 for -1. */
const meantLabels = ({ raw, length, labels }: PlainSignal): PlainSignal['labels'] => {
  const values = 2 ** length;
  const [least, max] = raw === 'signed' ? [-values / 2, values / 2 - 1] : [0, values - 1];
  const entries = Object.entries(labels).map(([written, label]) => {
    const isWrapped = raw === 'signed' && Number(written) > max && Number(written) < values;
    return [isWrapped ? Number(written) - values : Number(written), label] as const;
  });
  return Object.fromEntries(entries.filter(([meant]) => meant >= least && meant <= max));
};

const cantoolsSignals = (path: string): PlainSignal[] => {
  const { status, stdout, stderr } = spawnSync(python, [script, path], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const signals: PlainSignal[] = JSON.parse(stdout);
  return signals.map((signal) => ({ ...signal, labels: meantLabels(signal) }));
};

const lastPart = (id: string): string => id.split('.').at(-1) ?? '';

const pagesOf = (values: readonly string[]): number[] =>
  values.flatMap((value) => {
    const [from = 0, to = from] = value.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });

const imported = (path: string) => importText(readFileSync(path), { staleAfterMs: 0 });

const importedSignals = ({ project }: ReturnType<typeof imported>): PlainSignal[] => {
  const messages = new Map(project.messages.map((row) => [row.id, row]));
  return project.signals.map((signal, index): PlainSignal => {
    const codec = project.codecs[index] as LinearCodec;
    const binding = project.bindings[index];
    const message = messages.get(binding?.message ?? '');
    const rawOf = (value: string): number => (Number(value) - codec.offset) / codec.factor;
    return {
      message: lastPart(message?.id ?? ''),
      id: message?.can_id ?? -1,
      extended: message?.extended ?? false,
      cycle: message?.period_ms ?? null,
      signal: lastPart(signal.id),
      start: binding?.start_bit ?? -1,
      length: codec.bit_length ?? Number(codec.raw.slice('float'.length)),
      order: codec.byte_order ?? '',
      raw: codec.raw,
      factor: codec.factor,
      offset: codec.offset,
      unit: signal.unit ?? '',
      labels: Object.fromEntries(
        (signal.labels ?? []).map(({ value, label }) => [String(rawOf(value)), label]),
      ),
      selector: binding?.mux ? lastPart(binding.mux.selector.replace(/\.rx$/, '')) : null,
      pages: pagesOf(binding?.mux?.values ?? []),
    };
  });
};

const inOrder = (signals: readonly PlainSignal[]): PlainSignal[] =>
  signals.toSorted((one, other) => {
    const [left, right] = [one, other].map(({ message, signal }) => `${message}.${signal}`);
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });

describe.runIf(available)('imported messages beside cantools', () => {
  it.each(['gwproj/pump.dbc', 'dbc/fd.dbc', 'dbc/positions.dbc'])('agree on %s', (name) => {
    const path = join(golden, name);
    const result = imported(path);
    const omitted = result.omitted.filter(({ part }) => part === 'signal');
    const isCarried = ({ message, signal }: PlainSignal): boolean =>
      !omitted.some((note) => note.message === message && note.signal === signal);
    const expected = cantoolsSignals(path).filter(isCarried);
    expect(inOrder(importedSignals(result))).toEqual(inOrder(expected));
  });
});
