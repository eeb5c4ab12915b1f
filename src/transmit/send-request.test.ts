import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { DriverChannel } from '../drivers/driver-channel.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import {
  type DescribedFrames,
  type PaceRequest,
  requestedFrame,
  requestedPace,
} from './send-request.ts';
import { SendRig } from './testing/send-rig.ts';

const rig = new SendRig();
const canfd = (await rig.open(0)).hardware;
const can = (await rig.open(1, { bus: 'can' })).hardware;
const lin = (await rig.open(4)).hardware;
const oldLin = (await rig.open(5, { lin: { version: '1.3' } })).hardware;

const frameOf = (hardware: DriverChannel, request: Omit<DescribedFrames, 'channel'>) => {
  const frame = requestedFrame({ channel: 'x', ...request }, hardware);
  return { ...frame, data: formatHex(frame.data) };
};

const refusal = (make: () => unknown): Record<string, unknown> => {
  try {
    make();
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    return { code: error.code, ...error.details };
  }
  return { code: 'none' };
};

describe('a frame given field by field', () => {
  it('is what its channel’s bus makes of it', () => {
    expect(frameOf(canfd, { id: 0x123, data: 'DE AD' })).toMatchObject({ bus: 'can', dlc: 2 });
    expect(frameOf(lin, { id: 0x1a, data: '01' })).toMatchObject({
      type: 'master-write',
      checksum: 'enhanced',
    });
  });

  it('has the checksum of its channel unless it says otherwise', () => {
    expect(frameOf(oldLin, { id: 1, data: '01' })).toMatchObject({ checksum: 'classic' });
    expect(frameOf(lin, { id: 1, data: '01', checksum: 'classic' })).toMatchObject({
      checksum: 'classic',
    });
  });

  it('cannot have the enhanced checksum on LIN 1.3, however it is written', () => {
    const refused = { code: 'invalid_argument', field: 'checksum', reason: 'lin_version' };
    const fields = { id: 1, data: '01', checksum: 'enhanced' } as const;
    expect(refusal(() => frameOf(oldLin, fields))).toMatchObject(refused);
    const text = { frame: '01#01', checksum: 'enhanced' } as const;
    expect(refusal(() => frameOf(oldLin, text))).toMatchObject(refused);
  });

  it('is refused with the field at fault where it cannot exist', () => {
    expect(refusal(() => frameOf(can, { id: 0x123, fd: true }))).toMatchObject({ field: 'fd' });
    expect(refusal(() => frameOf(lin, { id: 0x40, data: '01' }))).toMatchObject({ field: 'id' });
  });
});

describe('a frame in field notation', () => {
  it.each([
    ['123#DEADBEEF', { bus: 'can', id: 0x123, extended: false, dlc: 4, data: 'DEADBEEF' }],
    ['18FF50E5#01', { id: 0x18ff50e5, extended: true, data: '01' }],
    ['123#R4', { remote: true, dlc: 4, data: '' }],
    ['123##3AA', { bus: 'canfd', fd: true, brs: true, esi: true, data: 'AA' }],
    ['123#1122334455667788_E', { dlc: 14, data: '1122334455667788' }],
  ])('%s is understood on CAN', (frame, expected) => {
    expect(frameOf(canfd, { frame })).toMatchObject(expected);
  });

  it.each([
    ['1A#0102', { id: 0x1a, data: '0102' }],
    ['5#ff', { id: 5, data: 'FF' }],
    ['3b#00.ff', { id: 0x3b, data: '00FF' }],
    ['3c#0001020304050607', { id: 0x3c, checksum: 'classic' }],
  ])('%s is a master write on LIN', (frame, expected) => {
    expect(frameOf(lin, { frame })).toMatchObject({ type: 'master-write', ...expected });
  });

  it('takes the checksum beside it on LIN alone', () => {
    const frame = '1A#01';
    expect(frameOf(lin, { frame, checksum: 'classic' })).toMatchObject({ checksum: 'classic' });
    expect(refusal(() => frameOf(can, { frame: '123#01', checksum: 'classic' }))).toMatchObject({
      field: 'checksum',
    });
  });

  it.each([
    '01A#01',
    '0000001A#01',
    '1A#R',
    '1A##1AA',
    '1A',
    '#01',
    '1A#',
    '7F#01',
    '1A#0',
    '1A#zz',
  ])('%j is refused on LIN as a whole', (frame) => {
    expect(refusal(() => frameOf(lin, { frame }))).toMatchObject({
      code: 'invalid_argument',
      field: 'frame',
    });
  });

  it.each(['12#01', '123', '800#', '123#R9', '123#0', '123#001122334455667788', '20000004#'])(
    '%j is refused on CAN as a whole',
    (frame) => {
      expect(refusal(() => frameOf(canfd, { frame }))).toMatchObject({
        code: 'invalid_argument',
        field: 'frame',
      });
    },
  );

  it('blames itself for what a classic bus does not know', () => {
    expect(refusal(() => frameOf(can, { frame: '123##0AA' }))).toMatchObject({
      field: 'frame',
      reason: 'not_on_bus',
    });
  });

  it.each([
    { type: 'data' as const },
    { id: 0 },
    { extended: false },
    { fd: false },
    { brs: false },
    { esi: false },
    { dlc: 0 },
    { data: '' },
  ])('stands alone, not beside %j', (also) => {
    expect(refusal(() => frameOf(can, { frame: '123#', ...also }))).toEqual({
      code: 'invalid_argument',
      field: 'frame',
      reason: 'exclusive',
      with: Object.keys(also),
    });
  });
});

describe('the pace of a request', () => {
  const paceOf = (request: Partial<PaceRequest>, maxUs?: number) =>
    requestedPace({ count: 1, cycle_us: 0, timeout_ms: 1000, ...request }, maxUs);

  it('is what the request says', () => {
    expect(paceOf({})).toEqual({ count: 1, cycleUs: 0, timeoutUs: 1_000_000 });
    expect(paceOf({ count: 7, cycle_us: 5, timeout_ms: 0 })).toEqual({
      count: 7,
      cycleUs: 5,
      timeoutUs: 0,
    });
  });

  it.each([
    ['count', 0],
    ['count', 1.5],
    ['count', Number.NaN],
    ['cycle_us', -1],
    ['cycle_us', 2 ** 60],
    ['timeout_ms', -1],
    ['timeout_ms', Number.POSITIVE_INFINITY],
  ])('is refused with %s %d', (field, value) => {
    expect(refusal(() => paceOf({ [field]: value }))).toMatchObject({
      code: 'invalid_argument',
      field,
    });
  });

  it('is held to the duration that the caller may take', () => {
    const request = { count: 60, cycle_us: 1_000_000 };
    expect(paceOf(request, 60_000_000).count).toBe(60);
    expect(refusal(() => paceOf({ ...request, count: 61 }, 60_000_000))).toMatchObject({
      code: 'invalid_argument',
      field: 'count',
      limit_us: 60_000_000,
    });
  });

  it.each([
    ['10ms', 10_000],
    ['2.5ms', 2500],
    ['500us', 500],
    ['1s', 1_000_000],
    ['0us', 0],
    ['1.001ms', 1001],
    ['0.000001s', 1],
    ['100.0us', 100],
  ])('reads a cycle of %s', (cycle, cycleUs) => {
    expect(paceOf({ cycle })).toMatchObject({ cycleUs });
  });

  it.each(['10', 'ms', '-1ms', '1 ms', '1h'])('refuses a cycle of %j', (cycle) => {
    expect(() => paceOf({ cycle })).toThrow(/^cycle must be a number/);
  });

  it.each(['100.5us', '0.0005ms', '1.0000001s'])('does not round a cycle of %s', (cycle) => {
    expect(refusal(() => paceOf({ cycle }))).toMatchObject({
      code: 'invalid_argument',
      field: 'cycle',
      reason: 'inexact',
    });
  });

  it('refuses a cycle of more than an hour', () => {
    expect(paceOf({ cycle: '3600s' })).toMatchObject({ cycleUs: 3_600_000_000 });
    for (const cycle of ['3600.000001s', '99999999999999999s']) {
      expect(() => paceOf({ cycle })).toThrow('cycle must not exceed 3600s');
    }
  });

  it('takes the cycle once only', () => {
    expect(() => paceOf({ cycle: '1ms', cycle_us: 1000 })).toThrow(/omit one/);
  });
});
