import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../src/base/testing/long.ts';
import { range } from '../../src/broker/testing/hub-bench.ts';
import type { ListedFile } from '../../src/recording/file-list.ts';
import type { RecordingFormat } from '../../src/recording/recording-record.ts';
import { countEvents } from '../../src/recording/service/closed-recordings.ts';
import { readRecording } from '../../src/recording/testing/read-recording.ts';
import { RecorderBench } from '../../src/recording/testing/recorder-bench.ts';
import { readOnPaper } from '../reference/mf4/paper-reader.ts';
import { hasPeer } from '../support/peers.ts';

const python = '/usr/bin/python3';
const available =
  hasPeer('/usr/lib/python3/dist-packages/can/__init__.py', 'python3-can') &&
  hasPeer(python, 'python3');

const syncUs = 1e6;
/** Enough for a dozen files. */
const maxEvents = 12_000;
const atOnce = 2;

/** A recording whose process was killed. */
interface Killed {
  readonly label: string;
  readonly project: string;
  /** It was killed within a write, which then is in the file in part. */
  readonly isTorn: boolean;
  readonly files: readonly string[];
  /** The number of events up to a time, for each publication. */
  readonly published: readonly { readonly count: number; readonly timeUs: number }[];
}

interface Read {
  readonly ids: readonly number[];
  /** The reader complains about the end. */
  readonly isCut: boolean;
}

const readByPython =
  (ending: string) =>
  (files: readonly string[]): Read[] => {
    const script = join(import.meta.dirname, 'support', 'python_can_ids.py');
    const { status, stdout, stderr } = spawnSync(python, [script, ending, ...files], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(stderr);
    const lines = stdout.split('\n').slice(0, files.length);
    return lines.map((line) => ({
      ids: (line.match(/\d+/g) ?? []).map(Number),
      isCut: line.endsWith('cut'),
    }));
  };

const readMf4 = (files: readonly string[]): Read[] =>
  files.map((file) => {
    const rows = readOnPaper(readFileSync(file)).groups.flat();
    const frames = rows.filter(({ structure }) => structure === 'CAN_DataFrame');
    return { ids: frames.map(({ members }) => Number(members.ID)), isCut: false };
  });

const peers = {
  asc: readByPython('.asc'),
  blf: readByPython('.blf'),
  candump: readByPython('.log'),
  mf4: readMf4,
};

/** Index of the first event that is not the next one, or -1. */
const missingFrom = (ids: readonly number[]): number => ids.findIndex((id, at) => id !== at);

const numberOf = (file: string): number => Number(/night_(\d+)/.exec(file)?.[1]);

describe.skipIf(!available)('Files of a recorder that was killed', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-killed-'));
    program = join(folder, 'killed-recorder.mjs');
    buildSync({
      entryPoints: [join(import.meta.dirname, 'support', 'killed-recorder.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      external: ['koffi'],
      banner: { js: "import{createRequire}from'node:module';const require=createRequire('/');" },
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The list of the files after the next start. */
  const listAfterStart = async (project: string, format: RecordingFormat) => {
    const bench = new RecorderBench({ project, count: countEvents });
    try {
      bench.begin({ name: 'night', file: 'night_{n}.trace', format });
      await bench.recorder.settled();
      const text = readFileSync(join(project, 'night.files.json'), 'utf8');
      return (JSON.parse(text) as { readonly files: readonly ListedFile[] }).files;
    } finally {
      await bench.dispose();
    }
  };

  const kill = async (format: string, seed: number): Promise<Killed> => {
    const project = join(folder, `${format}-${seed}`);
    mkdirSync(project);
    // Spread over the recording and over the bytes of a write.
    const events = Math.floor(((seed * 0.618034) % 1) * maxEvents);
    const isTorn = seed % 2 === 0;
    const share = isTorn ? (seed * 0.754878) % 1 : 1;
    const label = `${format}, seed ${seed}, after ${events} events`;
    const args = [program, project, format, `${seed}`, `${events}`, `${share}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(signal, label).toBe('SIGKILL');
    const lines = output.split('\n').slice(0, -1);
    const names = readdirSync(project).filter((name) => name.endsWith('.trace'));
    names.sort((one, other) => numberOf(one) - numberOf(other));
    return {
      label,
      project,
      isTorn,
      files: names.map((name) => join(project, name)),
      published: lines.map((line) => {
        const [count = 0, timeUs = 0] = line.split(' ').map(Number);
        return { count, timeUs };
      }),
    };
  };

  it.each(['asc', 'blf', 'candump', 'mf4'] as const)(
    'in %s are whole up to at most a second before, for us and for others',
    async (format) => {
      const seeds = range(1, cases(1, 8));
      const recordings: Killed[] = [];
      while (seeds.length > 0) {
        const some = seeds.splice(0, atOnce).map((seed) => kill(format, seed));
        recordings.push(...(await Promise.all(some)));
      }
      const all = recordings.flatMap(({ files }) => files);
      const read = new Map(peers[format](all).map((ids, at) => [all[at], ids]));
      for (const { label, project, isTorn, files, published } of recordings) {
        const own = files.flatMap((file) => readRecording(file).ids);
        const found = files.map((file) => read.get(file) as Read);
        const others = found.flatMap(({ ids }) => ids);
        // In order, without holes or repetitions, from the first event on.
        expect([missingFrom(own), missingFrom(others)], label).toEqual([-1, -1]);
        if (!isTorn) expect(others.length, label).toBe(own.length);
        // Readers make more or less of a part of a record.
        const cut = found.findIndex(({ isCut }) => isCut);
        expect([-1, isTorn ? found.length - 1 : -1], label).toContain(cut);
        const last = published.at(-1)?.timeUs ?? 0;
        const old = published.findLast(({ timeUs }) => timeUs <= last - syncUs);
        expect(Math.min(own.length, others.length), label).toBeGreaterThanOrEqual(old?.count ?? 0);
        let first = 1;
        for (const entry of await listAfterStart(project, format)) {
          const path = join(project, entry.file);
          if (!files.includes(path)) continue;
          const frames = readRecording(path).ids.length;
          expect(entry, label).toMatchObject({ state: 'closed', frames });
          expect([null, first], label).toContain(entry.first_event_id);
          first += frames;
          expect([null, first - 1], label).toContain(entry.last_event_id);
        }
        expect(first, label).toBe(own.length + 1);
      }
    },
  );
});
