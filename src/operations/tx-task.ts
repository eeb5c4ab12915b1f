import { Type } from 'typebox';
import { DatabaseMessage } from '../database/database-records.ts';
import { e2eRequestFields } from '../e2e/codec-fields.ts';
import { TxTaskRecord } from '../transmit/tasks/tx-task-record.ts';
import { minPeriodUs, txPatterns, txTaskKinds } from '../transmit/tasks/tx-task-request.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { batchLimit } from './limits.ts';
import {
  durationText,
  frameFields,
  frameText,
  nameErrors,
  nameFields,
  neededForFrame,
  signalTexts,
} from './message-schemas.ts';
import { offloadErrors, offloadParameter } from './offload.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

const taskId = Type.String({
  description: 'Transmit task ID',
  'x-reserved': ['import'],
  minLength: 1,
  maxLength: 64,
  examples: ['task-1'],
});

const counterField = Type.Optional(
  Type.Object(
    {
      signal: Type.String({
        description: 'Integer signal that counts frames from 0',
        minLength: 1,
        maxLength: 256,
      }),
      max: Type.Optional(
        Type.String({
          description: 'Raw value after which it is 0 again; default: what its bits hold',
          pattern: '^[0-9]{1,20}$',
          examples: ['14'],
        }),
      ),
    },
    { description: 'Counter of a task by name', additionalProperties: false },
  ),
);

const e2eField = Type.Optional(
  Type.Object(e2eRequestFields, {
    description: 'End-to-end protection of a task by name, as in a codec of a gateway project',
    additionalProperties: false,
  }),
);

const periodFields = {
  period_us: Type.Optional(
    Type.Integer({
      description: 'Cycle time in microseconds',
      minimum: minPeriodUs,
      maximum: batchLimit.cycleUs,
      examples: [10_000],
    }),
  ),
  period: durationText('Cycle time with unit, instead of period_us'),
};

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
    ...nameFields,
    counter: counterField,
    e2e: e2eField,
    ...frameFields,
    type: Type.Optional(
      Type.Enum(['data', 'remote', 'master-write'], {
        description: 'Frame type; default: data on CAN, master-write on LIN',
      }),
    ),
    period_us: Type.Optional(
      Type.Integer({
        description:
          'Cycle time in microseconds; required for a cyclic task, unless the database has one for its message',
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
    ...nameErrors,
    'missing_cycle',
    'signal_not_writable',
    'already_exists',
    'busy',
    'capacity_exceeded',
    'channel_not_open',
    'channel_cannot_send',
    ...offloadErrors,
  ],
  permission: 'operate',
  execution,
  prepared: true,
  cli: {
    words: ['tx-task', 'add'],
    positionals: ['channel', 'frame', 'signals'],
    rest: 'signals',
    replacedBy: { frame: 'message' },
    only: ['frame', 'period'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/tx-tasks',
    success: 201,
    bodyName: 'TxTaskRequest',
    bodyRule: {
      allOf: [neededForFrame('id', {}), neededForFrame('period_us', { kind: 'lin_response' })],
    },
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
    'busbar tx-task add powertrain Engine EngineSpeed=780 --counter=signal=Alive,max=14',
    'busbar tx-task add powertrain 123#00 --period=100ms --count=1000 --pattern=increment_data',
    'busbar tx-task add SIM00001/5 --kind=lin_response --id=21 --data=0102',
  ],
});

const taskColumns = [
  'task_id',
  'kind',
  'channel',
  'message',
  'id',
  'data',
  'period_us',
  'pattern',
  'state',
  'offloaded',
  'sent',
  'failed',
  'missed',
];

export const txTaskList = defineOperation({
  id: 'tx-task.list',
  summary: 'List the transmit tasks',
  result: Type.Object({ tx_tasks: Type.Array(TxTaskRecord) }),
  errors: [],
  permission: 'observe',
  execution,
  prepared: true,
  cli: {
    words: ['tx-task', 'list'],
    columns: taskColumns,
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
  prepared: true,
  cli: { words: ['tx-task', 'remove'], positionals: ['task_id'] },
  http: { method: 'DELETE', path: '/api/v1/tx-tasks/{task_id}', success: 200 },
  examples: ['busbar tx-task remove task-1'],
});

const onClient = { place: 'client', daemon: 'required', streaming: false } as const;

export const txTaskSet = defineOperation({
  id: 'tx-task.set',
  summary: 'Change a transmit task while it runs',
  description:
    'All changes take effect together in the next frame, and due times stay on their grid. Signals that are not named keep their values. With enabled false the task is paused. A new cycle time counts from the last frame.',
  parameters: {
    task_id: taskId,
    signals: signalTexts,
    raw: nameFields.raw,
    data: Type.Optional(
      Type.String({
        description: 'Payload of a task by frame in hex, as long as before',
        maxLength: 400,
        examples: ['DE AD BE EF'],
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the task sends' })),
    ...periodFields,
  },
  result: TxTaskRecord,
  errors: ['task_not_found', 'signal_not_found', 'signal_not_writable', 'unsupported_by_hardware'],
  permission: 'operate',
  execution: onClient,
  cli: {
    words: ['tx-task', 'set'],
    positionals: ['task_id', 'signals'],
    rest: 'signals',
    only: ['period'],
  },
  http: {
    method: 'PATCH',
    path: '/api/v1/tx-tasks/{task_id}',
    success: 200,
    bodyName: 'TxTaskChange',
    bodyRule: {
      anyOf: ['signals', 'data', 'enabled', 'period_us'].map((field) => ({ required: [field] })),
    },
    bodyExamples: {
      short: { signals: { EngineSpeed: '780' } },
      full: { signals: { EngineSpeed: '3120' }, raw: true, enabled: true, period_us: 20_000 },
    },
  },
  examples: [
    'busbar tx-task set task-1 EngineSpeed=780 Mode=Idle',
    'busbar tx-task set task-1 --enabled=false',
  ],
});

export const txTaskMessage = defineOperation({
  id: 'tx-task.message',
  summary: 'Show the message of a transmit task by name',
  description:
    'A task keeps its own copy of the message: after the database was reloaded or unloaded, this is still the layout that the task sends.',
  parameters: { task_id: taskId },
  result: DatabaseMessage,
  errors: ['task_not_found'],
  permission: 'observe',
  execution: onClient,
  cli: { words: ['tx-task', 'message'], positionals: ['task_id'] },
  http: { method: 'GET', path: '/api/v1/tx-tasks/{task_id}/message', success: 200 },
  examples: ['busbar tx-task message task-1'],
});

const Skipped = Type.Object({
  message: Type.String(),
  reason: Type.Enum(
    ['no_cycle_time', 'cycle_time_out_of_range', 'too_long', 'identifier_repeated'],
    {
      description:
        'no_cycle_time: not periodic; too_long: no frame has as many bytes; identifier_repeated: another message has the identifier',
    },
  ),
});

export const txTaskImport = defineOperation({
  id: 'tx-task.import',
  summary: 'Send all periodic messages of a database: a rest bus in one command',
  description:
    'Adds a task for every message with a cycle time, or for those that a node sends, with start values. All tasks are added, or none. Their first frames are spread over their cycle times.',
  parameters: {
    channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    database: Type.String({
      description: 'Loaded database',
      minLength: 1,
      maxLength: 128,
      examples: ['powertrain'],
    }),
    node: Type.Optional(
      Type.String({
        description: 'Only messages of this sender; default: all',
        minLength: 1,
        maxLength: 256,
        examples: ['Gateway'],
      }),
    ),
  },
  result: Type.Object({ tasks: Type.Array(TxTaskRecord), skipped: Type.Array(Skipped) }),
  kept: ['channel'],
  errors: [
    ...lookupErrors.filter((code) => code !== 'channel_not_found'),
    'database_not_found',
    'capacity_exceeded',
    'channel_not_open',
    'channel_cannot_send',
  ],
  permission: 'operate',
  execution: onClient,
  cli: {
    words: ['tx-task', 'import'],
    positionals: ['channel'],
    columns: { tasks: taskColumns, skipped: ['message', 'reason'] },
  },
  http: {
    method: 'POST',
    path: '/api/v1/tx-tasks/import',
    success: 201,
    bodyName: 'TxTaskImport',
    bodyExamples: {
      short: { channel: 'SIM00001/0', database: 'powertrain' },
      full: { channel: 'SIM00001/0', database: 'powertrain', node: 'Gateway' },
    },
  },
  examples: ['busbar tx-task import powertrain --database=powertrain --node=Gateway'],
});
