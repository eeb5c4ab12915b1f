import { type Static, Type } from 'typebox';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { checksumModels } from '../../frame/frame.ts';
import {
  createdAtField,
  lastErrorField,
  offloadedField,
  SelectedChannel,
} from '../record-fields.ts';
import { txPatterns, txTaskKinds } from './tx-task-request.ts';

export const TxTaskRecord = named(
  'TxTask',
  Type.Object({
    task_id: Type.String(),
    kind: Type.Enum([...txTaskKinds]),
    ...SelectedChannel.properties,
    type: nullable(Type.Enum(['data', 'remote', 'master-write']), {
      description: 'null for a LIN response',
    }),
    id: Type.Integer({ minimum: 0, description: 'Identifier of the first frame' }),
    extended: Type.Boolean(),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    esi: Type.Boolean(),
    dlc: Type.Integer({ minimum: 0, maximum: 15 }),
    data: Type.String({ description: 'Payload as it was given, in uppercase hex' }),
    checksum: nullable(Type.Enum([...checksumModels]), { description: 'LIN only' }),
    period_us: nullable(Type.Integer(), { description: 'null for a LIN response' }),
    count: counted('Frames to send; 0 is endless'),
    pattern: Type.Enum([...txPatterns]),
    state: Type.Enum(['running', 'finished'], {
      description: 'finished once all frames of the count are taken',
    }),
    offloaded: offloadedField,
    sent: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Frames that the channel took, as accepted is in message send, whatever became of them; of a LIN response how often it was given, and null on a master, which cannot tell it from what it sends itself',
    }),
    failed: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Times when the channel did not take the frame; null where the device does not tell',
    }),
    missed: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Times that were over before the daemon came to them; null where the device does not tell',
    }),
    lateness_us: nullable(DurationRecord, {
      description: 'From when a frame was due to when it was handed over; null if offloaded',
    }),
    last_error: lastErrorField,
    created_at_us: createdAtField,
  }),
);
export type TxTaskRecord = Static<typeof TxTaskRecord>;
