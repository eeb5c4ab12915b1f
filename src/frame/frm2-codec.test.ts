import { describe, expect, it } from 'vitest';
import {
  frm2Bus,
  frm2Channel,
  frm2Checksum,
  frm2Dlc,
  frm2EventId,
  frm2EventKind,
  frm2FilterHit,
  frm2Flags,
  frm2HardwareSequence,
  frm2Id,
  frm2Length,
  frm2PayloadLength,
  frm2SourceSequence,
  frm2Status,
  frm2StreamEpoch,
  frm2TimestampUs,
  isFrm2,
  setFrm2Checksum,
  setFrm2EventId,
  setFrm2FilterHit,
  setFrm2HardwareSequence,
  setFrm2PortFields,
  setFrm2SourceSequence,
  setFrm2Status,
  setFrm2StreamEpoch,
  setFrm2TimestampUs,
  writeFrm2,
  writeFrm2Frame,
} from './frm2-codec.ts';
import { frm2 } from './frm2-layout.ts';
import { formatHex } from './hex-bytes.ts';

const at = 128;

const dirtySlots = (): { bytes: Uint8Array; view: DataView } => {
  const bytes = new Uint8Array(new SharedArrayBuffer(3 * 128)).fill(0xee);
  return { bytes, view: new DataView(bytes.buffer) };
};

describe('writeFrm2', () => {
  it('writes a whole record over whatever was in the slot', () => {
    const { bytes, view } = dirtySlots();
    const data = Uint8Array.of(0xff, 0xde, 0xad, 0xff);
    writeFrm2(view, at, 1, 2, 0xfffe, 0x1fffffff, 0x21, 2, data, 1, 2);
    expect(formatHex(bytes.subarray(at, at + 66))).toBe(
      `46524D3202400102FFFE02021FFFFFFF00000021${'00'.repeat(44)}DEAD`,
    );
  });

  it('touches nothing outside the record', () => {
    const { bytes, view } = dirtySlots();
    writeFrm2(view, at, 2, 1, 0, 0, 4, 15, new Uint8Array(64), 0, 64);
    expect([...bytes.subarray(0, at)].every((byte) => byte === 0xee)).toBe(true);
    expect([...bytes.subarray(at + 128)].every((byte) => byte === 0xee)).toBe(true);
    writeFrm2(view, 0, 1, 1, 0, 0, 0, 1, Uint8Array.of(1), 0, 1);
    expect([...bytes.subarray(65, at)].every((byte) => byte === 0xee)).toBe(true);
  });

  it('gives back through the readers what it was given', () => {
    const { view } = dirtySlots();
    writeFrm2(view, at, 3, 2, 0x8001, 0x3c, 0x80000100, 8, new Uint8Array(8), 0, 8);
    expect([frm2Bus(view, at), frm2EventKind(view, at), frm2Channel(view, at)]).toEqual([
      3, 2, 0x8001,
    ]);
    expect([frm2Id(view, at), frm2Flags(view, at), frm2Dlc(view, at)]).toEqual([
      0x3c, 0x80000100, 8,
    ]);
    expect([frm2PayloadLength(view, at), frm2Length(view, at)]).toEqual([8, 72]);
  });
});

describe('writeFrm2Frame', () => {
  it.each([0, 1, 3, 4, 5, 8, 63, 64])('copies %i bytes and clears nothing else', (length) => {
    const { bytes, view } = dirtySlots();
    const data = Uint8Array.from({ length: 70 }, (_, i) => i + 100);
    writeFrm2Frame(view, at, 2, 1, 7, 0x123, 4, 15, data, 3, length);
    expect(formatHex(bytes.subarray(at + 20, at + 64))).toBe('EE'.repeat(44));
    expect([...bytes.subarray(at + 64, at + 64 + length)]).toEqual([
      ...data.subarray(3, 3 + length),
    ]);
    expect(bytes[at + 64 + length]).toBe(0xee);
    expect([frm2Id(view, at), frm2PayloadLength(view, at)]).toEqual([0x123, length]);
  });
});

describe('the setters', () => {
  it('write all that the port says at once', () => {
    const { bytes, view } = dirtySlots();
    setFrm2PortFields(view, at, 0xfffe, 0xff, 0xa5);
    expect([
      frm2HardwareSequence(view, at),
      frm2FilterHit(view, at),
      frm2Checksum(view, at),
    ]).toEqual([0xfffe, 0xff, 0xa5]);
    expect(formatHex(bytes.subarray(at + 55, at + 65))).toBe('EEFFFEFFA500000000EE');
  });

  it.each([
    ['status', setFrm2Status, frm2Status, 20, 4, 0xffffffff],
    ['event_id', setFrm2EventId, frm2EventId, 24, 8, 2 ** 53 - 1],
    ['source_sequence', setFrm2SourceSequence, frm2SourceSequence, 32, 8, 2 ** 53 - 1],
    ['stream_epoch', setFrm2StreamEpoch, frm2StreamEpoch, 40, 8, 2 ** 53 - 1],
    ['timestamp_us', setFrm2TimestampUs, frm2TimestampUs, 48, 8, 2 ** 53 - 1],
    ['hardware_sequence', setFrm2HardwareSequence, frm2HardwareSequence, 56, 2, 0xffff],
    ['filter_hit', setFrm2FilterHit, frm2FilterHit, 58, 1, 0xff],
    ['checksum', setFrm2Checksum, frm2Checksum, 59, 1, 0xff],
  ])('put %s where it belongs and nowhere else', (_, set, get, offset, size, max) => {
    const { bytes, view } = dirtySlots();
    for (const value of [0, 1, 0xfe, max - 1, max]) {
      if (value > max) continue;
      bytes.fill(0xee);
      set(view, at, value);
      expect(get(view, at)).toBe(value);
      expect(bytes[at + offset + size - 1]).toBe(value % 256);
      const elsewhere = [...bytes].filter((_, i) => i < at + offset || i >= at + offset + size);
      expect(elsewhere.every((byte) => byte === 0xee)).toBe(true);
    }
  });
});

describe('isFrm2', () => {
  const recordOf = (length: number): DataView => {
    const record = new DataView(new ArrayBuffer(64 + length));
    writeFrm2(record, 0, 1, 1, 0, 0x100, 0, 1, Uint8Array.of(0x5a), 0, 1);
    return record;
  };

  it('takes one whole record', () => {
    expect(isFrm2(recordOf(1))).toBe(true);
  });

  it.each([
    ['another magic', frm2.magic],
    ['another version', frm2.version],
    ['another header length', frm2.headerLength],
    ['a payload length that the bytes do not have', frm2.payloadLength],
  ])('refuses %s', (_, offset) => {
    const record = recordOf(1);
    record.setUint8(offset, 0x77);
    expect(isFrm2(record)).toBe(false);
  });

  it('refuses what is shorter than a header, or has bytes behind the record', () => {
    expect(isFrm2(new DataView(new ArrayBuffer(63)))).toBe(false);
    expect(isFrm2(recordOf(2))).toBe(false);
  });
});
