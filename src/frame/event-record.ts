import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { buses, type EventKind, eventKindCode } from './frm2-layout.ts';

const u53 = (description: string) => Type.Integer({ minimum: 0, description });

/** Event in JSON: history, SSE and the CLI. */
export const MessageEvent = named(
  'MessageEvent',
  Type.Object({
    event_id: u53('Strictly increasing over all channels'),
    source_sequence: u53('Counts the events of the channel, from 1'),
    stream_epoch: u53('Changes with every start of the Web service; 0 while it is stopped'),
    kind: Type.Enum(Object.keys(eventKindCode) as EventKind[]),
    bus: Type.Enum([...buses], {
      description: 'Kind of the frame, not of its port',
    }),
    channel: Type.Integer({ minimum: 0, description: 'Slot of the channel' }),
    selector: Type.String(),
    id: Type.Integer({ minimum: 0 }),
    extended: Type.Boolean(),
    remote: Type.Boolean(),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    esi: Type.Boolean(),
    error: Type.Boolean({ description: 'An error on the bus rather than a frame' }),
    dlc: Type.Integer({ minimum: 0, maximum: 15 }),
    data: Type.String({ description: 'Uppercase hex without separators' }),
    flags: u53('The FRM2 flag word'),
    status: u53('0 is good; capabilities names the others'),
    timestamp_us: u53('Unix time in microseconds'),
    hardware_sequence: u53('Counter of the device, 16 bits'),
    filter_hit: u53('Which acceptance filter let it pass'),
    checksum: u53('LIN: the checksum byte'),
    count: Type.Optional(
      u53('Error frames that the event stands for; only where status is not 0, and then also 0'),
    ),
  }),
);
export type MessageEvent = RecordOf<typeof MessageEvent>;

/** Events or samples that were overwritten before a stream could deliver them. */
export const GapEvent = named(
  'GapEvent',
  Type.Object({
    oldest_available: Type.Integer({ minimum: 0 }),
    newest_available: Type.Integer({ minimum: 0 }),
    missed: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Events lost; null where the cursor came from outside',
    }),
  }),
);
export type GapEvent = RecordOf<typeof GapEvent>;
