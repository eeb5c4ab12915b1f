import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../pdu/testing/bytes-of.ts';
import { crc16, lrc } from './checksums.ts';
import { frameVectors } from './testing/frame-vectors.ts';

describe('crc16', () => {
  it('has the check value that is published for it', () => {
    const digits = bytesOf('31 32 33 34 35 36 37 38 39');
    expect(crc16(digits, 0, 9)).toBe(0x4b37);
  });

  it('looks at the bytes named only', () => {
    const framed = bytesOf('FF 31 32 33 34 35 36 37 38 39 FF');
    expect(crc16(framed, 1, 10)).toBe(0x4b37);
  });

  it.each(frameVectors)('is 0 over a frame and its CRC: $name', ({ unit, pdu, crc }) => {
    const frame = joined(Uint8Array.of(unit), bytesOf(pdu), bytesOf(crc));
    expect(crc16(frame, 0, frame.length)).toBe(0);
  });
});

describe('lrc', () => {
  it.each(frameVectors)('completes the sum to 0: $name', ({ unit, pdu, lrc: expected }) => {
    const frame = joined(Uint8Array.of(unit), bytesOf(pdu));
    expect(lrc(frame, 0, frame.length)).toBe(Number.parseInt(expected, 16));
  });

  it('is 0 where the sum is', () => {
    expect(lrc(bytesOf('80 80'), 0, 2)).toBe(0);
  });
});
