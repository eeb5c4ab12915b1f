import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAsc } from '../../src/trace/asc/asc-writer.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { createCandump } from '../../src/trace/candump/candump-writer.ts';
import type { CreateTrace } from '../../src/trace/trace-format.ts';
import { hasPeer } from '../support/peers.ts';
import { type PlainFrame, randomFrames, readTrace, writeTrace } from './support/trace-frames.ts';

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'support', 'python_can_trace.py');
const available =
  hasPeer('/usr/lib/python3/dist-packages/can/__init__.py', 'python3-can') &&
  hasPeer(python, 'python3');

/** Dates in traces are local time; python-can reads those of BLF as UTC in any time zone. */
const zone = 'UTC';

const runPython = (action: 'read' | 'write', path: string, input = ''): string => {
  const { status, stdout, stderr } = spawnSync(python, [script, action, path], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, TZ: zone },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};

interface Format {
  readonly extension: string;
  readonly create: CreateTrace;
  /** The fields that python-can reports for a frame of this format. */
  readonly reported: (frame: PlainFrame) => Partial<PlainFrame>;
  /** Expected content of a python-can file. */
  readonly written: (frame: PlainFrame) => Partial<PlainFrame>;
  /** The channel number in python-can. */
  readonly channel: (channel: number) => number | string;
}

const plain = ({ time, ...frame }: PlainFrame): Partial<PlainFrame> => frame;

/** Error frames are equal regardless of their details. */
const errorAside = (frame: PlainFrame): Partial<PlainFrame> =>
  frame.error ? { channel: frame.channel, error: true } : plain(frame);

const isEmptyFd = ({ fd, length }: PlainFrame): boolean => fd && length === 0;

const formats: Format[] = [
  {
    extension: 'asc',
    create: createAsc,
    // It reads every CAN FD frame without bytes as a remote frame, which CAN FD does not have.
    reported: (frame) => ({ ...errorAside(frame), ...(isEmptyFd(frame) ? { remote: true } : {}) }),
    // It writes errors for its own channel, regardless of the original one.
    written: (frame) => (frame.error ? { error: true } : plain(frame)),
    channel: (channel) => channel - 1,
  },
  {
    extension: 'blf',
    create: createBlf,
    reported: errorAside,
    written: errorAside,
    channel: (channel) => channel - 1,
  },
  {
    extension: 'log',
    create: createCandump,
    // It drops the channel of an error.
    reported: (frame) => (frame.error ? { error: true } : plain(frame)),
    // It does not write the DLC of a remote frame.
    written: (frame) => ({ ...errorAside(frame), ...(frame.remote ? { length: 0 } : {}) }),
    channel: (channel) => `can${channel - 1}`,
  },
];

/** Start time of python-can's files: it cannot write whole seconds. */
const startUs = 1_700_000_000_250_000;

const timesOf = (frames: readonly PlainFrame[]): number[] => frames.map(({ time }) => time);

describe.runIf(available)('traces between Busbar and python-can', () => {
  let folder: string;
  const { TZ } = process.env;
  const frames = randomFrames(600);
  beforeAll(() => {
    process.env.TZ = zone;
    folder = mkdtempSync(join(tmpdir(), 'busbar-traces-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  it.each(formats)('python-can finds every frame in our .$extension', (format) => {
    const path = join(folder, `ours.${format.extension}`);
    writeTrace(path, format.create, frames);
    const found = JSON.parse(runPython('read', path)) as PlainFrame[];
    const start = found[0]?.time ?? 0;
    const ours = frames.map((frame) =>
      format.reported({ ...frame, channel: format.channel(frame.channel) as number }),
    );
    expect(found.map(format.reported)).toEqual(ours);
    expect(found.map(({ time }) => Math.round((time - start) * 1e6))).toEqual(timesOf(frames));
  });

  it('python-can counts the errors in our .log that were told together, known or not', () => {
    const [first] = frames;
    const error = { ...(first as PlainFrame), error: true, length: 0, data: '' };
    const reported = [
      { ...error, id: 0x80, errors: 704 },
      { ...error, id: 0, errors: 3 },
      { ...error, id: 0 },
    ];
    const path = join(folder, 'errors.log');
    writeTrace(path, createCandump, [first as PlainFrame, ...reported]);
    const found = JSON.parse(runPython('read', path)) as PlainFrame[];
    expect(found.filter((frame) => frame.error)).toHaveLength(704 + 3 + 1);
    expect(found).toHaveLength(1 + 704 + 3 + 1);
  });

  it.each(formats)('we find every frame in a .$extension of python-can', (format) => {
    const path = join(folder, `theirs.${format.extension}`);
    const given = frames.map((frame) => ({
      ...frame,
      time: (startUs + frame.time) / 1e6,
      channel: format.channel(frame.channel),
    }));
    runPython('write', path, JSON.stringify(given));
    const { frames: found, firstUnixUs, account, names } = readTrace(path);
    expect(account).toMatchObject({ malformed: 0, truncated: false });
    // Interfaces are numbered by appearance; their names identify them.
    const numbered = found.map((frame) => {
      const [, number] = /^can(\d+)$/.exec(names.get(frame.channel) ?? '') ?? [];
      return number === undefined ? frame : { ...frame, channel: Number(number) + 1 };
    });
    expect(numbered.map(format.written)).toEqual(frames.map(format.written));
    expect(timesOf(found)).toEqual(timesOf(frames));
    expect(firstUnixUs).toBe(startUs);
  });
});
