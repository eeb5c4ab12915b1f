import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { readTrace, type TraceEvent } from '../testing/trace-events.ts';
import { readBlf } from './read-blf.ts';
import { container, file, object, words } from './testing/blf-bytes.ts';

const read = (...objects: Uint8Array[]) =>
  readTrace(readBlf, file(container(Buffer.concat(objects))));
const eventOf = (...objects: Uint8Array[]): TraceEvent | undefined => read(...objects).events[0];

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const base = { timeNs: 0, channel: 3, kind: 1, bus: 1, flags: 0, checksum: 0 };

describe('CAN_MESSAGE', () => {
  const body = (flags: number, dlc: number, id: number, data = bytes(1, 2, 3, 4, 5, 6, 7, 8)) =>
    Buffer.concat([words([2, 3], [1, flags], [1, dlc], [4, id]), data]);

  it('is a classic frame with its first data bytes', () => {
    expect(eventOf(object(1, body(0, 3, 0x123)))).toEqual({
      ...base,
      id: 0x123,
      dlc: 3,
      data: [1, 2, 3],
    });
  });

  it('tells what was sent, long identifiers and remote frames', () => {
    expect(eventOf(object(1, body(0x81, 4, 0x80000123)))).toEqual({
      ...base,
      kind: 2,
      id: 0x123,
      flags: frameFlag.extended | frameFlag.remote,
      dlc: 4,
      data: [],
    });
  });

  it('ignores the error line and the wake-up of the transceiver', () => {
    expect(eventOf(object(1, body(0x60, 1, 5)))).toEqual({ ...base, id: 5, dlc: 1, data: [1] });
  });

  it('keeps a length code beyond eight, for eight bytes', () => {
    expect(eventOf(object(1, body(0, 15, 5)))).toMatchObject({
      dlc: 15,
      data: [1, 2, 3, 4, 5, 6, 7, 8],
    });
  });

  it('takes an identifier that needs 29 bits for one that has them', () => {
    expect(eventOf(object(1, body(0, 0, 0x800)))).toMatchObject({
      id: 0x800,
      flags: frameFlag.extended,
    });
  });

  it('is passed over where it is only a request to send', () => {
    const { events, account } = read(object(1, body(2, 1, 5)), object(1, body(1, 1, 6)));
    expect(events.map(({ id }) => id)).toEqual([6]);
    expect(account.skipped).toEqual({ tx_request: 1 });
  });

  it('is malformed with an impossible length or without its data', () => {
    const { events, account } = read(
      object(1, body(0, 16, 5)),
      object(1, body(0, 3, 5, bytes(1, 2))),
      object(1, bytes(1, 0, 0)),
      object(1, body(0, 2, 7, bytes(1, 2))),
    );
    expect(events.map(({ id, data }) => [id, data])).toEqual([[7, [1, 2]]]);
    expect(account.malformed).toBe(3);
    expect(account.errors.map(({ at }) => at)).toEqual([144, 144, 144]);
    expect(account.errors[0]?.message).toContain('type 1');
  });

  it('is read from the longer object with durations just so', () => {
    const trailer = words([4, 99], [1, 50], [1, 0], [2, 0]);
    const data = Buffer.concat([body(0, 2, 0x42), trailer]);
    expect(eventOf(object(86, data))).toEqual({ ...base, id: 0x42, dlc: 2, data: [1, 2] });
  });
});

describe('CAN_FD_MESSAGE', () => {
  const body = (fdFlags: number, dlc: number, valid: number, data: Uint8Array, flags = 0) =>
    Buffer.concat([
      words([2, 3], [1, flags], [1, dlc], [4, 0x321], [4, 0], [1, 0], [1, fdFlags], [1, valid]),
      words([1, 0], [4, 0]),
      data,
    ]);

  it('is an FD frame with its switches', () => {
    const data = Buffer.alloc(64, 7);
    expect(eventOf(object(100, body(7, 9, 12, data, 1)))).toEqual({
      ...base,
      kind: 2,
      bus: 2,
      id: 0x321,
      flags: frameFlag.fd | frameFlag.brs | frameFlag.esi,
      dlc: 9,
      data: Array(12).fill(7),
    });
  });

  it('is a classic frame without the FD bit, and may be remote', () => {
    const data = Buffer.alloc(64, 7);
    expect(eventOf(object(100, body(0, 12, 8, data)))).toMatchObject({
      bus: 1,
      flags: 0,
      dlc: 12,
      data: Array(8).fill(7),
    });
    expect(eventOf(object(100, body(0, 4, 0, data, 0x80)))).toMatchObject({
      flags: frameFlag.remote,
      dlc: 4,
      data: [],
    });
  });

  it('has zeros for data that are not there, and not those of the next object', () => {
    const cut = object(100, body(1, 15, 64, Buffer.alloc(5, 9)));
    expect(eventOf(cut, cut)?.data).toEqual([9, 9, 9, 9, 9, ...Array(59).fill(0)]);
    const invalid = object(100, body(1, 9, 2, Buffer.alloc(64, 9)));
    expect(eventOf(invalid)?.data).toEqual([9, 9, ...Array(10).fill(0)]);
  });

  it('is passed over where it is only a request to send, and malformed where it is cut', () => {
    const { account } = read(
      object(100, body(1, 1, 1, Buffer.alloc(64), 2)),
      object(100, body(1, 16, 1, Buffer.alloc(64))),
      object(100, Buffer.alloc(19)),
    );
    expect(account).toMatchObject({ events: 0, malformed: 2, skipped: { tx_request: 1 } });
  });
});

describe('CAN_FD_MESSAGE_64', () => {
  const body = (
    flags: number,
    dlc: number,
    valid: number,
    data: Uint8Array,
    direction = 0,
    ext = 0,
  ) =>
    Buffer.concat([
      words([1, 3], [1, dlc], [1, valid], [1, 0], [4, 0x80012345], [4, 0], [4, flags]),
      words([4, 0], [4, 0], [4, 0], [4, 0], [2, 0], [1, direction], [1, ext], [4, 0]),
      data,
    ]);

  it('is an FD frame with its switches', () => {
    expect(eventOf(object(101, body(0x7000, 10, 16, Buffer.alloc(16, 8), 1)))).toEqual({
      ...base,
      kind: 2,
      bus: 2,
      id: 0x12345,
      flags: frameFlag.extended | frameFlag.fd | frameFlag.brs | frameFlag.esi,
      dlc: 10,
      data: Array(16).fill(8),
    });
  });

  it('is a classic frame without the FD bit, and may be remote', () => {
    expect(eventOf(object(101, body(0x6000, 15, 8, Buffer.alloc(8, 8))))).toMatchObject({
      bus: 1,
      flags: frameFlag.extended,
      dlc: 15,
      data: Array(8).fill(8),
    });
    expect(eventOf(object(101, body(0x10, 8, 0, Buffer.alloc(0))))).toMatchObject({
      flags: frameFlag.extended | frameFlag.remote,
      dlc: 8,
      data: [],
    });
  });

  it('has zeros where the file says more is valid than it holds', () => {
    const data = eventOf(object(101, body(0x1000, 15, 64, Buffer.alloc(48, 8))))?.data;
    expect(data).toEqual([...Array(48).fill(8), ...Array(16).fill(0)]);
  });

  it('does not take what follows the data for data', () => {
    const data = Buffer.concat([Buffer.alloc(4, 8), Buffer.alloc(8, 0xee)]);
    const expected = [8, 8, 8, 8, 0, 0, 0, 0];
    expect(eventOf(object(101, body(0x1000, 8, 8, data, 0, 76)))?.data).toEqual(expected);
    // Invalid offsets, into the header and beyond the end, are ignored.
    const whole = [...data.subarray(0, 8)];
    expect(eventOf(object(101, body(0x1000, 8, 8, data, 0, 20)))?.data).toEqual(whole);
    expect(eventOf(object(101, body(0x1000, 8, 8, data, 0, 200)))?.data).toEqual(whole);
  });

  it('is read behind a longer header', () => {
    const longer = { headerSize: 40 };
    expect(eventOf(object(101, body(0x1000, 3, 3, bytes(1, 2, 3)), longer))?.data).toEqual([
      1, 2, 3,
    ]);
  });

  it('is passed over where it is only a request to send, and malformed where it is cut', () => {
    const { account } = read(
      object(101, body(0x1000, 0, 0, bytes(), 2)),
      object(101, body(0x1000, 77, 0, bytes())),
      object(101, Buffer.alloc(39)),
    );
    expect(account).toMatchObject({ events: 0, malformed: 2, skipped: { tx_request: 1 } });
  });
});

describe('CAN errors', () => {
  const error = { ...base, flags: frameFlag.error };
  const ext = (flags: number, code: number) =>
    Buffer.concat([
      words([2, 3], [2, 0], [4, flags], [1, code], [1, 0], [1, 2], [1, 0], [4, 0], [4, 0x80000088]),
      words([2, 0], [2, 0]),
      bytes(1, 2, 3, 4, 5, 6, 7, 8),
    ]);

  it('are told without details by the old object', () => {
    const old = object(2, words([2, 3], [2, 0], [4, 0]));
    expect(eventOf(old)).toEqual({ ...error, id: 0, dlc: 0, data: [] });
  });

  it('are the report of SocketCAN where no code is valid', () => {
    expect(eventOf(object(73, ext(0, 0)))).toEqual({ ...error, id: 0x88, dlc: 2, data: [1, 2] });
  });

  it('are reported as SocketCAN would by a code of the SJA1000', () => {
    const data = [0, 0, 0x04, 0x02, 0, 0, 0, 0];
    expect(eventOf(object(73, ext(1, 0xa2)))).toEqual({ ...error, id: 0x88, dlc: 8, data });
  });

  it('have no details where only the place is valid', () => {
    expect(eventOf(object(73, ext(4, 0xa2)))).toEqual({ ...error, id: 0, dlc: 0, data: [] });
  });

  it('are read from the FD object', () => {
    const head = words([1, 3], [1, 8], [1, 8], [1, 0x84], [2, 2], [2, 0]);
    const data = [0, 0, 0, 0x08, 0, 0, 0, 0];
    expect(eventOf(object(104, Buffer.concat([head, Buffer.alloc(100)])))).toEqual({
      ...error,
      id: 0x88,
      dlc: 8,
      data,
    });
  });

  it('are malformed where they are cut', () => {
    const { account } = read(
      object(2, bytes(1)),
      object(73, Buffer.alloc(23)),
      object(73, ext(0, 0).subarray(0, 25)),
      object(104, Buffer.alloc(43)),
    );
    expect(account).toMatchObject({ events: 0, malformed: 4 });
  });
});
