import { bitsOfRow } from './bits.ts';
import { crcCatalogue } from './crc.ts';
import { type E2eLayout, layoutOf } from './e2e.ts';
import type { ChecksumRow, E2eCodecRow, FieldRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';

/** Minimum number of bytes of a profile. */
const leastBytes: Readonly<Record<string, number>> = {
  '1A': 2,
  '1B': 2,
  '1C': 2,
  '1LOW': 2,
  '2': 2,
  '4': 12,
  '5': 3,
  '6': 5,
  '7': 20,
  '11A': 2,
  '11C': 2,
  '22': 2,
  free: 2,
};

/** All bits written by a protection. */
export const protectedBits = (layout: E2eLayout): number[] => [
  ...layout.counter,
  ...layout.checksum,
  ...layout.fixed.flatMap(({ bits }) => bits),
];

const hasOwnBits = (bits: readonly number[], bytes: number): boolean =>
  new Set(bits).size === bits.length && bits.every((bit) => bit < 8 * bytes);

/** Tries until a result fits; undefined if none does. */
const until = <Result>(attempt: () => Result | undefined): Result | undefined => {
  for (let left = 30; left > 0; left -= 1) {
    const result = attempt();
    if (result !== undefined) return result;
  }
  return undefined;
};

const hex = (random: Random, width: number, least = 0): string =>
  BigInt.asUintN(width, BigInt(random.integer(least, 0xffff)) || 1n).toString(16);

const checksumOf = (random: Random, field: Omit<FieldRow, 'bit_length'>): ChecksumRow => {
  const algorithm = random.pick([...Object.keys(crcCatalogue), 'sum8', 'xor8', 'crc', 'crc']);
  if (algorithm !== 'crc') {
    return { ...field, bit_length: crcCatalogue[algorithm]?.width ?? 8, algorithm };
  }
  const width = random.integer(3, 16);
  return {
    ...field,
    bit_length: width,
    algorithm,
    width,
    ...random.some(0.5, { reflect: true }),
    // An odd polynomial has this width, and is not 0.
    polynomial: (BigInt(`0x${hex(random, width)}`) | 1n).toString(16),
    initial: hex(random, width),
    final_xor: hex(random, width),
  };
};

const freeFields = (random: Random, bytes: number): Partial<E2eCodecRow> | undefined =>
  until(() => {
    const place = (): Omit<FieldRow, 'bit_length'> => ({
      start_bit: random.integer(0, 8 * bytes - 1),
      byte_order: random.pick(['intel', 'motorola']),
    });
    const bits = random.pick([2, 3, 4, 8, 8, 12, 40]);
    const most = 2n ** BigInt(bits) - 1n;
    const max = random.chance(0.5) ? most : most - 1n;
    const counter = { ...place(), bit_length: bits, max: String(max) };
    const checksum = checksumOf(random, place());
    if (!hasOwnBits([...bitsOfRow(counter), ...bitsOfRow(checksum)], bytes)) return undefined;
    return { counter, checksum, ...random.some(0.3, { prefix: 'A55A', suffix: '0123' }) };
  });

const profileFields = (
  random: Random,
  profile: string,
  bytes: number,
): Partial<E2eCodecRow> | undefined => {
  if (profile === 'free') return freeFields(random, bytes);
  const least = leastBytes[profile] ?? 2;
  const isHeader = !/^1/.test(profile);
  const isList = profile === '2' || profile === '22';
  const isWide = profile === '4' || profile === '7';
  const maxId = isWide ? 0xffff_ffff : profile.endsWith('C') ? 0xfff : 0xffff;
  const ids = isList
    ? { data_id_list: Array.from({ length: 16 }, () => random.integer(0, 255)) }
    : { data_id: random.integer(0, maxId) };
  const dataLength =
    random.chance(0.2) || bytes > 30 ? random.integer(least, Math.min(bytes, 30)) : bytes;
  const length = dataLength === bytes ? {} : { data_length: dataLength };
  if (!random.chance(0.4)) return { ...ids, ...length };
  if (isHeader) {
    return { ...ids, ...length, offset_bits: 8 * random.integer(0, dataLength - least) };
  }
  const offsets = {
    crc_offset_bits: 8 * random.integer(0, dataLength - 1),
    counter_offset_bits: 4 * random.integer(0, 2 * dataLength - 1),
    ...(profile.endsWith('C')
      ? { nibble_offset_bits: 4 * random.integer(0, 2 * dataLength - 1) }
      : {}),
  };
  return { ...ids, ...length, ...offsets };
};

const behaviour = (random: Random, profile: string, max: bigint): Partial<E2eCodecRow> => {
  const most = Number(max < 3n ? max : 3n);
  const isRich = /^1[A-Z]|^2$/.test(profile);
  return {
    ...random.some(0.5, { max_delta_counter: random.integer(1, most) }),
    ...(isRich
      ? random.some(0.4, {
          max_no_new_or_repeated: random.integer(0, 2),
          sync_counter_init: random.integer(0, 2),
        })
      : {}),
    ...random.some(0.4, {
      counter_initial: String(random.pick([max, max - 1n, 1n, 0n])),
    }),
  };
};

const windowOf = (random: Random): NonNullable<E2eCodecRow['window']> => {
  const size = random.integer(1, 5);
  return { size, min_ok: random.integer(1, size), max_error: random.integer(0, size) };
};

/** A codec that protects or checks this many bytes; undefined if none fits. */
export const randomE2eCodec = (
  random: Random,
  draft: ProjectDraft,
  bytes: number,
  isCheck: boolean,
): E2eCodecRow | undefined => {
  const profiles = Object.keys(leastBytes).filter((name) => (leastBytes[name] ?? 2) <= bytes);
  const codec = until(() => {
    if (profiles.length === 0) return undefined;
    const profile = random.pick(profiles);
    const fields = profileFields(random, profile, bytes);
    if (fields === undefined) return undefined;
    const row: E2eCodecRow = { id: 'e2e', kind: 'e2e', profile, ...fields };
    const layout = layoutOf(row, bytes);
    if (!hasOwnBits(protectedBits(layout), layout.length)) return undefined;
    return { ...row, ...behaviour(random, profile, layout.counterMax) };
  });
  if (codec === undefined) return undefined;
  const window = isCheck && random.chance(0.35) ? { window: windowOf(random) } : {};
  return draft.addCodec({ ...codec, id: draft.name('e2e'), ...window });
};
