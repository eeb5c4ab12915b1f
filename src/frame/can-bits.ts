/**
 * Exact length of CAN frames on the wire in bits, including stuff bits, CRC and interframe space.
 * Flags are FRM2 flag bits; the data starts at `from`. These functions do not allocate.
 *
 * Headers are processed as whole bytes. Missing leading bits are filled with alternating ones and
 * zeros, which neither cause a stuff bit nor lengthen the run that the dominant start bit begins. For
 * the CRC they are zeros, which leave it 0.
 */
import { dlcToLength } from './dlc.ts';
import { frameFlag } from './frm2-layout.ts';

/**
 * CAN bit stuffing, one byte at a time: after five equal bits the transmitter inserts their
 * complement, which counts as the first bit of the next run.
 *
 * A tally packs three values into one number: the number of stuff bits, whether the last bit was
 * followed by one, and the last bit with the length of its run. A run is 1 to 4 bits long, because
 * a stuff bit follows the fifth.
 */
const followed = 1 << 3;

const countShift = 4;

const countMask = -1 << countShift;

const stateOf = (bit: number, run: number): number => (bit << 2) | (run - 1);

const advance = (state: number, byte: number): number => {
  let last = state >> 2;
  let run = (state & 3) + 1;
  let count = 0;
  let stuffed = false;
  for (let place = 7; place >= 0; place--) {
    const bit = (byte >> place) & 1;
    run = bit === last ? run + 1 : 1;
    last = bit;
    stuffed = run === 5;
    if (stuffed) {
      count += 1;
      last = 1 - bit;
      run = 1;
    }
  }
  return (count << countShift) | (stuffed ? followed : 0) | stateOf(last, run);
};

const advances = Uint8Array.from({ length: 8 * 256 }, (_, index) =>
  advance(index >> 8, index & 0xff),
);

const startTally = stateOf(0, 1);

const stuffByte = (tally: number, byte: number): number =>
  (tally & countMask) + (advances[((tally & 7) << 8) | (byte & 0xff)] as number);

const stuffWord = (tally: number, word: number): number =>
  stuffByte(stuffByte(stuffByte(stuffByte(tally, word >> 24), word >> 16), word >> 8), word);

const stuffBits = (tally: number): number => tally >> countShift;

/** Stuff bits, without one after the last bit. */
const innerStuffBits = (tally: number): number => stuffBits(tally) - (tally & followed ? 1 : 0);

/** CRC of classic CAN: polynomial 0x4599, 15 bits, initial value 0. */
const polynomial = 0x4599;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 7;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 0x4000 ? (crc << 1) ^ polynomial : crc << 1;
  }
  return crc & 0x7fff;
});

export const crc15Byte = (crc: number, byte: number): number =>
  ((crc << 8) & 0x7fff) ^ (table[((crc >> 7) ^ byte) & 0xff] as number);

const crc15Word = (crc: number, word: number): number =>
  crc15Byte(crc15Byte(crc15Byte(crc15Byte(crc, word >> 24), word >> 16), word >> 8), word);

/**
 * Error flag of 6 to 12 bits, delimiter of 8 and interframe space of 3. Drivers do not report
 * the length of the flag.
 */
export const errorFrameBits = 20;

/** ACK slot and delimiter, end of frame, interframe space. */
const tailBits = 1 + 1 + 7 + 3;
const crcDelimiterBits = 1;
const crc15Bits = 15;

const standardHeaderBits = 19;
const extendedHeaderBits = 39;

const bitIf = (flags: number, flag: number): number => ((flags & flag) === 0 ? 0 : 1);

/**
 * CRC in the upper 15 of 16 bits. The last bit differs from the one before it, so it causes no
 * stuff bit.
 */
const crcAsWholeBytes = (crc: number): number => (crc << 1) | (~crc & 1);

type FrameBits = (flags: number, id: number, dlc: number, data: Uint8Array, from: number) => number;

export const classicFrameBits: FrameBits = (flags, id, dlc, data, from) => {
  // From the RTR bit on, both formats are the same. Reserved bits are 0.
  const control = (bitIf(flags, frameFlag.remote) << 6) | dlc;
  let headerBits = standardHeaderBits;
  let crc = 0;
  let tally = startTally;
  if ((flags & frameFlag.extended) === 0) {
    const header = (id << 7) | control;
    crc = crc15Word(0, header);
    tally = stuffByte(tally, 0b1010_1000 | (header >> 16));
    tally = stuffByte(stuffByte(tally, header >> 8), header);
  } else {
    headerBits = extendedHeaderBits;
    const base = id >>> 18;
    const header = ((base & 0x1f) << 27) | (0b11 << 25) | ((id & 0x3ffff) << 7) | control;
    crc = crc15Word(crc15Byte(0, base >> 5), header);
    tally = stuffWord(stuffByte(tally, 0b1000_0000 | (base >> 5)), header);
  }
  const length = (flags & frameFlag.remote) === 0 ? dlcToLength(dlc, false) : 0;
  for (let i = from; i < from + length; i++) {
    const byte = data[i] as number;
    crc = crc15Byte(crc, byte);
    tally = stuffByte(tally, byte);
  }
  const check = crcAsWholeBytes(crc);
  tally = stuffByte(stuffByte(tally, check >> 8), check);
  return headerBits + 8 * length + crc15Bits + stuffBits(tally) + crcDelimiterBits + tailBits;
};

const fdStandardArbitrationBits = 17;
const fdExtendedArbitrationBits = 36;

/**
 * Bits of a CAN FD frame that always run at the nominal rate: up to BRS, and after the CRC
 * delimiter. The rate changes at the sample points of BRS and of the delimiter, so the two
 * partial bits add up to one bit at each rate.
 */
export const fdNominalBits = (flags: number, id: number): number => {
  // FDF is 1 and the reserved bit is 0, so no run of equal bits extends past BRS. All stuff
  // bits are before it.
  const control = 0b0100 | bitIf(flags, frameFlag.brs);
  if ((flags & frameFlag.extended) === 0) {
    const header = (id << 5) | control;
    let tally = stuffByte(startTally, 0b1010_1010 | (header >> 16));
    tally = stuffByte(stuffByte(tally, header >> 8), header);
    return fdStandardArbitrationBits + stuffBits(tally) + tailBits;
  }
  const base = id >>> 18;
  const header = ((base & 0xff) << 24) | (0b11 << 22) | ((id & 0x3ffff) << 4) | control;
  const tally = stuffWord(stuffByte(startTally, 0b0101_0000 | (base >> 8)), header);
  return fdExtendedArbitrationBits + stuffBits(tally) + tailBits;
};

const esiAndDlcBits = 5;
const stuffCountBits = 4;
const maxLengthWithCrc17 = 16;
const crc17FieldBits = stuffCountBits + 17 + 6 + crcDelimiterBits;
const crc21FieldBits = stuffCountBits + 21 + 7 + crcDelimiterBits;

/** Bits of a CAN FD frame that run at the data rate if BRS is set: from ESI to the CRC delimiter. */
export const fdDataBits = (flags: number, dlc: number, data: Uint8Array, from: number): number => {
  const brs = bitIf(flags, frameFlag.brs);
  const esi = bitIf(flags, frameFlag.esi);
  // A 1, a 0 and BRS leave the same run of equal bits as FDF, the reserved bit and BRS.
  let tally = stuffByte(startTally, 0b1000_0000 | (brs << 5) | (esi << 4) | dlc);
  const length = dlcToLength(dlc, true);
  for (let i = from; i < from + length; i++) tally = stuffByte(tally, data[i] as number);
  // The CRC field begins with a fixed stuff bit, which replaces a stuff bit due after the data.
  const crcFieldBits = length <= maxLengthWithCrc17 ? crc17FieldBits : crc21FieldBits;
  return esiAndDlcBits + 8 * length + innerStuffBits(tally) + crcFieldBits;
};

export const canFrameBits: FrameBits = (flags, id, dlc, data, from) => {
  if ((flags & frameFlag.error) !== 0) return errorFrameBits;
  if ((flags & frameFlag.fd) === 0) return classicFrameBits(flags, id, dlc, data, from);
  return fdNominalBits(flags, id) + fdDataBits(flags, dlc, data, from);
};

/** Bus time of a frame in microseconds. The data rate is used only with BRS. */
export const canFrameUs = (
  flags: number,
  id: number,
  dlc: number,
  data: Uint8Array,
  from: number,
  bitrate: number,
  dataBitrate: number,
): number => {
  if ((flags & frameFlag.brs) === 0 || (flags & frameFlag.error) !== 0) {
    return (canFrameBits(flags, id, dlc, data, from) * 1e6) / bitrate;
  }
  const nominalUs = (fdNominalBits(flags, id) * 1e6) / bitrate;
  return nominalUs + (fdDataBits(flags, dlc, data, from) * 1e6) / dataBitrate;
};
