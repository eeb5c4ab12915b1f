import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { linChecksum } from '../../frame/lin.ts';
import { readTrace, type TraceEvent } from '../testing/trace-events.ts';
import { traceDetail } from '../trace-batch.ts';
import { readBlf } from './read-blf.ts';
import { container, file, object, words } from './testing/blf-bytes.ts';

const read = (...objects: Uint8Array[]) =>
  readTrace(readBlf, file(container(Buffer.concat(objects))));
const eventOf = (...objects: Uint8Array[]): TraceEvent | undefined => read(...objects).events[0];

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const { noChecksum, noModel, noId, syncError } = traceDetail;
const factsOf = ({ kind, id, flags, dlc, detail = 0, data }: TraceEvent) => [
  kind,
  id,
  flags,
  dlc,
  detail,
  data,
];
const base = { timeNs: 0, channel: 3, kind: 1, bus: 1, flags: 0, checksum: 0 };

describe('LIN objects of the first generation', () => {
  const lin = { ...base, bus: 3 };
  const body = (id: number, dlc: number, data: readonly number[], checksum: number, way = 0) =>
    Buffer.concat([
      words([2, 3], [1, id], [1, dlc]),
      Buffer.from([...data, ...Array(8 - data.length).fill(0xee)]),
      words([4, 0], [2, checksum], [1, way], [1, 0]),
    ]);

  it('tell a frame, and its checksum tells the model', () => {
    const data = [1, 2, 3];
    const enhanced = linChecksum(true, 0x21, Uint8Array.from(data), 0, 3);
    const classic = linChecksum(false, 0x21, Uint8Array.from(data), 0, 3);
    // Some files keep the parity bits in the id.
    expect(eventOf(object(11, body(0xe1, 3, data, enhanced, 1)))).toEqual({
      ...lin,
      kind: 2,
      id: 0x21,
      flags: frameFlag.enhancedChecksum,
      dlc: 3,
      checksum: enhanced,
      data,
    });
    expect(eventOf(object(11, body(0x21, 3, data, classic)))).not.toHaveProperty('detail');
    expect(eventOf(object(11, body(0x21, 3, data, 0x77)))).toMatchObject({
      flags: 0,
      checksum: 0x77,
      detail: noModel,
    });
    expect(eventOf(object(11, body(0x21, 3, data, 0)))).toMatchObject({
      flags: 0,
      checksum: 0,
      detail: noModel | noChecksum,
    });
    expect(eventOf(object(12, body(0x21, 3, data, 0)))).toMatchObject({
      flags: frameFlag.checksumError,
    });
  });

  it('tell the command to sleep as such', () => {
    const data = [0, 255, 255, 255, 255, 255, 255, 255];
    expect(eventOf(object(11, body(0x3c, 8, data, 0)))?.flags).toBe(frameFlag.sleep);
    expect(eventOf(object(12, body(0x3c, 8, data, 0)))?.flags).toBe(frameFlag.checksumError);
  });

  it('tell errors, wake-ups and sleep', () => {
    const receiveError = (isFull: number, id = 9, dlc = 4) =>
      words([2, 3], [1, id], [1, dlc], [4, 0], [2, 0], [1, isFull], [1, 0], [4, 0]);
    const { events } = read(
      object(15, words([2, 3], [1, 9], [1, 4], [4, 0])),
      object(14, receiveError(1)),
      object(14, receiveError(0)),
      object(14, receiveError(0, 9, 0x44)),
      object(14, receiveError(0, 0, 0)),
      object(18, words([2, 3], [2, 0], [8, 0x1234])),
      object(18, words([2, 3], [2, 0], [8, 0])),
      object(21, words([2, 3], [1, 0x80], [1, 1], [4, 0])),
      object(21, words([2, 3], [1, 0], [1, 0], [4, 0])),
      object(20, words([2, 3], [1, 1], [1, 1], [4, 0])),
    );
    expect(events.map(factsOf)).toEqual([
      [1, 9, frameFlag.noResponse, 4, 0, []],
      [1, 9, frameFlag.error, 4, 0, []],
      [1, 9, frameFlag.error, 4, 0, []],
      [1, 9, frameFlag.error, 0, 0, []],
      [1, 0, frameFlag.error, 0, noId, []],
      [1, 0, frameFlag.error, 0, noId | syncError, [0x34, 0x12, 0, 0, 0, 0, 0, 0]],
      [1, 0, frameFlag.syncBreak, 0, 0, []],
      [1, 0, frameFlag.wakeUp, 1, 0, [0x80]],
      [2, 0, frameFlag.wakeUp, 0, 0, []],
      [1, 0, frameFlag.sleep, 0, 0, []],
    ]);
    for (const event of events) expect(event).toMatchObject({ channel: 3, bus: 3 });
  });

  it('are passed over where the bus stays awake and where a frame is only asked for', () => {
    const { account } = read(
      object(20, words([2, 3], [1, 9], [1, 2], [4, 0])),
      object(11, body(1, 1, [1], 0, 2)),
    );
    expect(account).toMatchObject({
      events: 0,
      malformed: 0,
      skipped: { lin_awake: 1, tx_request: 1 },
    });
  });

  it('are malformed where they are cut or too long', () => {
    const short = [11, 12, 14, 15, 18, 20, 21].map((type) => object(type, Buffer.alloc(3)));
    expect(read(...short).account).toMatchObject({ events: 0, malformed: 7 });
    const long = [object(11, body(1, 9, [], 0)), object(15, words([2, 3], [1, 9], [1, 9], [4, 0]))];
    expect(read(...long).account).toMatchObject({ events: 0, malformed: 2 });
  });
});

describe('LIN objects of the second generation', () => {
  const lin = { ...base, bus: 3 };
  const front = (id = 0, dlc = 0, model = 0) =>
    Buffer.concat([
      words([8, 1], [4, 19200], [2, 3], [2, 0], [8, 0], [8, 0], [2, 0], [2, 0], [1, 0]),
      words([1, id], [1, dlc], [1, model]),
    ]);
  const body = (model: number, way = 0) =>
    Buffer.concat([
      front(0x21, 3, model),
      Buffer.alloc(72),
      bytes(1, 2, 3, 0xee, 0xee, 0xee, 0xee, 0xee),
      words([2, 0x55], [1, way], [1, 0], [8, 0]),
    ]);
  const reported = { objectVersion: 1 };

  it('tell a frame and the model of its checksum', () => {
    expect(eventOf(object(57, body(1, 1), reported))).toEqual({
      ...lin,
      kind: 2,
      id: 0x21,
      flags: frameFlag.enhancedChecksum,
      dlc: 3,
      checksum: 0x55,
      data: [1, 2, 3],
    });
    expect(eventOf(object(57, body(0), reported))).toMatchObject({ flags: 0 });
    expect(eventOf(object(60, body(1), reported))).toMatchObject({
      flags: frameFlag.enhancedChecksum | frameFlag.checksumError,
    });
  });

  it('do not tell the model in their first version', () => {
    expect(eventOf(object(57, body(1)))).toMatchObject({ flags: 0, detail: noModel });
    expect(eventOf(object(57, body(0xff), reported))).toMatchObject({ flags: 0, detail: noModel });
    expect(eventOf(object(57, body(0), reported))).not.toHaveProperty('detail');
  });

  it('tell errors and wake-ups', () => {
    const receiveError = (isFull: number, hasData = 0, id = 9, dlc = 4) =>
      Buffer.concat([
        front(id, dlc),
        Buffer.alloc(72),
        bytes(5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0, isFull, 0, 0, hasData),
      ]);
    const bus = front().subarray(0, 16);
    const { events } = read(
      object(58, Buffer.concat([front(9, 4), Buffer.alloc(8)])),
      object(61, receiveError(1)),
      object(61, receiveError(0)),
      // As in Vector's own tools.
      object(61, receiveError(0, 1)),
      object(61, receiveError(0, 1).subarray(0, 125)),
      object(61, receiveError(0, 0, 0, 0)),
      object(59, Buffer.concat([front().subarray(0, 32), words([8, 0x1_0000])])),
      object(59, Buffer.concat([front().subarray(0, 32), words([8, 0])])),
      object(62, Buffer.concat([bus, bytes(0, 0x80, 1, 0)])),
      object(62, Buffer.concat([bus, bytes(0, 0, 0, 0)])),
    );
    expect(events.map(factsOf)).toEqual([
      [1, 9, frameFlag.noResponse, 4, 0, []],
      [1, 9, frameFlag.error, 4, 0, []],
      [1, 9, frameFlag.error, 4, 0, []],
      [1, 9, frameFlag.error, 4, 0, [5, 6, 7, 8]],
      [1, 9, frameFlag.error, 4, 0, []],
      [1, 0, frameFlag.error, 0, noId, []],
      [1, 0, frameFlag.error, 0, noId | syncError, [0, 0, 1, 0, 0, 0, 0, 0]],
      [1, 0, frameFlag.syncBreak, 0, 0, []],
      [1, 0, frameFlag.wakeUp, 1, 0, [0x80]],
      [2, 0, frameFlag.wakeUp, 0, 0, []],
    ]);
    for (const event of events) expect(event).toMatchObject({ channel: 3, bus: 3 });
  });

  it('are malformed where they are cut, and passed over where a frame is only asked for', () => {
    const short = [57, 58, 59, 60, 61, 62].map((type) => object(type, Buffer.alloc(18)));
    expect(read(...short).account).toMatchObject({ events: 0, malformed: 6 });
    expect(read(object(57, body(0, 2))).account.skipped).toEqual({ tx_request: 1 });
  });
});
