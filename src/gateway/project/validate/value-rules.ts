import { parseDecimal } from '../../../base/decimal/decimal.ts';
import { type WholeRange, wholeError } from '../../../base/decimal/whole-number.ts';
import { rawSpanOf } from '../../../database/raw-span.ts';
import type { CodecRow, LinearCodec } from '../tables/codecs.ts';
import type { SignalType } from '../tables/signals.ts';

const signed64 = { least: -(2n ** 63n), max: 2n ** 63n - 1n };
const unsigned64 = { least: 0n, max: 2n ** 64n - 1n };

const signalRanges: Readonly<Record<Exclude<SignalType, 'float64'>, WholeRange>> = {
  bool: { least: 0n, max: 1n },
  int64: signed64,
  uint64: unsigned64,
  enum: signed64,
};

const floatError = (text: string, bits: 32 | 64): string | undefined => {
  // Exact decimals have a maximum number of digits.
  const value = parseDecimal(text) === null ? Number.NaN : Number(text);
  if (Number.isFinite(bits === 32 ? Math.fround(value) : value)) return undefined;
  return `must lie within the range of a float of ${bits} bits`;
};

export const signalValueFault = (type: SignalType, text: string): string | undefined => {
  if (type === 'float64') return floatError(text, 64);
  const error = wholeError(text, signalRanges[type]);
  return error && `${error}, as the signal is ${type}`;
};

const impliedBits = { float32: 32, float64: 64, bool: 1 } as const;

/** Returns the bits that the raw type implies; undefined if the codec must specify them. */
export const impliedBitsOf = ({ raw }: LinearCodec): number | undefined =>
  raw === 'unsigned' || raw === 'signed' ? undefined : impliedBits[raw];

export const bitsOf = (codec: CodecRow): number | undefined => {
  if (codec.kind === 'e2e') return undefined;
  return (codec.kind === 'linear' ? impliedBitsOf(codec) : undefined) ?? codec.bit_length;
};

/** Undefined for floats, and if the bits are unknown. */
export const rawRangeOf = (codec: LinearCodec): WholeRange | undefined => {
  const bits = bitsOf(codec);
  if (bits === undefined || codec.raw === 'float32' || codec.raw === 'float64') return undefined;
  const kind = codec.raw === 'signed' ? codec.raw : 'unsigned';
  const { lowest, highest } = rawSpanOf({ kind, length: bits });
  return { least: lowest, max: highest };
};

export const rawError = (codec: LinearCodec, text: string): string | undefined => {
  if (codec.raw === 'float32') return floatError(text, 32);
  if (codec.raw === 'float64') return floatError(text, 64);
  const range = rawRangeOf(codec);
  return range && wholeError(text, range);
};
