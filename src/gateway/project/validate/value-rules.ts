import { parseDecimal } from '../../../base/decimal/decimal.ts';
import { rawSpanOf } from '../../../database/raw-span.ts';
import type { CodecRow, LinearCodec } from '../tables/codecs.ts';
import type { SignalType } from '../tables/signals.ts';

/** Whole numbers from one to another, both included. */
export interface WholeRange {
  readonly least: bigint;
  readonly most: bigint;
}

const signed64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const unsigned64 = { least: 0n, most: 2n ** 64n - 1n };

const signalRanges: Readonly<Record<Exclude<SignalType, 'float64'>, WholeRange>> = {
  bool: { least: 0n, most: 1n },
  int64: signed64,
  uint64: unsigned64,
  enum: signed64,
};

const wholeNumber = /^-?\d+$/;

/** What a whole number has to be, as a flaw of a field; undefined if the text is one. */
export const wholeFlaw = (text: string, { least, most }: WholeRange): string | undefined => {
  if (wholeNumber.test(text)) {
    const value = BigInt(text);
    if (value >= least && value <= most) return undefined;
  }
  return most - least === 1n
    ? `must be "${least}" or "${most}"`
    : `must be a whole number from ${least} to ${most}`;
};

/** What a floating-point number has to be; undefined if the text is one. */
const floatFlaw = (text: string, bits: 32 | 64): string | undefined => {
  // Beyond the digits that exact decimals can have, nothing could be computed with it.
  const value = parseDecimal(text) === null ? Number.NaN : Number(text);
  if (Number.isFinite(bits === 32 ? Math.fround(value) : value)) return undefined;
  return `must lie within the range of a float of ${bits} bits`;
};

/** What a value of a signal has to be; undefined if the text is one of its type. */
export const signalValueFault = (type: SignalType, text: string): string | undefined => {
  if (type === 'float64') return floatFlaw(text, 64);
  const flaw = wholeFlaw(text, signalRanges[type]);
  return flaw && `${flaw}, as the signal is ${type}`;
};

const impliedBits = { float32: 32, float64: 64, bool: 1 } as const;

/** Bits that a raw has by its kind; undefined if the codec has to say. */
export const impliedBitsOf = ({ raw }: LinearCodec): number | undefined =>
  raw === 'unsigned' || raw === 'signed' ? undefined : impliedBits[raw];

/** Bits of a raw; undefined if they are not known. */
export const bitsOf = (codec: CodecRow): number | undefined => {
  if (codec.kind === 'e2e') return undefined;
  return (codec.kind === 'linear' ? impliedBitsOf(codec) : undefined) ?? codec.bit_length;
};

/** Raws of a codec; undefined for floats, and if the bits are not known. */
export const rawRangeOf = (codec: LinearCodec): WholeRange | undefined => {
  const bits = bitsOf(codec);
  if (bits === undefined || codec.raw === 'float32' || codec.raw === 'float64') return undefined;
  const kind = codec.raw === 'signed' ? codec.raw : 'unsigned';
  const { lowest, highest } = rawSpanOf({ kind, length: bits });
  return { least: lowest, most: highest };
};

/** What a raw has to be; undefined if the text is one of the codec. */
export const rawFlaw = (codec: LinearCodec, text: string): string | undefined => {
  if (codec.raw === 'float32') return floatFlaw(text, 32);
  if (codec.raw === 'float64') return floatFlaw(text, 64);
  const range = rawRangeOf(codec);
  return range && wholeFlaw(text, range);
};
