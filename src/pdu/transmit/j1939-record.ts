import { type Static, Type } from 'typebox';
import { counted, named } from '../../base/schema/schemas.ts';
import { DecodedSignal } from '../../frame/event-record.ts';
import { SelectedChannel } from '../../transmit/record-fields.ts';

export const j1939Methods = ['frame', 'broadcast', 'transfer'] as const;

export const J1939SendRecord = named(
  'J1939Send',
  Type.Object({
    ...SelectedChannel.properties,
    pgn: Type.Integer({ minimum: 0 }),
    source: Type.Integer({ minimum: 0, maximum: 254 }),
    destination: Type.Integer({ minimum: 0, maximum: 255 }),
    length: counted('Payload bytes'),
    method: Type.Enum([...j1939Methods], {
      description: 'One frame, TP.BAM, or TP.CM with RTS and CTS',
    }),
    frames: counted('Frames sent'),
    duration_us: counted('Time from the request to the end of the transfer'),
    message: Type.Optional(Type.String({ description: 'Message, if sent by name' })),
    database: Type.Optional(Type.String({ description: 'Database of the message' })),
    data: Type.Optional(Type.String({ description: 'Payload of the message in uppercase hex' })),
    signals: Type.Optional(
      Type.Array(DecodedSignal, { description: 'Signals of the message as encoded' }),
    ),
  }),
);
export type J1939SendRecord = Static<typeof J1939SendRecord>;
