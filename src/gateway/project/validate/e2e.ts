import { bitOf, bytesFor } from '../../../database/layout.ts';
import type { RowOf } from '../project.ts';
import type { CodecRow, E2eCodec } from '../tables/codecs.ts';
import {
  e2eFields,
  freeFields,
  maxCounterOf,
  profileRules,
  protectedFields,
} from './e2e-profiles.ts';
import { type Container, hasOneOf, type ProjectLinks, type Report } from './project-links.ts';
import { wholeError } from './value-rules.ts';

type Checksum = NonNullable<E2eCodec['checksum']>;

const widths: Readonly<Record<Exclude<Checksum['algorithm'], 'crc'>, number>> = {
  CRC8: 8,
  CRC8_GSM_A: 8,
  CRC8H2F: 8,
  CRC16: 16,
  CRC16_ARC: 16,
  CRC32: 32,
  CRC32P4: 32,
  CRC64: 64,
  sum8: 8,
  xor8: 8,
};

const hexValue = (text: string): bigint => BigInt(text.startsWith('0x') ? text : `0x${text}`);

const checkChecksum = (checksum: Checksum, index: number, report: Report): void => {
  const { algorithm, bit_length } = checksum;
  const width = algorithm === 'crc' ? checksum.width : widths[algorithm];
  if (bit_length !== width) {
    const error = `must be ${width}, the bits of ${algorithm}`;
    report(index, 'checksum.bit_length', 'size_mismatch', error);
  }
  if (algorithm !== 'crc') return;
  for (const field of ['polynomial', 'initial', 'final_xor'] as const) {
    if (hexValue(checksum[field]) < 2n ** BigInt(width)) continue;
    report(index, `checksum.${field}`, 'invalid_value', `must fit into ${width} bits`);
  }
  if (hexValue(checksum.polynomial) === 0n) {
    report(index, 'checksum.polynomial', 'invalid_value', 'must not be 0');
  }
};

const checkFreeCodec = (codec: E2eCodec, index: number, report: Report): void => {
  if (codec.profile !== 'free') return;
  const { counter, checksum } = codec;
  if (counter !== undefined) {
    const max = 2n ** BigInt(counter.bit_length) - 1n;
    const fault = wholeError(counter.max, { least: 1n, max });
    if (fault) report(index, 'counter.max', 'invalid_value', `${fault}, as the bits allow`);
  }
  if (checksum !== undefined) checkChecksum(checksum, index, report);
};

const checkFields = (codec: E2eCodec, index: number, report: Report): void => {
  const { profile } = codec;
  const { required, allowed } = profile === 'free' ? freeFields : profileRules[profile];
  for (const field of e2eFields) {
    const isRequired = required.some((name) => name === field);
    if (codec[field] === undefined) {
      if (isRequired) report(index, field, 'missing_field', `is required for profile ${profile}`);
    } else if (!isRequired && !allowed.some((name) => name === field)) {
      report(index, field, 'not_applicable', `means nothing in profile ${profile}`);
    }
  }
};

const checkProfile = (codec: E2eCodec, index: number, report: Report): void => {
  if (codec.profile === 'free') return;
  const { maxId, maxBytes } = profileRules[codec.profile];
  if (codec.data_id !== undefined && codec.data_id > maxId) {
    const error = `must be at most ${maxId} in profile ${codec.profile}`;
    report(index, 'data_id', 'out_of_range', error);
  }
  if (codec.data_length !== undefined && codec.data_length > maxBytes) {
    const error = `must be at most ${maxBytes} in profile ${codec.profile}`;
    report(index, 'data_length', 'out_of_range', error);
  }
  const steps = {
    offset_bits: 8,
    crc_offset_bits: 8,
    counter_offset_bits: 4,
    nibble_offset_bits: 4,
  };
  for (const [name, step] of Object.entries(steps)) {
    const field = name as keyof typeof steps;
    if ((codec[field] ?? 0) % step === 0) continue;
    report(index, field, 'misaligned', `must be a multiple of ${step}`);
  }
};

const checkCounter = (codec: E2eCodec, index: number, report: Report): void => {
  const max = maxCounterOf(codec);
  if (max === undefined) return;
  const fault = codec.counter_initial && wholeError(codec.counter_initial, { least: 0n, max });
  if (fault) report(index, 'counter_initial', 'invalid_value', `${fault}, as the counter has`);
  for (const field of [
    'max_delta_counter',
    'max_no_new_or_repeated',
    'sync_counter_init',
  ] as const) {
    if (BigInt(codec[field] ?? 0) <= max) continue;
    report(index, field, 'out_of_range', `must be at most ${max}, the largest count`);
  }
};

const checkWindow = ({ window }: E2eCodec, index: number, report: Report): void => {
  if (window === undefined) return;
  for (const field of ['min_ok', 'max_error'] as const) {
    if (window[field] <= window.size) continue;
    const error = `must be at most the size of the window, ${window.size}`;
    report(index, `window.${field}`, 'out_of_range', error);
  }
};

const checkFieldsApart = (codec: E2eCodec, index: number, report: Report): void => {
  const claimed = new Map<number, string>();
  for (const field of protectedFields(codec)) {
    let other: string | undefined;
    for (let at = 0; at < field.length; at += 1) {
      const bit = bitOf(field, at);
      other ??= claimed.get(bit);
      claimed.set(bit, field.placedBy);
    }
    if (other === undefined) continue;
    const error = `must not overlap the fields of ${other}; move one of them`;
    report(index, field.placedBy, 'overlap', error);
  }
};

export const checkE2eCodec = (codec: E2eCodec, index: number, report: Report): void => {
  checkFields(codec, index, report);
  checkProfile(codec, index, report);
  checkFreeCodec(codec, index, report);
  checkCounter(codec, index, report);
  checkWindow(codec, index, report);
  checkFieldsApart(codec, index, report);
};

const directionOf = { check: 'rx', protect: 'tx' } as const;

const codecOf = (
  links: ProjectLinks,
  row: RowOf<'e2e'>,
  index: number,
  report: Report,
): CodecRow | undefined => {
  const { codecs, plugins } = links.draft.tables;
  const codec = codecs.get(row.codec);
  if (codec?.kind === 'linear') {
    report(index, 'codec', 'wrong_kind', 'must be of the kind e2e, or native');
  }
  if (codec?.kind === 'native' && (plugins.get(codec.plugin)?.kind ?? 'e2e') !== 'e2e') {
    report(index, 'codec', 'wrong_kind', 'must have a plugin of the kind e2e');
  }
  return codec;
};

const checkRoom = (codec: E2eCodec, { length }: Container, index: number, report: Report): void => {
  const { data_length = length, profile } = codec;
  if (data_length > length) {
    const error = `protects ${data_length} bytes, but there are ${length}; shorten its data_length`;
    report(index, 'codec', 'out_of_bounds', error);
  }
  const max = profile === 'free' ? length : profileRules[profile].maxBytes;
  if (codec.data_length === undefined && length > max) {
    const error = `protects at most ${max} bytes in profile ${profile}; set its data_length`;
    report(index, 'codec', 'out_of_bounds', error);
  }
  const bytes = Math.min(data_length, length);
  const outside = protectedFields(codec).find((field) => bytesFor(field) > bytes);
  if (outside) {
    const error = `needs ${bytesFor(outside)} bytes for the fields of ${outside.placedBy}, but only ${bytes} are protected`;
    report(index, 'codec', 'out_of_bounds', error);
  }
};

export const checkE2e = (links: ProjectLinks): void => {
  const report = links.reporter('e2e');
  links.draft.tables.e2e.rows.forEach((row, index) => {
    const hasTarget = hasOneOf(row, ['message', 'pdu'], index, report);
    const codec = codecOf(links, row, index, report);
    const container = hasTarget ? links.containerOf(row) : undefined;
    if (container === undefined) return;
    const needed = directionOf[row.direction];
    if (container.message.direction !== needed) {
      const error = `must be ${row.direction === 'check' ? 'protect' : 'check'} for a message that is ${container.message.direction}`;
      report(index, 'direction', 'wrong_direction', error);
    }
    if (codec?.kind === 'e2e') checkRoom(codec, container, index, report);
  });
};
