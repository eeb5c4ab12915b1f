import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import {
  canFrameBits,
  canFrameUs,
  classicFrameBits,
  crc15Byte,
  errorFrameBits,
  fdDataBits,
  fdNominalBits,
} from './can-bits.ts';
import { type CanFrame, frameFlags } from './frame.ts';
import { frameFlag } from './frm2-layout.ts';
import { parseNotation } from './notation.ts';
import { arbitraryCanFrame } from './testing/arbitrary-frames.ts';
import { classicBits, slowCrc15, slowWireBits, stuffsAfterCrc } from './testing/wire-bits.ts';

const bitsOf = (frame: CanFrame): number =>
  canFrameBits(frameFlags(frame), frame.id, frame.dlc, frame.data, 0);

const zeros = (length: number): string => '00'.repeat(length);

/** Frames with published lengths, stuff bits included. */
const vectors: readonly [string, number, number][] = [
  ['123#', 48, 1],
  ['000#0000000000000000', 127, 16],
  ['7FF#FFFFFFFFFFFFFFFF', 126, 15],
  ['6F8#FF000CFE00000000', 124, 13],
  ['221#C24A058100001510', 117, 6],
  ['3FF#55AA010203040506_D', 119, 8],
  ['12345678#DEADBEEF', 101, 2],
  ['18EBFF00#01A00FA6603BD140', 141, 10],
  [`011##1${zeros(14)}59C0`, 214, 24],
];

const unstuffed = (frame: CanFrame): number => {
  const length = frame.data.length;
  if (!frame.fd) return (frame.extended ? 67 : 47) + 8 * length;
  const crcBits = length > 16 ? 21 + 7 : 17 + 6;
  return (frame.extended ? 41 : 22) + 8 * length + 4 + crcBits + 13;
};

describe('canFrameBits', () => {
  it.each(vectors)('of %s is %i', (text, bits, stuff) => {
    const frame = parseNotation(text);
    expect(bitsOf(frame)).toBe(bits);
    expect(bits - unstuffed(frame)).toBe(stuff);
  });

  it('agrees with counting bit by bit', () => {
    fc.assert(
      fc.property(arbitraryCanFrame, (frame) => {
        const { nominal, data } = slowWireBits(frame);
        expect(bitsOf(frame)).toBe(nominal + data);
      }),
      { seed: 7, numRuns: cases(400, 2000) },
    );
  });

  it('reads the data where it lies in a larger record', () => {
    const record = Uint8Array.of(0x55, 0x55, 0x55, ...new Uint8Array(8), 0x55);
    expect(canFrameBits(0, 0, 8, record, 3)).toBe(127);
  });

  it('never exceeds the worst case', () => {
    const worst = (frame: CanFrame): number => {
      const total = unstuffed(frame);
      const stuffable = frame.fd ? (frame.extended ? 41 : 22) + 8 * frame.data.length : total - 13;
      return total + Math.floor((stuffable - 1) / 4);
    };
    fc.assert(
      fc.property(arbitraryCanFrame, (frame) => {
        expect(bitsOf(frame)).toBeGreaterThanOrEqual(unstuffed(frame));
        expect(bitsOf(frame)).toBeLessThanOrEqual(worst(frame));
      }),
      { seed: 8, numRuns: cases(100, 500) },
    );
  });

  it('counts no data in a remote frame, whatever its DLC', () => {
    const remote = parseNotation('555#R8');
    expect(bitsOf(remote)).toBe(slowWireBits(remote).nominal);
    expect(bitsOf(remote)).toBeLessThan(47 + 10);
  });

  it('takes the usual length for an error frame', () => {
    expect(canFrameBits(frameFlag.error, 4, 8, new Uint8Array(8), 0)).toBe(errorFrameBits);
  });
});

describe('classicFrameBits', () => {
  it('counts a stuff bit that falls behind the last bit of the CRC', () => {
    const frames = Array.from({ length: 0x800 }, (_, id) =>
      parseNotation(`${id.toString(16).padStart(3, '0')}#`),
    ).filter(stuffsAfterCrc);
    expect(frames.length).toBeGreaterThan(10);
    for (const frame of frames) {
      expect(classicFrameBits(0, frame.id, 0, frame.data, 0)).toBe(slowWireBits(frame).nominal);
    }
  });
});

describe('the CRC of classic frames', () => {
  it.each([
    ['123#', '6858'],
    ['000#0000000000000000', '145B'],
    ['7FF#FFFFFFFFFFFFFFFF', '4C89'],
    ['6F8#FF000CFE00000000', '1336'],
    ['221#C24A058100001510', '3665'],
    ['3FF#55AA010203040506_D', '534B'],
    ['12345678#DEADBEEF', '331B'],
    ['18EBFF00#01A00FA6603BD140', '2711'],
  ])('of %s is %s', (text, expected) => {
    const bits = classicBits(parseNotation(text));
    const padded = [...new Array<number>((8 - (bits.length % 8)) % 8).fill(0), ...bits];
    let crc = 0;
    for (let i = 0; i < padded.length; i += 8) {
      crc = crc15Byte(crc, Number.parseInt(padded.slice(i, i + 8).join(''), 2));
    }
    expect(crc).toBe(Number.parseInt(expected, 16));
    expect(Number.parseInt(slowCrc15(bits).join(''), 2)).toBe(crc);
  });
});

describe('fdNominalBits and fdDataBits', () => {
  it('split a frame at BRS and at the CRC delimiter', () => {
    fc.assert(
      fc.property(
        arbitraryCanFrame.filter(({ fd }) => fd),
        (frame) => {
          const flags = frameFlags(frame);
          expect({
            nominal: fdNominalBits(flags, frame.id),
            data: fdDataBits(flags, frame.dlc, frame.data, 0),
          }).toEqual(slowWireBits(frame));
        },
      ),
      { seed: 9, numRuns: cases(200, 1000) },
    );
  });

  it.each([
    ['555##0', 62],
    [`555##0${'55'.repeat(8)}`, 126],
    [`555##0${'55'.repeat(16)}`, 190],
    [`555##0${'55'.repeat(20)}`, 227],
    [`555##0${'55'.repeat(64)}`, 579],
    [`15555555##2${'55'.repeat(16)}`, 209],
    [`15555555##2${'55'.repeat(64)}`, 598],
  ])('add up to the known total where nothing is stuffed: %s', (text, bits) => {
    expect(unstuffed(parseNotation(text))).toBe(bits);
    expect(bitsOf(parseNotation(text)) - bits).toBeLessThan(2);
  });

  it('let the fixed stuff bit stand in for one that is due right after the data', () => {
    // BRS is 1; ESI and four zeros of the DLC make a run of five at the very end.
    expect(fdDataBits(frameFlag.fd | frameFlag.brs, 0, new Uint8Array(0), 0)).toBe(33);
  });
});

describe('canFrameUs', () => {
  const us = (text: string): number => {
    const frame = parseNotation(text);
    const { id, dlc, data } = frame;
    return canFrameUs(frameFlags(frame), id, dlc, data, 0, 500_000, 2_000_000);
  };

  it('is bits over bit rate for classic frames', () => {
    expect(us('123#')).toBe(96);
    expect(us('000#0000000000000000')).toBe(254);
  });

  it('counts both phases at their own rate with BRS, and at one without', () => {
    const { nominal, data } = slowWireBits(parseNotation(`011##1${zeros(14)}59C0`));
    expect(nominal + data).toBe(214);
    expect(us(`011##1${zeros(14)}59C0`)).toBeCloseTo(nominal * 2 + data * 0.5, 9);
    expect(us('123##0')).toBe(2 * bitsOf(parseNotation('123##0')));
  });

  it('counts an error frame at the nominal rate', () => {
    expect(canFrameUs(frameFlag.error, 4, 8, new Uint8Array(8), 0, 500_000, 2_000_000)).toBe(40);
  });
});
