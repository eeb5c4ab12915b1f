import { type Static, Type } from 'typebox';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { DecodedSignal } from '../../frame/event-record.ts';
import { createdAtField, lastErrorField, SelectedChannel } from '../record-fields.ts';

const ScheduledFrameRecord = named(
  'LinScheduledFrame',
  Type.Object({
    message: Type.String(),
    id: Type.Integer({ minimum: 0, maximum: 63 }),
    data: Type.String({ description: 'Payload of the next frame in uppercase hex' }),
    changed: Type.Boolean({
      description: 'Whether a signal was set since the frame was sent; sporadic frames wait for it',
    }),
  }),
);

export const LinScheduleRecord = named(
  'LinSchedule',
  Type.Object({
    schedule_id: Type.String(),
    ...SelectedChannel.properties,
    database: Type.String({ description: 'Database of the tables' }),
    table: Type.String({ description: 'Table that was started or switched to last' }),
    next_table: nullable(Type.String(), {
      description: 'Table that begins with the next slot, after a switch',
    }),
    collision_table: nullable(Type.String(), {
      description:
        'Table that resolves a collision now; the name of the event-triggered frame if the database names no table',
    }),
    cycles: counted('Times that a table ran to its end'),
    sent: counted(
      'Headers accepted by the channel, with the data of the master where it publishes',
    ),
    failed: counted('Headers rejected by the channel'),
    missed: counted('Slots missed by the daemon'),
    empty: counted('Slots without a header: no signal of a sporadic frame or request was set'),
    unanswered: counted('Headers of frames of slaves that no node responded to'),
    invalid: counted('Responses of slaves with a checksum error, or of several nodes together'),
    collisions: counted('Collisions of event-triggered frames'),
    lateness_us: nullable(DurationRecord, {
      description: 'Time from the start of the slot to handing over its frame',
    }),
    last_error: lastErrorField,
    frames: Type.Array(ScheduledFrameRecord, { description: 'Frames that the master publishes' }),
    signals: nullable(Type.Array(DecodedSignal), {
      description: 'Signals in these frames; null where the response has no room for them',
    }),
    created_at_us: createdAtField,
  }),
);
export type LinScheduleRecord = Static<typeof LinScheduleRecord>;
