import type { Static } from 'typebox';
import { choice, optional, reference, row } from '../fields.ts';

export const E2eRow = row({
  message: optional(reference('messages', 'Message that is protected')),
  pdu: optional(reference('pdus', 'PDU that is protected')),
  direction: choice(['check', 'protect'], 'Checks what is received, or protects what is sent'),
  codec: reference('codecs', 'Codec of the kind e2e, or native'),
});
export type E2eRow = Static<typeof E2eRow>;
