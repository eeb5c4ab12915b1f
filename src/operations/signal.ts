import { Type } from 'typebox';
import { GapEvent } from '../frame/event-record.ts';
import { SignalSample } from '../signal/live/sample-record.ts';
import { SignalHistory, SignalPlan, SignalPlanPage } from '../signal/service/signal-records.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { signalHistory as depth, limits, planPage, samplePage } from './limits.ts';
import { endFields } from './message-schemas.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { ...execution, streaming: true } as const;

const planId = Type.String({
  description: 'Id of a plan',
  minLength: 1,
  maxLength: 64,
  examples: ['plan-1'],
});

const signalName = Type.String({
  description: 'Name of a signal of the plan',
  minLength: 1,
  maxLength: 256,
  examples: ['EngineSpeed'],
});

export const signalList = defineOperation({
  id: 'signal.list',
  summary: 'List the active decode plans',
  description:
    'A page at a time: go on with offset set to plan_next_offset until that is plan_total. The byte limit of responses may make a page shorter.',
  parameters: {
    offset: withDefault(
      Type.Integer({
        description: 'First plan to show',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: withDefault(
      Type.Integer({
        description: 'Most plans to show',
        minimum: 1,
        maximum: planPage.maximum,
      }),
      planPage.default,
    ),
  },
  result: SignalPlanPage,
  errors: ['web_not_running'],
  permission: 'observe',
  execution,
  cli: {
    words: ['signal', 'list'],
    columns: ['plan_id', 'channel', 'database', 'message', 'history', 'frames', 'channel_open'],
  },
  http: { method: 'GET', path: '/api/v1/signals', success: 200 },
});

export const signalPlanCreate = defineOperation({
  id: 'signal.plan-create',
  summary: 'Decode a message of a channel from now on',
  description:
    'Plans belong to the Web service and end with it. Every frame of the message on the channel, received or sent, gives a sample of each signal that is in it. Frames of a J1939 parameter group are found by its number, whatever their priority and addresses; source_address narrows that to one sender. A signal that cannot be decoded is left out and told.',
  parameters: {
    channel: selector('Channel to decode: <sn>/<port>, <uid>/<port>, name, network or slot'),
    database: Type.String({
      description: 'Name of a loaded database',
      minLength: 1,
      maxLength: 128,
      examples: ['vehicle'],
    }),
    message: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 256 }),
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      ],
      {
        description:
          'Message by name, or by its identifier: a number, or text in hex as it is printed',
        examples: ['Engine'],
      },
    ),
    signals: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        description: 'Signals to decode; all of the message if left out',
        minItems: 1,
        maxItems: limits.signalsOfPlan,
        examples: [['EngineSpeed']],
      }),
    ),
    source_address: Type.Optional(
      Type.Integer({
        description: 'J1939 address whose frames are wanted; all if left out',
        minimum: 0,
        maximum: 255,
        examples: [0],
      }),
    ),
    history: withDefault(
      Type.Integer({
        description: 'Samples to keep of each signal',
        minimum: 1,
        maximum: depth.maximum,
      }),
      depth.default,
    ),
  },
  result: SignalPlan,
  errors: [
    ...lookupErrors,
    'channel_not_open',
    'database_not_found',
    'message_not_found',
    'signal_not_found',
    'capacity_exceeded',
    'web_not_running',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['signal', 'plan', 'create'] },
  http: {
    method: 'POST',
    path: '/api/v1/signals/plans',
    success: 201,
    bodyName: 'SignalPlanRequest',
    bodyExamples: {
      short: { channel: 'SIM00001/0', database: 'vehicle', message: 'EngineData' },
      full: {
        channel: 'SIM00001/0',
        database: 'vehicle',
        message: 'EngineData',
        signals: ['EngineSpeed'],
        history: 1024,
      },
    },
  },
  examples: [
    'busbar signal plan create --channel=powertrain --database=vehicle --message=Engine',
    'busbar signal plan create --channel=0 --database=vehicle --message=100 --signals=EngineSpeed',
  ],
});

export const signalPlanDelete = defineOperation({
  id: 'signal.plan-delete',
  summary: 'End a decode plan; its samples go with it',
  parameters: { plan_id: planId },
  result: SignalPlan,
  errors: ['plan_not_found', 'web_not_running'],
  permission: 'operate',
  execution,
  cli: { words: ['signal', 'plan', 'delete'], positionals: ['plan_id'] },
  http: { method: 'DELETE', path: '/api/v1/signals/plans/{plan_id}', success: 200 },
  examples: ['busbar signal plan delete plan-1'],
});

const sampleErrors = ['plan_not_found', 'signal_not_found', 'web_not_running'] as const;

export const signalLatest = defineOperation({
  id: 'signal.latest',
  summary: 'Show the latest sample of a signal',
  parameters: { plan: planId, signal: signalName },
  result: SignalSample,
  errors: [...sampleErrors, 'no_sample'],
  permission: 'observe',
  execution,
  cli: { words: ['signal', 'latest'], positionals: ['plan', 'signal'] },
  http: { method: 'GET', path: '/api/v1/signals/latest', success: 200 },
  examples: ['busbar signal latest plan-1 EngineSpeed'],
});

export const signalHistory = defineOperation({
  id: 'signal.history',
  summary: 'Read past samples of a signal, a page at a time',
  description:
    'Ask again with after set to next_after for the next page. An after whose samples are no longer kept, or that lies in the future, is refused with cursor_expired: go on from oldest_available - 1.',
  parameters: {
    plan: planId,
    signal: signalName,
    after: withDefault(
      Type.Integer({
        description: 'Sequence to go on behind',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: withDefault(
      Type.Integer({
        description: 'Most samples in one answer',
        minimum: 1,
        maximum: samplePage.maximum,
      }),
      samplePage.default,
    ),
  },
  result: SignalHistory,
  errors: [...sampleErrors, 'no_sample', 'cursor_expired'],
  permission: 'observe',
  execution,
  cli: {
    words: ['signal', 'history'],
    positionals: ['plan', 'signal'],
    columns: ['sequence', 'value', 'unit', 'label', 'raw', 'valid', 'timestamp_us', 'event_id'],
  },
  http: { method: 'GET', path: '/api/v1/signals/history', success: 200 },
  examples: ['busbar signal history plan-1 EngineSpeed --limit=20'],
});

const streamFields = {
  plan: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      description: 'Plans to follow; all that there are now if left out',
      maxItems: 1024,
      examples: [['plan-1']],
    }),
  ),
  signal: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      description: 'Signals to follow, by name; all of these plans if left out',
      maxItems: 1024,
      examples: [['EngineSpeed']],
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      description: 'Sequence to go on behind',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [0],
    }),
  ),
};

export const signalWatch = defineOperation({
  id: 'signal.watch',
  summary: 'Print samples of signals as they come',
  parameters: {
    ...streamFields,
    ...endFields('samples'),
  },
  result: Type.Union([SignalSample, GapEvent]),
  errors: sampleErrors,
  permission: 'observe',
  execution: streamed,
  cli: { words: ['signal', 'watch'] },
  http: { none: 'Served as a stream at /api/v1/signals/stream' },
  examples: ['busbar signal watch --plan=plan-1 --signal=EngineSpeed'],
});

export const signalStream = defineOperation({
  id: 'signal.stream',
  summary: 'Follow samples of signals as server-sent events',
  description:
    'Each event sample has the sequence as its id and a SignalSample as its data; an event gap tells what was lost, as a GapEvent. Starts behind Last-Event-ID, else behind after, else live.',
  parameters: streamFields,
  result: Type.String({ description: 'An endless stream of events sample and gap' }),
  errors: sampleErrors,
  permission: 'observe',
  execution: streamed,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/signals/stream',
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});
