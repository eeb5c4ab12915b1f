import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, RpcPort } from '../../base/threads/rpc-port.ts';
import type { TracePiece } from '../../transmit/replay/trace-stream.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { OpenTrace } from '../trace-format.ts';
import { loaderTraces, type TraceRpc } from './loader-traces.ts';
import { eventsPerBatch, TraceLoader } from './trace-loader.ts';

/** A trace of bytes: each byte is an event with that id, a millisecond after the previous one. */
const openBytes: OpenTrace = (source) => {
  let position = 0;
  const next = new Uint8Array(1);
  if (source.size === 4) throw new BusbarError('invalid_trace', { details: { at: 1 } });
  return {
    format: 'candump',
    startUnixUs: null,
    get position() {
      return position;
    },
    get account() {
      const skipped = { marker: 1 + position };
      const truncated = position === source.size;
      return { events: 0, skipped, malformed: 2, errors: [], gaps: 0, missed: 0, truncated };
    },
    channelNames: new Map([[1, 'can0']]),
    read(batch) {
      batch.clear();
      while (!batch.isFull && source.read(next) === 1) {
        batch.timeNs[batch.count] = position * 1e6;
        batch.id[batch.count] = next[0] as number;
        batch.count += 1;
        position += 1;
      }
      return batch.count > 0;
    },
  };
};

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-traces-'));
  root = join(folder, 'project');
  mkdirSync(root);
});

afterEach(() => rmSync(folder, { recursive: true }));

const loaderOf = (...bytes: number[]): TraceLoader => {
  writeFileSync(join(root, 'a.log'), Uint8Array.from(bytes));
  return new TraceLoader(root, openBytes, new FakeClock());
};

const idsIn = ({ buffer, count }: TracePiece): number[] => [
  ...new TraceBatch(buffer).id.subarray(0, count),
];

describe('TraceLoader', () => {
  it('reads a trace of the project to its end, in pieces', () => {
    const loader = loaderOf(...new Array(eventsPerBatch + 3).fill(7));
    const { handle, format, size } = loader.open('a.log', false);
    expect({ format, size }).toEqual({ format: 'candump', size: eventsPerBatch + 3 });
    const pieces = [0, 1, 2, 3].map(() => loader.read(handle, null));
    expect(pieces.map(({ kind }) => kind)).toEqual(['events', 'events', 'end', 'end']);
    expect(pieces.map(({ count }) => count)).toEqual([eventsPerBatch, 3, 0, 0]);
    expect(pieces.map(({ durationUs }) => durationUs)).toEqual([
      null,
      null,
      (eventsPerBatch + 2) * 1000,
      (eventsPerBatch + 2) * 1000,
    ]);
    expect(pieces[1]).toMatchObject({ position: size, malformed: 2, channelNames: [[1, 'can0']] });
    expect(pieces.map(({ skipped }) => skipped.marker)).toEqual([
      eventsPerBatch + 1,
      size + 1,
      size + 1,
      size + 1,
    ]);
    expect(pieces.map(({ truncated }) => truncated)).toEqual([false, true, true, true]);
    loader.close(handle);
  });

  it('refuses the end of a file that was shortened while it was read', () => {
    const loader = loaderOf(...new Array(eventsPerBatch + 3).fill(7));
    const { handle } = loader.open('a.log', false);
    loader.read(handle, null);
    truncateSync(join(root, 'a.log'), eventsPerBatch);
    expect(() => loader.read(handle, null)).toThrow(
      expect.objectContaining({
        code: 'file_unavailable',
        details: { field: 'file', path: join(root, 'a.log'), reason: 'truncated' },
      }),
    );
    loader.close(handle);
  });

  it('tells the time from the oldest event to the newest, in whatever order they are', () => {
    const times = [5, 9, 2];
    const loader = new TraceLoader(
      root,
      (source) => {
        const reader = openBytes(source);
        return {
          ...reader,
          read(batch) {
            const hasMore = reader.read(batch);
            batch.timeNs.set(times.map((ms) => ms * 1e6));
            return hasMore;
          },
        };
      },
      new FakeClock(),
    );
    writeFileSync(join(root, 'a.log'), Uint8Array.of(1, 2, 3));
    const { handle } = loader.open('a.log', false);
    loader.read(handle, null);
    expect(loader.read(handle, null).durationUs).toBe(7000);
    loader.close(handle);
  });

  it('searches a file for channels, as far as there is time, and still reads it from its beginning', async () => {
    const clock = new FakeClock();
    let stepUs = 0;
    writeFileSync(join(root, 'a.log'), new Uint8Array(eventsPerBatch + 3));
    const loader = new TraceLoader(
      root,
      (source) => {
        const reader = openBytes(source);
        const read = (batch: TraceBatch): boolean => {
          clock.advanceUs(stepUs);
          const hasMore = reader.read(batch);
          batch.channel.fill(1);
          if (batch.count === 3) batch.channel[2] = 2;
          return hasMore;
        };
        return { ...reader, format: 'asc', channelNames: new Map<number, string>(), read };
      },
      clock,
    );
    const { handle } = loader.open('a.log', false);
    expect(await loader.findChannels(handle, ['1'])).toMatchObject({ missing: [] });
    expect(await loader.findChannels(handle, ['1', '2', 'L1'])).toEqual({
      missing: ['L1'],
      channels: ['1', '2'],
      isComplete: true,
    });
    stepUs = 2_000_000;
    const search = loader.findChannels(handle, ['2']);
    clock.advanceUs(0);
    expect(await search).toEqual({ missing: ['2'], channels: ['1'], isComplete: false });
    expect(loader.read(handle, null).count).toBe(eventsPerBatch);
    loader.close(handle);
  });

  it('begins anew where it is to loop, and says where', () => {
    const loader = loaderOf(5, 6);
    const { handle } = loader.open('a.log', true);
    const pieces = [0, 1, 2, 3].map(() => loader.read(handle, null));
    expect(pieces.map(({ kind }) => kind)).toEqual(['events', 'lap', 'events', 'lap']);
    expect(pieces.map(idsIn)).toEqual([[5, 6], [], [5, 6], []]);
    expect(pieces[1]).toMatchObject({ durationUs: 1000, position: 2 });
  });

  it('does not loop over nothing', () => {
    const loader = loaderOf();
    const { handle } = loader.open('a.log', true);
    expect([loader.read(handle, null).kind, loader.read(handle, null).kind]).toEqual([
      'end',
      'end',
    ]);
  });

  it('uses a spare buffer again', () => {
    const loader = loaderOf(1);
    const { handle } = loader.open('a.log', true);
    const { buffer } = loader.read(handle, null);
    expect(loader.read(handle, buffer).buffer).toBe(buffer);
  });

  it('reads nothing of a trace that is closed', () => {
    const loader = loaderOf(1);
    const { handle } = loader.open('a.log', true);
    loader.close(handle);
    loader.close(handle);
    expect(() => loader.read(handle, null)).toThrow(BusbarError);
  });

  it.each([
    ['file_not_found', 'b.log', {}],
    ['path_outside_project', '../outside.log', {}],
    ['invalid_trace', 'a.log', { file: 'a.log', at: 1 }],
    ['file_unavailable', '.', {}],
  ])('refuses with %s, naming the file', (code, file, details) => {
    writeFileSync(join(folder, 'outside.log'), 'x');
    const loader = loaderOf(1, 2, 3, 4);
    expect(() => loader.open(file, false)).toThrow(
      expect.objectContaining({
        code,
        details: expect.objectContaining({ field: 'file', ...details }),
      }),
    );
  });
});

describe('loaderTraces', () => {
  const connect = (loader: TraceLoader) => {
    const { port1, port2 } = new MessageChannel();
    const spares: (number | null)[] = [];
    const offer: Partial<TraceRpc> = {
      openTrace: (file, loop) => loader.open(file, loop),
      readTrace: (handle, spare) => {
        spares.push(spare ? spare.byteLength : null);
        const piece = loader.read(handle, spare);
        return moving(piece, [piece.buffer]);
      },
      closeTrace: (handle) => loader.close(handle),
    };
    new RpcPort(port2, offer, () => undefined);
    const near = new RpcPort<TraceRpc>(port1, {}, () => undefined);
    return { near, spares, close: () => port1.close() };
  };

  it('passes buffers back and forth without copying them', async () => {
    const { near, spares, close } = connect(loaderOf(1, 2));
    const stream = await loaderTraces(() => near.remote).open('a.log', false);
    expect(stream).toMatchObject({ format: 'candump', size: 2 });
    const first = await stream.read(null);
    expect(idsIn(first)).toEqual([1, 2]);
    const bytes = first.buffer.byteLength;
    expect((await stream.read(first.buffer)).kind).toBe('end');
    expect(first.buffer.byteLength).toBe(0);
    expect(spares).toEqual([null, bytes]);
    await stream.close();
    await expect(stream.read(null)).rejects.toThrow(BusbarError);
    close();
  });

  it('stays with the loader that opened a trace', async () => {
    const old = connect(loaderOf(1, 2));
    const fresh = connect(loaderOf(1, 2));
    let loader = old.near;
    const traces = loaderTraces(() => loader.remote);
    const stream = await traces.open('a.log', false);
    loader = fresh.near;
    await traces.open('a.log', false);
    old.near.break();
    await expect(stream.read(null)).rejects.toMatchObject({ code: 'internal_error' });
    expect(fresh.spares).toEqual([]);
    old.close();
    fresh.close();
  });

  it('can open nothing while there is no loader', async () => {
    await expect(loaderTraces(() => undefined).open('a.log', false)).rejects.toMatchObject({
      code: 'internal_error',
    });
  });
});
