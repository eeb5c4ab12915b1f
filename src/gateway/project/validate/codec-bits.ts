import { rawSpanOf } from '../../../database/raw-span.ts';
import type { CodecRow, LinearCodec } from '../tables/codecs.ts';
import { floatFlaw, type WholeRange, wholeFlaw } from './value-rules.ts';

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
