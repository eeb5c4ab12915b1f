import { bitLengthOf, parseRaw, type Raw } from './codecs.ts';
import type { LinearCodecRow, SignalType } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';

const rawRange = (codec: LinearCodecRow): readonly [bigint, bigint] => {
  const values = 2n ** BigInt(bitLengthOf(codec));
  return codec.raw === 'signed' ? [-values / 2n, values / 2n - 1n] : [0n, values - 1n];
};

/** A raw value of a codec, in quotes: near a limit, near 0, or on float wires a fraction. */
export const randomRaw = (random: Random, codec: LinearCodecRow): string => {
  if (codec.raw === 'float32' || codec.raw === 'float64') {
    return random.pick(['0', '1.5', '-2.25', '0.1', '1e10', '-7']);
  }
  const [least, max] = rawRange(codec);
  const near = BigInt(random.integer(0, 7)) % (max + 1n);
  return String(random.pick([least, max, near, max / 2n]));
};

/** A meaningful raw value: often one named by the codec, and sometimes NaN. */
export const meaningfulRaw = (random: Random, codec: LinearCodecRow): Raw => {
  const named = [codec.invalid_raw, codec.raw_min, codec.raw_max].concat(
    codec.special?.map(({ raw }) => raw),
  );
  const known = named.filter((text) => text !== undefined);
  const text =
    random.chance(0.2) && known.length > 0 ? random.pick(known) : randomRaw(random, codec);
  const isNoNumber = codec.raw.startsWith('float') && random.chance(0.1);
  return isNoNumber ? random.pick([Number.NaN, Number.NEGATIVE_INFINITY]) : parseRaw(codec, text);
};

/** The codec, possibly with special raw values. */
export const withStates = (random: Random, codec: LinearCodecRow): LinearCodecRow => {
  const raws = new Map<number, string>();
  for (let left = random.integer(0, 2); left > 0; left -= 1) {
    const raw = randomRaw(random, codec);
    raws.set(Number(raw), raw);
  }
  const states = ['invalid', 'not_available', 'error'] as const;
  const special = [...raws.values()].map((raw) => ({ raw, state: random.pick(states) }));
  return {
    ...codec,
    ...(special.length > 0 && random.chance(0.5) ? { special } : {}),
    ...random.some(0.35, { invalid_raw: randomRaw(random, codec) }),
  };
};

export const withLimits = (random: Random, codec: LinearCodecRow): LinearCodecRow => {
  if (!random.chance(0.15)) return codec;
  const [a, b] = [randomRaw(random, codec), randomRaw(random, codec)];
  const [raw_min, raw_max] = Number(a) <= Number(b) ? [a, b] : [b, a];
  return { ...codec, ...random.some(0.7, { raw_min, raw_max }) };
};

const receivedRaws = ['unsigned', 'unsigned', 'unsigned', 'signed', 'signed', 'bool'] as const;
const sentRaws = ['unsigned', 'unsigned', 'signed', 'signed', 'signed'] as const;

const anyLength = [1, 2, 3, 4, 7, 8, 8, 12, 16, 16, 24, 33, 53, 54, 64] as const;
/** Most values can be encoded with these. */
const sentLength = [4, 10, 12, 16, 16, 16, 24, 24, 33, 64] as const;

/** A codec whose raw value fits into this many bits. */
export const randomCodec = (
  random: Random,
  draft: ProjectDraft,
  direction: 'rx' | 'tx',
  maxBits: number,
): LinearCodecRow => {
  const lengths: readonly number[] = direction === 'rx' ? anyLength : sentLength;
  const raw = random.pick([
    ...(direction === 'rx' ? receivedRaws : sentRaws),
    ...(maxBits >= 32 ? (['float32'] as const) : []),
    ...(maxBits >= 64 ? (['float64'] as const) : []),
  ]);
  const hasLength = raw === 'unsigned' || raw === 'signed';
  const codec: LinearCodecRow = {
    id: draft.name('codec'),
    kind: 'linear',
    raw,
    ...(hasLength ? { bit_length: Math.min(maxBits, random.pick(lengths)) } : {}),
    byte_order: random.pick(['intel', 'motorola']),
    ...random.some(0.4, {
      factor: random.pick([0.5, 0.5, 0.1, 0.1, 0.25, 0.25, 2, -1, 0.01, 3, 1e-7]),
      offset: random.pick([-40, 0.5, 100, -1, 0.3]),
    }),
  };
  return draft.addCodec(withLimits(random, withStates(random, codec)));
};

/** One bit, as used for bools. */
export const flagCodec = (random: Random, draft: ProjectDraft): LinearCodecRow =>
  draft.addCodec({
    id: draft.name('codec'),
    kind: 'linear',
    raw: 'bool',
    ...random.some(0.2, { invalid_raw: '0' }),
  });

/** A selector codec: few raw values, no scaling. */
export const selectorCodec = (random: Random, draft: ProjectDraft): LinearCodecRow =>
  draft.addCodec({
    id: draft.name('selector'),
    kind: 'linear',
    raw: random.pick(['unsigned', 'unsigned', 'signed']),
    // Three bits also contain the signed raw values 0 to 3.
    bit_length: random.integer(3, 5),
    byte_order: random.pick(['intel', 'motorola']),
    ...random.some(0.2, { invalid_raw: '1' }),
  });

/** A codec without steps at which values that differ in the last bit encode differently. */
export const roundingCodec = (random: Random, draft: ProjectDraft): LinearCodecRow =>
  draft.addCodec({
    id: draft.name('codec'),
    kind: 'linear',
    raw: 'signed',
    bit_length: 16,
    byte_order: random.pick(['intel', 'motorola']),
    factor: 0.01,
    offset: 0.00317,
    ...random.some(0.3, { invalid_raw: '-32768' }),
  });

/** The type of a codec's signal, mostly one that can represent its values. */
export const typeFor = (random: Random, codec: LinearCodecRow): SignalType => {
  const { factor = 1, offset = 0 } = codec;
  const isWhole = Number.isInteger(factor) && Number.isInteger(offset);
  if (codec.raw === 'float32' || codec.raw === 'float64') {
    return random.chance(0.9) ? 'float64' : 'int64';
  }
  if (!isWhole) return random.chance(0.85) ? 'float64' : 'int64';
  if (bitLengthOf(codec) === 1 && random.chance(0.6)) return 'bool';
  return random.pick(['int64', 'uint64', 'float64', 'enum']);
};

/** Bound of the absolute values of a codec. */
export const boundOf = (codec: LinearCodecRow): number => {
  if (codec.raw === 'float32' || codec.raw === 'float64') return Number.POSITIVE_INFINITY;
  return Math.abs(codec.factor ?? 1) * 2 ** bitLengthOf(codec) + Math.abs(codec.offset ?? 0);
};
