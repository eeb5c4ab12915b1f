import { describe, expect, it } from 'vitest';
import { putErrorDetails } from './decode-can.ts';

const report = (flags: number, code: number): { id: number; data: number[] } => {
  const into = new Uint8Array(12).fill(0xee);
  const id = putErrorDetails(flags, code, into, 2);
  expect([into[0], into[1], into[10], into[11]]).toEqual(Array(4).fill(0xee));
  return { id, data: [...into.subarray(2, 10)] };
};

/** Protocol and position, in bytes 2 and 3. */
const details = (protocol: number, place: number): number[] => [0, 0, protocol, place, 0, 0, 0, 0];

describe('error codes of controllers', () => {
  it('of the SJA1000 tell kind, direction and place', () => {
    expect(report(1, 0b00_1_01010)).toEqual({ id: 0x88, data: details(0x01, 0x0a) });
    expect(report(1, 0b01_0_00010)).toEqual({ id: 0x88, data: details(0x82, 0x02) });
    expect(report(1, 0b10_1_01000)).toEqual({ id: 0x88, data: details(0x04, 0x08) });
    expect(report(1, 0b11_0_11001)).toEqual({ id: 0x88, data: details(0x80, 0x19) });
  });

  it('of Vector tell kind and direction, and some of them the place', () => {
    expect(report(2, 0b10_000000)).toEqual({ id: 0x88, data: details(0x01, 0) });
    expect(report(2, 0b11_000001)).toEqual({ id: 0x88, data: details(0x82, 0) });
    expect(report(2, 0b10_000010)).toEqual({ id: 0x88, data: details(0x04, 0) });
    expect(report(2, 0b10_000011)).toEqual({ id: 0x88, data: details(0x00, 0) });
    expect(report(2, 0b10_000100)).toEqual({ id: 0x88, data: details(0x00, 0x08) });
    expect(report(2, 0b10_000101)).toEqual({ id: 0x88, data: details(0x00, 0x1b) });
    expect(report(3, 0b10_111111)).toEqual({ id: 0x88, data: details(0x00, 0) });
  });

  it('of Vector tell that nobody acknowledged', () => {
    expect(report(2, 0b01_000000)).toEqual({ id: 0xa0, data: details(0x80, 0x19) });
    expect(report(2, 0b00_000000)).toEqual({ id: 0xa0, data: details(0x00, 0x19) });
    expect(report(2, 0b11_000111)).toEqual({ id: 0xa0, data: details(0x80, 0x19) });
  });

  it('tell nothing where none is valid', () => {
    expect(report(0x0c, 0xff)).toEqual({ id: 0, data: Array(8).fill(0xee) });
  });
});
