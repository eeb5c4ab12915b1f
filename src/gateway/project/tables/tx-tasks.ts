import type { Static } from 'typebox';
import { choice, optional } from '../../../base/schema/field-schemas.ts';
import { milliseconds, reference, references, row } from '../fields.ts';

export const TxTaskRow = row({
  message: optional(reference('messages', 'Message to send')),
  resources: optional(references('modbus_resources', 'Resources to write, of one endpoint')),
  policy: optional(choice(['periodic', 'on_change'], 'When to send; default: periodic')),
  mode: choice(['value', 'request'], 'Sends signals, or what a processor stages', {
    default: 'value',
  }),
  period_ms: optional(
    milliseconds('Cycle time; default: the period of the message', { minimum: 1 }),
  ),
  min_interval_ms: optional(milliseconds('Least time between two transmissions on change')),
});
export type TxTaskRow = Static<typeof TxTaskRow>;
