import { type Static, Type } from 'typebox';
import { integer, optional, record } from '../../../base/schema/field-schemas.ts';
import { maxFrameBytes, reference, row } from '../fields.ts';
import { direction } from './messages.ts';

const lastBit = 8 * maxFrameBytes - 1;

const Mux = record(
  {
    selector: reference('bindings', 'Binding that carries the multiplexer'),
    values: Type.Array(
      Type.String({
        description: 'A raw value or a range of raw values',
        pattern: '^(0|[1-9][0-9]{0,19})(-(0|[1-9][0-9]{0,19}))?$',
        'x-rule': 'must be a raw value or a range of raw values in quotes, such as "1" or "4-7"',
      }),
      { description: 'Raw values of the selector that activate the binding', minItems: 1 },
    ),
  },
  { description: 'When the binding is part of the message' },
);

export const BindingRow = row({
  signal: reference('signals', 'Signal that it carries'),
  direction: direction(),
  message: optional(reference('messages', 'Message that contains it')),
  pdu: optional(reference('pdus', 'PDU that it lies in')),
  resource: optional(reference('modbus_resources', 'Resource that it is')),
  codec: reference('codecs', 'How it is encoded'),
  start_bit: optional(integer('Start bit in the message or PDU', 0, lastBit)),
  mux: optional(Mux),
  validity_bit: optional(
    Type.Union(
      [
        integer('Bit of the same message or PDU', 0, lastBit),
        reference('modbus_resources', 'One-bit resource of the same endpoint'),
      ],
      { description: 'Bit that is 1 while the value is valid: its number, or a one-bit resource' },
    ),
  ),
});
export type BindingRow = Static<typeof BindingRow>;
