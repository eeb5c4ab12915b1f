import type { Static } from 'typebox';
import { choice, flag, integer, optional } from '../../../base/schema/field-schemas.ts';
import { maxFrameBytes, milliseconds, reference, row } from '../fields.ts';

export const directions = ['rx', 'tx'] as const;
export type Direction = (typeof directions)[number];

export const direction = () => choice(directions, 'Whether it is received or sent');

export const MessageRow = row({
  endpoint: reference('endpoints', 'Endpoint of the kind can'),
  direction: direction(),
  can_id: integer('Identifier', 0, 0x1fff_ffff),
  extended: flag('Whether the identifier has 29 bits', { default: false }),
  fd: flag('Whether it is sent as a CAN FD frame', { default: false }),
  brs: flag('Whether its data is sent at the data bitrate', { default: false }),
  length: integer('Bytes', 0, maxFrameBytes),
  period_ms: optional(milliseconds('Time from one frame to the next', { minimum: 1 })),
  stale_after_ms: optional(
    milliseconds(
      'How long received values are valid; 0 = no limit. Required for received messages',
    ),
  ),
  fill: integer('Byte for bits that no binding has', 0, 255, { default: 0 }),
});
export type MessageRow = Static<typeof MessageRow>;

export const PduRow = row({
  message: reference('messages', 'Message that carries it'),
  byte_offset: integer('First byte', 0, maxFrameBytes - 1),
  length: integer('Bytes', 1, maxFrameBytes),
});
export type PduRow = Static<typeof PduRow>;

export const E2eRow = row({
  message: optional(reference('messages', 'Message that is protected')),
  pdu: optional(reference('pdus', 'PDU that is protected')),
  direction: choice(['check', 'protect'], 'Checks what is received, or protects what is sent'),
  codec: reference('codecs', 'Codec of the kind e2e, or native'),
});
export type E2eRow = Static<typeof E2eRow>;
