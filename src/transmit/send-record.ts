import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import { selectorKinds } from '../bench/selector.ts';
import { DecodedSignal } from '../frame/event-record.ts';
import { checksumModels } from '../frame/frame.ts';

const LinResponse = named(
  'LinResponse',
  Type.Object({
    id: Type.Integer({ minimum: 0, maximum: 63 }),
    dlc: Type.Integer({ minimum: 0, maximum: 8 }),
    data: Type.String({ description: 'Uppercase hex' }),
    checksum: Type.Integer({ minimum: 0, maximum: 255, description: 'As received' }),
    checksum_model: Type.Enum([...checksumModels]),
    timestamp_us: Type.Integer({ description: 'Unix time in microseconds' }),
  }),
);
export type LinResponse = Static<typeof LinResponse>;

export const SendRecord = named(
  'SendResult',
  Type.Object({
    accepted: Type.Integer({
      minimum: 0,
      description: 'Frames accepted by the transmit queue of the channel',
    }),
    channel: Type.String({ description: 'Channel selector as given' }),
    selector_kind: Type.Enum([...selectorKinds]),
    slot: Type.Integer({ minimum: 0 }),
    resolved: nullable(Type.String(), {
      description: 'Physical selector that a logical network is bound to',
    }),
    response: nullable(LinResponse, { description: 'Response to a master-read' }),
    message: Type.Optional(Type.String({ description: 'Message, if sent by name' })),
    database: Type.Optional(Type.String({ description: 'Database of the message' })),
    id: Type.Optional(Type.Integer({ minimum: 0, description: 'Identifier of the message' })),
    extended: Type.Optional(Type.Boolean()),
    data: Type.Optional(Type.String({ description: 'Payload in uppercase hex' })),
    frame: Type.Optional(
      Type.String({ description: 'Frame of the message in frame notation, such as 123##1AABB' }),
    ),
    signals: Type.Optional(
      Type.Array(DecodedSignal, { description: 'Signals of the message as encoded' }),
    ),
  }),
);
export type SendRecord = Static<typeof SendRecord>;
