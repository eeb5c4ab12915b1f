import { wholeError } from '../base/decimal/whole-number.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { bitOf, bytesFor } from '../database/layout.ts';
import type { E2eSettings } from './codec-fields.ts';
import {
  freeFields,
  maxCounterOf,
  optionalFields,
  profileRules,
  protectedFields,
} from './profiles.ts';

export type E2eFault =
  | 'size_mismatch'
  | 'invalid_value'
  | 'missing_field'
  | 'not_applicable'
  | 'out_of_range'
  | 'misaligned'
  | 'overlap'
  | 'out_of_bounds';

/** Reports a fault of a field; null is the protection as a whole. */
export type ReportFault = (field: string | null, fault: E2eFault, problem: string) => void;

type Checksum = NonNullable<E2eSettings['checksum']>;

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

const checkChecksum = (checksum: Checksum, report: ReportFault): void => {
  const { algorithm, bit_length } = checksum;
  const width = algorithm === 'crc' ? checksum.width : widths[algorithm];
  if (bit_length !== width) {
    const error = `must be ${width}, the bits of ${algorithm}`;
    report('checksum.bit_length', 'size_mismatch', error);
  }
  if (algorithm !== 'crc') return;
  for (const field of ['polynomial', 'initial', 'final_xor'] as const) {
    if (hexValue(checksum[field]) < 2n ** BigInt(width)) continue;
    report(`checksum.${field}`, 'invalid_value', `must fit into ${width} bits`);
  }
  if (hexValue(checksum.polynomial) === 0n) {
    report('checksum.polynomial', 'invalid_value', 'must not be 0');
  }
};

const checkFreeCodec = (codec: E2eSettings, report: ReportFault): void => {
  if (codec.profile !== 'free') return;
  const { counter, checksum } = codec;
  if (counter !== undefined) {
    const max = 2n ** BigInt(counter.bit_length) - 1n;
    const fault = wholeError(counter.max, { least: 1n, max });
    if (fault) report('counter.max', 'invalid_value', `${fault}, as the bits allow`);
  }
  if (checksum !== undefined) checkChecksum(checksum, report);
};

const checkFields = (codec: E2eSettings, report: ReportFault): void => {
  const { profile } = codec;
  const { required, allowed } = profile === 'free' ? freeFields : profileRules[profile];
  for (const field of optionalFields) {
    const isRequired = required.some((name) => name === field);
    if (codec[field] === undefined) {
      if (isRequired) report(field, 'missing_field', `is required for profile ${profile}`);
    } else if (!isRequired && !allowed.some((name) => name === field)) {
      report(field, 'not_applicable', `is not used in profile ${profile}`);
    }
  }
};

const checkProfile = (codec: E2eSettings, report: ReportFault): void => {
  if (codec.profile === 'free') return;
  const { maxId, maxBytes } = profileRules[codec.profile];
  if (codec.data_id !== undefined && codec.data_id > maxId) {
    const error = `must be at most ${maxId} in profile ${codec.profile}`;
    report('data_id', 'out_of_range', error);
  }
  if (codec.data_length !== undefined && codec.data_length > maxBytes) {
    const error = `must be at most ${maxBytes} in profile ${codec.profile}`;
    report('data_length', 'out_of_range', error);
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
    report(field, 'misaligned', `must be a multiple of ${step}`);
  }
};

const checkCounter = (codec: E2eSettings, report: ReportFault): void => {
  const max = maxCounterOf(codec);
  if (max === undefined) return;
  const fault = codec.counter_initial && wholeError(codec.counter_initial, { least: 0n, max });
  if (fault) report('counter_initial', 'invalid_value', `${fault}, as the counter has`);
  for (const field of [
    'max_delta_counter',
    'max_no_new_or_repeated',
    'sync_counter_init',
  ] as const) {
    if (BigInt(codec[field] ?? 0) <= max) continue;
    report(field, 'out_of_range', `must be at most ${max}, the largest count`);
  }
};

const checkWindow = ({ window }: E2eSettings, report: ReportFault): void => {
  if (window === undefined) return;
  for (const field of ['min_ok', 'max_error'] as const) {
    if (window[field] <= window.size) continue;
    const error = `must be at most the size of the window, ${window.size}`;
    report(`window.${field}`, 'out_of_range', error);
  }
};

const checkFieldsApart = (codec: E2eSettings, report: ReportFault): void => {
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
    report(field.placedBy, 'overlap', error);
  }
};

export const checkE2eFields = (codec: E2eSettings, report: ReportFault): void => {
  checkFields(codec, report);
  checkProfile(codec, report);
  checkFreeCodec(codec, report);
  checkCounter(codec, report);
  checkWindow(codec, report);
  checkFieldsApart(codec, report);
};

/** Checks that the protection fits into a payload. */
export const checkE2eRoom = (codec: E2eSettings, length: number, report: ReportFault): void => {
  const { data_length = length, profile } = codec;
  if (data_length > length) {
    const error = `protects ${data_length} bytes, but there are ${length}; shorten its data_length`;
    report(null, 'out_of_bounds', error);
  }
  const max = profile === 'free' ? length : profileRules[profile].maxBytes;
  if (codec.data_length === undefined && length > max) {
    const error = `protects at most ${max} bytes in profile ${profile}; set its data_length`;
    report(null, 'out_of_bounds', error);
  }
  const bytes = Math.min(data_length, length);
  const outside = protectedFields(codec).find((field) => bytesFor(field) > bytes);
  if (outside) {
    const error = `needs ${bytesFor(outside)} bytes for the fields of ${outside.placedBy}, but only ${bytes} are protected`;
    report(null, 'out_of_bounds', error);
  }
};

const refusing =
  (name: string): ReportFault =>
  (field, reason, problem) => {
    const place = field === null ? name : `${name}.${field}`;
    throw invalidArgument(place, `${place} ${problem}`, { reason });
  };

/** Rejects protection whose fields do not fit together, for any payload. */
export const requireE2eFields = (codec: E2eSettings, name = 'e2e'): void =>
  checkE2eFields(codec, refusing(name));

/** Rejects protection that a payload of `length` bytes cannot have. */
export const requireE2e = (codec: E2eSettings, length: number, name = 'e2e'): void => {
  requireE2eFields(codec, name);
  checkE2eRoom(codec, length, refusing(name));
};
