import { type Static, Type } from 'typebox';
import { choice, integer, optional, record, variants } from '../../../base/schema/field-schemas.ts';
import { type ByteOrder, byteOrders } from '../../../database/model.ts';
import { e2eFields } from '../../../e2e/codec-fields.ts';
import { wordOrders } from '../../../modbus/pdu/word-order.ts';
import { decimalText, freeText, maxFrameBytes, parameter, reference, row } from '../fields.ts';

export type { ByteOrder };

export const rawKinds = ['unsigned', 'signed', 'float32', 'float64', 'bool'] as const;

const byteOrder = () => choice(byteOrders, 'Order of the bits in a frame, as in a DBC file');

const Special = record({
  raw: decimalText('Raw value'),
  state: choice(['invalid', 'not_available', 'error'], 'What it means'),
  label: optional(freeText('What it is called')),
});

const LinearCodec = row({
  kind: choice(['linear'], 'Physical value = factor × raw + offset'),
  raw: choice(rawKinds, 'What the bits are'),
  bit_length: optional(integer('Bits of the raw; float and bool have theirs', 1, 64)),
  byte_order: optional(byteOrder()),
  word_order: optional(choice(wordOrders, 'Order of the bytes in registers')),
  factor: parameter('Physical value of one raw step', { default: 1 }),
  offset: parameter('Physical value of raw 0', { default: 0 }),
  raw_min: optional(decimalText('Least raw to encode')),
  raw_max: optional(decimalText('Largest raw to encode')),
  special: optional(Type.Array(Special, { description: 'Raw values with a special meaning' })),
  invalid_raw: optional(decimalText('Raw value to encode for an invalid signal')),
});
export type LinearCodec = Static<typeof LinearCodec>;

const E2eCodec = row({ kind: choice(['e2e'], 'End-to-end protection'), ...e2eFields });
export type E2eCodec = Static<typeof E2eCodec>;

const NativeCodec = row({
  kind: choice(['native'], 'Function of a plugin'),
  plugin: reference('plugins', 'Codec or e2e plugin'),
  bit_length: optional(integer('Bits of the raw; required for a codec', 1, 8 * maxFrameBytes)),
});
export type NativeCodec = Static<typeof NativeCodec>;

export const CodecRow = variants('kind', [LinearCodec, E2eCodec, NativeCodec]);
export type CodecRow = Static<typeof CodecRow>;
