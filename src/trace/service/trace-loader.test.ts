import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, RpcPort } from '../../base/threads/rpc-port.ts';
import { idChangesOf } from '../../transmit/replay/replay-ids.ts';
import {
  rowChannel,
  type TraceOrder,
  type TracePiece,
} from '../../transmit/replay/trace-stream.ts';
import { openTrace } from '../open-trace.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { OpenTrace } from '../trace-format.ts';
import { loaderTraces, type TraceRpc } from './loader-traces.ts';
import { type CompileFilter, eventsPerBatch, TraceLoader } from './trace-loader.ts';

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
    channelNames: new Map([[0, '7']]),
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
  return loaderWith(openBytes);
};

const orderOf = (file: string, laps = 1): TraceOrder => ({
  files: [file],
  field: 'file',
  mapped: ['7'],
  laps,
  ids: [],
  filter: null,
});

const loaderWith = (
  open: OpenTrace,
  clock = new FakeClock(),
  compileFilter: CompileFilter = () => () => ({ passes: () => true, gap: () => undefined }),
): TraceLoader => new TraceLoader({ projectRoot: root, openTrace: open, clock, compileFilter });

const idsIn = ({ buffer, count }: TracePiece): number[] => [
  ...new TraceBatch(buffer).id.subarray(0, count),
];

describe('TraceLoader', () => {
  it('reads a trace of the project to its end, in pieces', () => {
    const loader = loaderOf(...new Array(eventsPerBatch + 3).fill(7));
    const { handle, format, size } = loader.open(orderOf('a.log'));
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
    expect(pieces[1]).toMatchObject({ position: size, malformed: 2 });
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
    const { handle } = loader.open(orderOf('a.log'));
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
    const loader = loaderWith((source) => {
      const reader = openBytes(source);
      return {
        ...reader,
        read(batch) {
          const hasMore = reader.read(batch);
          batch.timeNs.set(times.map((ms) => ms * 1e6));
          return hasMore;
        },
      };
    });
    writeFileSync(join(root, 'a.log'), Uint8Array.of(1, 2, 3));
    const { handle } = loader.open(orderOf('a.log'));
    loader.read(handle, null);
    expect(loader.read(handle, null).durationUs).toBe(7000);
    loader.close(handle);
  });

  it('searches a file for channels, as far as there is time, and still reads it from its beginning', async () => {
    const clock = new FakeClock();
    let stepUs = 0;
    writeFileSync(join(root, 'a.log'), new Uint8Array(eventsPerBatch + 3));
    const loader = loaderWith((source) => {
      const reader = openBytes(source);
      const read = (batch: TraceBatch): boolean => {
        clock.advanceUs(stepUs);
        const hasMore = reader.read(batch);
        batch.channel.fill(1);
        if (batch.count === 3) batch.channel[2] = 2;
        return hasMore;
      };
      return { ...reader, format: 'asc', channelNames: new Map<number, string>(), read };
    }, clock);
    const opened = (...mapped: string[]) => loader.open({ ...orderOf('a.log'), mapped }).handle;
    await loader.findChannels(opened('1', '2'));
    await expect(loader.findChannels(opened('1', '2', 'L1'))).rejects.toMatchObject({
      details: { field: 'channels', file_channel: 'L1', file_channels: ['1', '2'] },
    });
    stepUs = 2_000_000;
    const handle = opened('L1');
    const search = loader.findChannels(handle);
    clock.advanceUs(0);
    await search;
    expect(loader.read(handle, null).count).toBe(eventsPerBatch);
    expect(loader.read(handle, null).count).toBe(3);
    expect(() => loader.read(handle, null)).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
    loader.close(handle);
  });

  it('begins anew where it is to loop, and says where', () => {
    const loader = loaderOf(5, 6);
    const { handle } = loader.open(orderOf('a.log', Number.POSITIVE_INFINITY));
    const pieces = [0, 1, 2, 3].map(() => loader.read(handle, null));
    expect(pieces.map(({ kind }) => kind)).toEqual(['events', 'lap', 'events', 'lap']);
    expect(pieces.map(idsIn)).toEqual([[5, 6], [], [5, 6], []]);
    expect(pieces[1]).toMatchObject({ durationUs: 1000, position: 2 });
  });

  it('reads the file as often as it is asked to', () => {
    const loader = loaderOf(5, 6);
    const { handle } = loader.open(orderOf('a.log', 2));
    const kinds = [0, 1, 2, 3, 4].map(() => loader.read(handle, null).kind);
    expect(kinds).toEqual(['events', 'lap', 'events', 'end', 'end']);
    loader.close(handle);
  });

  it('does not loop over nothing', () => {
    const loader = loaderOf();
    const { handle } = loader.open({ ...orderOf('a.log', 2), mapped: [] });
    expect([loader.read(handle, null).kind, loader.read(handle, null).kind]).toEqual([
      'end',
      'end',
    ]);
  });

  it('uses a spare buffer again', () => {
    const loader = loaderOf(1);
    const { handle } = loader.open(orderOf('a.log', Number.POSITIVE_INFINITY));
    const { buffer } = loader.read(handle, null);
    expect(loader.read(handle, buffer).buffer).toBe(buffer);
  });

  it('reads nothing of a trace that is closed', () => {
    const loader = loaderOf(1);
    const { handle } = loader.open(orderOf('a.log', Number.POSITIVE_INFINITY));
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
    expect(() => loader.open(orderOf(file))).toThrow(
      expect.objectContaining({
        code,
        details: expect.objectContaining({ field: 'file', ...details }),
      }),
    );
  });
});

/** A candump log; the identifiers are the milliseconds. */
const log = (name: string, channel: string, ...ms: number[]): string => {
  const lines = ms.map((at) => `(1767225600.${String(at).padStart(3, '0')}000) ${channel} ${at}#`);
  writeFileSync(join(root, name), `${lines.join('\n')}\n`);
  return name;
};

const severalFiles = (order: Partial<TraceOrder>, compileFilter?: CompileFilter) => {
  const loader = loaderWith(openTrace, new FakeClock(), compileFilter);
  const files = [log('a.log', 'can0', 100, 300), log('b.log', 'can1', 200, 400)];
  return { loader, ...loader.open({ ...orderOf(''), files, field: 'files', ...order }) };
};

const rowsIn = ({ buffer, count }: TracePiece): [id: string, channel: number][] => {
  const { id, channel } = new TraceBatch(buffer);
  return [...id.subarray(0, count)].map((each, row) => [each.toString(16), channel[row] as number]);
};

describe('several files', () => {
  it('are merged by time, with the positions of their mappings as channels', async () => {
    const { loader, handle, format, size } = severalFiles({ mapped: ['2:can1', 'can0'] });
    await loader.findChannels(handle);
    const piece = loader.read(handle, null);
    expect({ format, size }).toEqual({ format: 'candump', size: 120 });
    expect(piece.position).toBe(size);
    expect(rowsIn(piece)).toEqual([
      ['100', 2],
      ['200', 1],
      ['300', 2],
      ['400', 1],
    ]);
    expect(loader.read(handle, null)).toMatchObject({ kind: 'end', durationUs: 300_000 });
    loader.close(handle);
  });

  it('may have several formats', () => {
    const files = [log('a.log', 'can0', 100), 'b.asc'];
    writeFileSync(join(root, 'b.asc'), 'date Thu Jan 1 12:00:00.000 am 2026\nbase hex\n');
    const { loader, handle, format } = severalFiles({ files, mapped: ['can0'] });
    expect(format).toBeNull();
    loader.close(handle);
  });

  it.each([
    ['file_not_found', 'c.log', 'files[1]'],
    ['path_outside_project', '../b.log', 'files[1]'],
    ['invalid_trace', 'c.txt', 'files[1]'],
    ['invalid_argument', 'c.asc', 'files[1]'],
  ])('are refused with %s, naming the one at fault: %s', (code, file, field) => {
    writeFileSync(join(root, 'c.txt'), 'Dear diary,');
    writeFileSync(join(root, 'c.asc'), 'base hex  timestamps absolute\n 0.1 1 1 Rx d 0\n');
    const files = [log('a.log', 'can0', 100), file];
    expect(() => severalFiles({ files, mapped: ['can0'] })).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ field }) }),
    );
  });
});

describe('a filter', () => {
  /** Passes every second event that it sees. */
  const everySecond: CompileFilter = () => () => {
    let seen = 0;
    return { passes: () => seen++ % 2 === 0, gap: () => undefined };
  };

  it('sees the mapped events in order with their own identifiers, anew in each lap', () => {
    const seen: [id: number, channel: number][] = [];
    const compile: CompileFilter = (order, mapped) => {
      expect([order.text, mapped]).toEqual(['frame 100', ['can0', 'can1']]);
      return () => ({
        passes({ id, channel }, row) {
          seen.push([id[row] as number, channel[row] as number]);
          return id[row] !== 0x200;
        },
        gap: () => undefined,
      });
    };
    const order = {
      mapped: ['can0', 'can1'],
      ids: idChangesOf({ 100: '7', 200: '8' }),
      filter: { text: 'frame 100', databases: {} },
    };
    const { loader, handle } = severalFiles(order, compile);
    expect(rowsIn(loader.read(handle, null))).toEqual([
      ['7', 1],
      ['8', rowChannel.filtered],
      ['300', 1],
      ['400', 2],
    ]);
    expect(seen).toEqual([
      [0x100, 1],
      [0x200, 2],
      [0x300, 1],
      [0x400, 2],
    ]);
    loader.close(handle);
  });

  it('starts from the beginning with each lap, and does not see channels that are not mapped', () => {
    const filter = { text: '', databases: {} };
    const { loader, handle } = severalFiles({ mapped: ['can1'], filter, laps: 2 }, everySecond);
    const pieces = [0, 1, 2].map(() => loader.read(handle, null));
    const rows = [
      ['100', rowChannel.unmapped],
      ['200', 1],
      ['300', rowChannel.unmapped],
      ['400', rowChannel.filtered],
    ];
    expect(pieces.map(rowsIn)).toEqual([rows, [], rows]);
    loader.close(handle);
  });

  it('is told where events are missing', () => {
    writeFileSync(
      join(root, 'gaps.log'),
      ['(1.000000) can0 123#', '# 5 events are missing here', ''].join('\n'),
    );
    const calls: string[] = [];
    const compile: CompileFilter = () => () => ({
      passes: (_batch, row) => calls.push(`row ${row}`) > 0,
      gap: (timeNs) => calls.push(`gap ${timeNs}`),
    });
    const filter = { text: '', databases: {} };
    const files = ['gaps.log'];
    const { loader, handle } = severalFiles({ files, mapped: ['can0'], filter }, compile);
    loader.read(handle, null);
    expect(calls).toEqual(['row 0', expect.stringMatching(/^gap /)]);
    loader.close(handle);
  });

  it('is refused before a file is opened', () => {
    const refuse: CompileFilter = () => {
      throw new BusbarError('invalid_argument', { details: { field: 'filter' } });
    };
    const filter = { text: 'fram', databases: {} };
    expect(() => severalFiles({ files: ['absent.log'], filter }, refuse)).toThrow(
      expect.objectContaining({ details: { field: 'filter' } }),
    );
  });
});

describe('loaderTraces', () => {
  const connect = (loader: TraceLoader) => {
    const { port1, port2 } = new MessageChannel();
    const spares: (number | null)[] = [];
    const offer: Partial<TraceRpc> = {
      openTrace: (order) => loader.open(order),
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
    const stream = await loaderTraces(() => near.remote).open(orderOf('a.log'));
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
    const stream = await traces.open(orderOf('a.log'));
    loader = fresh.near;
    await traces.open(orderOf('a.log'));
    old.near.break();
    await expect(stream.read(null)).rejects.toMatchObject({ code: 'internal_error' });
    expect(fresh.spares).toEqual([]);
    old.close();
    fresh.close();
  });

  it('can open nothing while there is no loader', async () => {
    await expect(loaderTraces(() => undefined).open(orderOf('a.log'))).rejects.toMatchObject({
      code: 'internal_error',
    });
  });
});
