import { Type } from 'typebox';
import { TxTaskRecord } from '../transmit/tasks/tx-task-record.ts';
import { minPeriodUs, txPatterns, txTaskKinds } from '../transmit/tasks/tx-task-request.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { batchLimit } from './limits.ts';
import { durationText, frameFields, frameText, neededUnless } from './message-schemas.ts';
import { offloadErrors, offloadParameter } from './offload.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

const taskId = Type.String({
  description: 'Transmit task ID',
  minLength: 1,
  maxLength: 64,
  examples: ['task-1'],
});

export const txTaskAdd = defineOperation({
  id: 'tx-task.add',
  summary: 'Send a frame cyclically, or respond to a LIN header',
  description:
    'A cyclic task sends its first frame immediately and frame k after k cycle times. A cycle for which the daemon is too late counts as missed and is not made up; a frame that the channel does not accept counts as failed, and the task continues. A LIN response is sent for every header with its identifier. Tasks are offloaded to devices that can do this. A task ends when it is removed or its channel is closed.',
  parameters: {
    channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    kind: withDefault(
      Type.Enum([...txTaskKinds], {
        description: 'Send cyclically, or respond to a LIN header',
      }),
      'cyclic',
    ),
    frame: frameText,
    ...frameFields,
    type: Type.Optional(
      Type.Enum(['data', 'remote', 'master-write'], {
        description: 'Frame type; default: data on CAN, master-write on LIN',
      }),
    ),
    period_us: Type.Optional(
      Type.Integer({
        description: 'Cycle time in microseconds; required for a cyclic task',
        minimum: minPeriodUs,
        maximum: batchLimit.cycleUs,
        examples: [10_000],
      }),
    ),
    period: durationText('Cycle time with unit, instead of period_us'),
    count: withDefault(
      Type.Integer({
        description: 'Number of frames to send; 0 = unlimited',
        minimum: 0,
        maximum: batchLimit.frames,
      }),
      0,
    ),
    pattern: withDefault(
      Type.Enum([...txPatterns], {
        description:
          'Change per frame: none, increment the data as one big-endian number, increment the identifier, or random data',
      }),
      'fixed',
    ),
    offload: offloadParameter,
  },
  result: TxTaskRecord,
  kept: ['channel'],
  errors: [
    ...lookupErrors.filter((code) => code !== 'channel_not_found'),
    'already_exists',
    'capacity_exceeded',
    'channel_not_open',
    'channel_cannot_send',
    ...offloadErrors,
  ],
  permission: 'operate',
  execution,
  cli: {
    words: ['tx-task', 'add'],
    positionals: ['channel', 'frame'],
    only: ['frame', 'period'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/tx-tasks',
    success: 201,
    bodyName: 'TxTaskRequest',
    needs: ['id'],
    bodyRule: neededUnless('period_us', { kind: 'lin_response' }),
    bodyExamples: {
      short: { channel: 'SIM00001/0', id: 0x123, data: 'DE AD BE EF', period_us: 10_000 },
      full: {
        channel: 'SIM00001/0',
        kind: 'cyclic',
        type: 'data',
        id: 0x18ff50e5,
        extended: true,
        fd: true,
        brs: true,
        esi: false,
        dlc: 8,
        data: '11 22 33 44 55 66 77 88',
        period_us: 10_000,
        count: 1000,
        pattern: 'increment_data',
        offload: false,
      },
    },
  },
  examples: [
    'busbar tx-task add SIM00001/0 123#DEADBEEF --period=10ms',
    'busbar tx-task add powertrain 123#00 --period=100ms --count=1000 --pattern=increment_data',
    'busbar tx-task add SIM00001/5 --kind=lin_response --id=21 --data=0102',
  ],
});

export const txTaskList = defineOperation({
  id: 'tx-task.list',
  summary: 'List the transmit tasks',
  result: Type.Object({ tx_tasks: Type.Array(TxTaskRecord) }),
  errors: [],
  permission: 'observe',
  execution,
  cli: {
    words: ['tx-task', 'list'],
    columns: [
      'task_id',
      'kind',
      'channel',
      'id',
      'data',
      'period_us',
      'pattern',
      'state',
      'offloaded',
      'sent',
      'failed',
      'missed',
    ],
  },
  http: { method: 'GET', path: '/api/v1/tx-tasks', success: 200 },
});

export const txTaskRemove = defineOperation({
  id: 'tx-task.remove',
  summary: 'Remove a transmit task and show its final counters',
  parameters: { task_id: taskId },
  result: TxTaskRecord,
  errors: ['task_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['tx-task', 'remove'], positionals: ['task_id'] },
  http: { method: 'DELETE', path: '/api/v1/tx-tasks/{task_id}', success: 200 },
  examples: ['busbar tx-task remove task-1'],
});
