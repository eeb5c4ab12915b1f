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
  description: 'Id of a transmit task',
  minLength: 1,
  maxLength: 64,
  examples: ['task-1'],
});

export const txTaskAdd = defineOperation({
  id: 'tx-task.add',
  summary: 'Send a frame periodically, or respond to a LIN header, from now on',
  description:
    'A cyclic task sends its first frame at once and frame k at k periods after it. A time that the daemon comes to too late is counted as missed and never made up for; one at which the channel does not take the frame is counted as failed, and the task goes on. A LIN response is given to every header with its identifier. Where the device can do it by itself, it does. Tasks end when they are removed or their channel is closed.',
  parameters: {
    channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    kind: withDefault(
      Type.Enum([...txTaskKinds], {
        description: 'Send periodically, or respond to a LIN header',
      }),
      'cyclic',
    ),
    frame: frameText,
    ...frameFields,
    type: Type.Optional(
      Type.Enum(['data', 'remote', 'master-write'], {
        description: 'What to send; data on CAN and master-write on LIN if left out',
      }),
    ),
    period_us: Type.Optional(
      Type.Integer({
        description: 'Microseconds from one frame to the next; needed in a cyclic task',
        minimum: minPeriodUs,
        maximum: batchLimit.cycleUs,
        examples: [10_000],
      }),
    ),
    period: durationText('Time from one frame to the next with its unit, instead of period_us'),
    count: withDefault(
      Type.Integer({
        description: 'How many frames to send; 0 is endless',
        minimum: 0,
        maximum: batchLimit.frames,
      }),
      0,
    ),
    pattern: withDefault(
      Type.Enum([...txPatterns], {
        description:
          'What changes with each frame: nothing, the data counted up as one big-endian number, the identifier counted up, or random data',
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
  summary: 'End a transmit task and show what it came to',
  parameters: { task_id: taskId },
  result: TxTaskRecord,
  errors: ['task_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['tx-task', 'remove'], positionals: ['task_id'] },
  http: { method: 'DELETE', path: '/api/v1/tx-tasks/{task_id}', success: 200 },
  examples: ['busbar tx-task remove task-1'],
});
