import { Type } from 'typebox';
import { LinScheduleRecord } from '../transmit/lin/lin-schedule-record.ts';
import { TxTaskRecord } from '../transmit/tasks/tx-task-record.ts';
import { lookupErrors } from './channel.ts';
import { pathSelector, selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';
import { nameFields, signalTexts } from './message-schemas.ts';

const onClient = { place: 'client', daemon: 'required', streaming: false } as const;

const scheduleId = Type.String({
  description: 'Schedule ID, or selector of its channel',
  minLength: 1,
  maxLength: 256,
  examples: ['schedule-1'],
});

const tableName = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 256, examples: ['Normal'] });

const database = Type.Optional(
  Type.String({
    description: 'Loaded LDF with the names; default: the first attached one that has them',
    minLength: 1,
    maxLength: 128,
    examples: ['doors'],
  }),
);

const scheduleErrors = [...lookupErrors, 'channel_not_open', 'schedule_not_found'] as const;

const valueErrors = ['signal_not_found', 'signal_not_writable'] as const;

const startErrors = [
  ...lookupErrors.filter((code) => code !== 'channel_not_found'),
  'database_not_found',
  'channel_not_open',
  'channel_cannot_send',
  'hardware_error',
  'capacity_exceeded',
] as const;

export const linScheduleStart = defineOperation({
  id: 'lin.schedule-start',
  summary: 'Run a schedule table of an LDF on a LIN master',
  description:
    'The channel sends the header of each slot when the slot starts. Frames of the master have their current signal values, initially those of the database; frames of slaves are read. A sporadic frame is sent when one of its signals was set since, and MasterReq likewise. A collision of an event-triggered frame runs its collision table once. Other frames are sent in the rest of a slot that is long enough for them. One schedule can run on a channel, and it excludes cyclic tasks. It ends when it is stopped or its channel is closed.',
  parameters: {
    channel: selector('LIN master: <sn>/<port>, <uid>/<port>, name, network or slot'),
    table: tableName('Schedule table of an attached database'),
    database,
  },
  result: LinScheduleRecord,
  kept: ['channel'],
  errors: [...startErrors, 'schedule_table_not_found', 'already_running', 'busy'],
  permission: 'operate',
  execution: onClient,
  cli: { words: ['lin', 'schedule', 'start'], positionals: ['channel'] },
  http: {
    method: 'POST',
    path: '/api/v1/lin-schedules',
    success: 201,
    bodyName: 'LinScheduleRequest',
    bodyExamples: {
      short: { channel: 'SIM00001/4', table: 'Normal' },
      full: { channel: 'SIM00001/4', table: 'Normal', database: 'doors' },
    },
  },
  examples: ['busbar lin schedule start SIM00001/4 --table=Normal'],
});

export const linScheduleList = defineOperation({
  id: 'lin.schedule-list',
  summary: 'List the LIN schedules',
  result: Type.Object({ lin_schedules: Type.Array(LinScheduleRecord) }),
  errors: [],
  permission: 'observe',
  execution: onClient,
  cli: {
    words: ['lin', 'schedule', 'list'],
    columns: [
      'schedule_id',
      'channel',
      'database',
      'table',
      'cycles',
      'sent',
      'failed',
      'missed',
      'unanswered',
      'collisions',
    ],
  },
  http: { method: 'GET', path: '/api/v1/lin-schedules', success: 200 },
});

export const linScheduleSwitch = defineOperation({
  id: 'lin.schedule-switch',
  summary: 'Switch the table of a LIN schedule',
  description:
    'The new table begins with the next slot. signals changes what the master publishes: all values change together, in the next frames. Either all changes are made, or none.',
  parameters: {
    schedule_id: scheduleId,
    table: Type.Optional(tableName('Table to switch to')),
    signals: signalTexts,
    raw: nameFields.raw,
  },
  result: LinScheduleRecord,
  errors: [...scheduleErrors, 'schedule_table_not_found', ...valueErrors],
  permission: 'operate',
  execution: onClient,
  cli: {
    words: ['lin', 'schedule', 'switch'],
    positionals: ['schedule_id'],
    needs: ['table'],
    except: ['signals', 'raw'],
  },
  http: {
    method: 'PATCH',
    path: '/api/v1/lin-schedules/{schedule_id}',
    success: 200,
    bodyName: 'LinScheduleChange',
    bodyRule: { anyOf: [{ required: ['table'] }, { required: ['signals'] }] },
    bodyExamples: {
      short: { table: 'Normal' },
      full: { table: 'Normal', signals: { Speed: '7' }, raw: false },
    },
  },
  examples: ['busbar lin schedule switch SIM00001/4 --table=Diagnostics'],
});

export const linScheduleStop = defineOperation({
  id: 'lin.schedule-stop',
  summary: 'Stop a LIN schedule and show its final counters',
  parameters: { schedule_id: scheduleId },
  result: LinScheduleRecord,
  errors: scheduleErrors,
  permission: 'operate',
  execution: onClient,
  cli: { words: ['lin', 'schedule', 'stop'], positionals: ['schedule_id'] },
  http: { method: 'DELETE', path: '/api/v1/lin-schedules/{schedule_id}', success: 200 },
  examples: ['busbar lin schedule stop SIM00001/4'],
});

export const linSet = defineOperation({
  id: 'lin.set',
  summary: 'Set signals that a LIN master publishes in its schedule',
  description:
    'All values change together, in the next frames of the schedule. Signals that are not named keep their values.',
  parameters: {
    channel: selector('LIN master with a running schedule'),
    signals: signalTexts,
    raw: nameFields.raw,
  },
  result: LinScheduleRecord,
  errors: [...scheduleErrors, ...valueErrors],
  permission: 'operate',
  execution: onClient,
  cli: { words: ['lin', 'set'], positionals: ['channel', 'signals'], rest: 'signals' },
  http: { none: 'Served as signals of PATCH /api/v1/lin-schedules/{schedule_id}' },
  examples: ['busbar lin set SIM00001/4 Speed=7 Lamp=On'],
});

export const linSimulate = defineOperation({
  id: 'lin.simulate',
  summary: 'Publish the responses of LIN slaves',
  description:
    'Adds a task that responds to the header of each unconditional frame that the nodes publish, with initial values. tx-task set changes their signals, and tx-task remove ends them. All tasks are added, or none.',
  parameters: {
    selector: pathSelector,
    nodes: Type.Array(Type.String({ minLength: 1, maxLength: 256, 'x-hint': '<node>,…' }), {
      description: 'Slaves of an attached LDF',
      'x-list': true,
      minItems: 1,
      maxItems: 64,
      uniqueItems: true,
      examples: [['DoorLeft', 'DoorRight']],
    }),
    database,
  },
  result: Type.Object({ tasks: Type.Array(TxTaskRecord) }),
  errors: [
    ...lookupErrors,
    'database_not_found',
    'channel_not_open',
    'channel_cannot_send',
    'already_exists',
    'capacity_exceeded',
  ],
  permission: 'operate',
  execution: onClient,
  cli: { words: ['lin', 'simulate'], positionals: ['selector'] },
  http: {
    method: 'POST',
    path: '/api/v1/channels/{selector}/lin-simulation',
    success: 201,
    bodyName: 'LinSimulationRequest',
    bodyExamples: {
      short: { nodes: ['DoorLeft'] },
      full: { nodes: ['DoorLeft', 'DoorRight'], database: 'doors' },
    },
  },
  examples: ['busbar lin simulate SIM00001/5 --nodes=DoorLeft,DoorRight'],
});
