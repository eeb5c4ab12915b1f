import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { buses, type EventKind, eventKindCode } from './frm2-layout.ts';

const u53 = (description: string) => Type.Integer({ minimum: 0, description });

export const DecodedSignal = named(
  'DecodedSignal',
  Type.Object({
    signal: Type.String(),
    value: nullable(Type.String(), { description: 'Exact physical value; null if there is none' }),
    raw: Type.String({ description: 'Exact raw value' }),
    unit: Type.String(),
    label: nullable(Type.String(), { description: 'Value description from the database' }),
  }),
);
export type DecodedSignal = RecordOf<typeof DecodedSignal>;

/** Name and values of a frame by the databases of its channel. */
export interface DecodedFrame {
  readonly message: string | null;
  readonly signals: readonly DecodedSignal[];
}

const onlyDecoded = 'With decode, on channels with attached databases';

export const MessageEvent = named(
  'MessageEvent',
  Type.Object({
    event_id: u53('Increases over all channels'),
    source_sequence: u53('Event number of the channel, from 1'),
    stream_epoch: u53('Changes at every start of the Web service; 0 while it is stopped'),
    kind: Type.Enum(Object.keys(eventKindCode) as EventKind[]),
    bus: Type.Enum([...buses], { description: 'Frame type, not port type' }),
    channel: Type.Integer({ minimum: 0, description: 'Slot of the channel' }),
    selector: Type.String(),
    id: Type.Integer({ minimum: 0 }),
    extended: Type.Boolean(),
    remote: Type.Boolean(),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    esi: Type.Boolean(),
    error: Type.Boolean({ description: 'Bus error instead of a frame' }),
    dlc: Type.Integer({ minimum: 0, maximum: 15 }),
    data: Type.String({ description: 'Uppercase hex without separators' }),
    flags: u53('FRM2 flag word'),
    status: u53('0 is good; capabilities lists the others'),
    timestamp_us: u53('Unix time in microseconds'),
    hardware_sequence: u53('16-bit counter of the device'),
    filter_hit: u53('Acceptance filter that matched'),
    checksum: u53('LIN checksum byte'),
    count: Type.Optional(
      u53('Number of error frames that the event represents, may be 0; only if status is not 0'),
    ),
    message: Type.Optional(
      nullable(Type.String(), {
        description: `${onlyDecoded}: message of the frame; null if no database has one`,
      }),
    ),
    signals: Type.Optional(
      Type.Array(DecodedSignal, {
        description: `${onlyDecoded}: signals in the frame. Their text takes at most 128 KiB`,
      }),
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
      description: 'Number of lost events; null if the cursor came from outside',
    }),
  }),
);
export type GapEvent = RecordOf<typeof GapEvent>;
