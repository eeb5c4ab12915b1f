import type { Static } from 'typebox';
import { integer, maxFrameBytes, reference, row } from '../fields.ts';

export const PduRow = row({
  message: reference('messages', 'Message that carries it'),
  byte_offset: integer('First byte', 0, maxFrameBytes - 1),
  length: integer('Bytes', 1, maxFrameBytes),
});
export type PduRow = Static<typeof PduRow>;
