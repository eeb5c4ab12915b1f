import { bitOf } from '../../../database/layout.ts';
import type { E2eCodec } from '../tables/codecs.ts';
import { checkFreeCodec } from './e2e-free.ts';
import { protectedFields } from './e2e-layout.ts';
import { e2eFields, freeFields, largestCounterOf, profileRules } from './e2e-profiles.ts';
import type { Report } from './project-links.ts';
import { wholeFlaw } from './value-rules.ts';

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
  const { largestId, mostBytes } = profileRules[codec.profile];
  if (codec.data_id !== undefined && codec.data_id > largestId) {
    const flaw = `must be at most ${largestId} in profile ${codec.profile}`;
    report(index, 'data_id', 'out_of_range', flaw);
  }
  if (codec.data_length !== undefined && codec.data_length > mostBytes) {
    const flaw = `must be at most ${mostBytes} in profile ${codec.profile}`;
    report(index, 'data_length', 'out_of_range', flaw);
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
  const most = largestCounterOf(codec);
  if (most === undefined) return;
  const fault = codec.counter_initial && wholeFlaw(codec.counter_initial, { least: 0n, most });
  if (fault) report(index, 'counter_initial', 'invalid_value', `${fault}, as the counter has`);
  for (const field of [
    'max_delta_counter',
    'max_no_new_or_repeated',
    'sync_counter_init',
  ] as const) {
    if (BigInt(codec[field] ?? 0) <= most) continue;
    report(index, field, 'out_of_range', `must be at most ${most}, the largest count`);
  }
};

const checkWindow = ({ window }: E2eCodec, index: number, report: Report): void => {
  if (window === undefined) return;
  for (const field of ['min_ok', 'max_error'] as const) {
    if (window[field] <= window.size) continue;
    const flaw = `must be at most the size of the window, ${window.size}`;
    report(index, `window.${field}`, 'out_of_range', flaw);
  }
};

/** Fields of one codec that write the same bits. */
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
    const flaw = `must not lie over what ${other} places; move one of them`;
    report(index, field.placedBy, 'overlap', flaw);
  }
};

/** Parameters of protection, as far as the codec alone tells. */
export const checkE2eCodec = (codec: E2eCodec, index: number, report: Report): void => {
  checkFields(codec, index, report);
  checkProfile(codec, index, report);
  checkFreeCodec(codec, index, report);
  checkCounter(codec, index, report);
  checkWindow(codec, index, report);
  checkFieldsApart(codec, index, report);
};
