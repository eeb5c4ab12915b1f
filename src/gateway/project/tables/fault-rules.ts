import type { Static } from 'typebox';
import {
  choice,
  flag,
  integer,
  integerText,
  optional,
} from '../../../base/schema/field-schemas.ts';
import { maxFrameBytes, reference, row } from '../fields.ts';

export const flowFaults = ['drop', 'repeat', 'bypass', 'suppress'] as const;
export const overrideFaults = [
  'xor_byte',
  'set_byte',
  'freeze_counter',
  'counter_jump',
  'corrupt_checksum',
] as const;
export const faultKinds = [...flowFaults, ...overrideFaults] as const;
export type FaultKind = (typeof faultKinds)[number];

const maxCount = 0xffff_ffff;

export const FaultRuleRow = row({
  task: reference('tx_tasks', 'Task whose frames are meant'),
  enabled: flag('Whether it is switched on', { default: false }),
  kind: choice(faultKinds, 'What it does'),
  start: integer('First opportunity at which it fires', 1, maxCount, { default: 1 }),
  every: integer('Opportunities from one firing to the next', 1, maxCount, { default: 1 }),
  count: integer('How often it fires; 0 without end', 0, maxCount, { default: 0 }),
  byte_offset: optional(
    integer('Byte that is changed; required for xor_byte and set_byte', 0, maxFrameBytes - 1),
  ),
  mask: optional(
    integer(
      'Bits of the byte that xor_byte flips or set_byte writes, required for both; or what counter_jump and corrupt_checksum use without a value',
      0,
      255,
    ),
  ),
  value: optional(
    integerText(
      'Counter that freeze_counter sends, or else counter_initial; increment of counter_jump; bits of the checksum that corrupt_checksum flips, from 1. counter_jump and corrupt_checksum require value or mask',
    ),
  ),
});
export type FaultRuleRow = Static<typeof FaultRuleRow>;
