import { type Static, Type } from 'typebox';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { DecodedSignal } from '../../frame/event-record.ts';
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
    data: Type.String({
      description:
        'Payload as it was given, in uppercase hex; of a task by name that of the last frame, or of the next one after a change',
    }),
    message: nullable(Type.String(), { description: 'Message of a task by name' }),
    database: nullable(Type.String(), { description: 'Database that described the message' }),
    signals: nullable(Type.Array(DecodedSignal), {
      description:
        'Signals in data; null for a task by frame, and where the response has no room for them',
    }),
    checksum: nullable(Type.Enum([...checksumModels]), { description: 'LIN only' }),
    period_us: nullable(Type.Integer(), { description: 'null for a LIN response' }),
    count: counted('Number of frames to send; 0 = unlimited'),
    pattern: Type.Enum([...txPatterns]),
    state: Type.Enum(['running', 'paused', 'finished'], {
      description: 'paused while not enabled; finished when all frames were accepted',
    }),
    offloaded: offloadedField,
    sent: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Frames accepted by the channel; for a LIN response, how often it was sent, or null on a master, which cannot distinguish it from its own frames',
    }),
    failed: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Frames rejected by the channel; null if the device does not report it',
    }),
    missed: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Send times missed by the daemon; null if the device does not report it',
    }),
    lateness_us: nullable(DurationRecord, {
      description: 'Time from the due time to handing over the frame; null if offloaded',
    }),
    last_error: lastErrorField,
    created_at_us: createdAtField,
  }),
);
export type TxTaskRecord = Static<typeof TxTaskRecord>;
