import { Type } from 'typebox';
import { GapEvent } from '../frame/event-record.ts';
import { SignalSample } from '../signal/live/sample-record.ts';
import { SignalHistory, SignalPlan, SignalPlanPage } from '../signal/service/signal-records.ts';
import { WatchedSignal } from '../signal/service/watched-signal.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { signalHistory as depth, limits, planPage, samplePage } from './limits.ts';
import { endFields } from './message-schemas.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { ...execution, streaming: true } as const;

const planId = Type.String({
  description: 'Signal plan ID',
  minLength: 1,
  maxLength: 64,
  examples: ['plan-1'],
});

const signalName = Type.String({
  description: 'Name of a signal of the plan',
  minLength: 1,
  maxLength: 520,
  examples: ['EngineSpeed'],
});

export const signalList = defineOperation({
  id: 'signal.list',
  summary: 'List the active signal plans',
  description:
    'Results are paged: repeat with offset set to plan_next_offset until it equals plan_total. The response size limit may shorten a page.',
  parameters: {
    offset: withDefault(
      Type.Integer({
        description: 'Index of the first plan',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: withDefault(
      Type.Integer({
        description: 'Maximum number of plans',
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
  summary: 'Decode a message on a channel, or all messages of databases',
  description:
    'Signal plans belong to the Web service and end with it. Every frame of the message on the channel, received or sent, gives one sample for each signal in it. J1939 messages are matched by parameter group number, regardless of priority and addresses; source_address restricts them to one sender. Signals that cannot be decoded are omitted and reported.',
  parameters: {
    channel: selector('Channel to decode: <sn>/<port>, <uid>/<port>, name, network or slot'),
    database: Type.Optional(
      Type.String({
        description: 'Name of a loaded database; default: those attached to the channel now',
        minLength: 1,
        maxLength: 128,
        examples: ['vehicle'],
      }),
    ),
    message: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1, maxLength: 256 }),
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        ],
        {
          description:
            'Message, by name or by identifier: a number, or a string in printed hex; default: every message',
          examples: ['Engine'],
        },
      ),
    ),
    signals: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 520 }), {
        description:
          'Signals to decode, without message as Message.Signal, where * stands for any part of a name; default: all',
        minItems: 1,
        maxItems: limits.signalsOfPlan,
        examples: [['EngineSpeed']],
      }),
    ),
    source_address: Type.Optional(
      Type.Integer({
        description: 'J1939 source address to decode; default: all',
        minimum: 0,
        maximum: 255,
        examples: [0],
      }),
    ),
    history: withDefault(
      Type.Integer({
        description: 'Samples to retain per signal',
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
  summary: 'Delete a signal plan and its samples',
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
  summary: 'Read past samples of a signal',
  description:
    'Results are paged: repeat with after set to next_after. An after that has expired or lies in the future is rejected with cursor_expired: resume from oldest_available - 1.',
  parameters: {
    plan: planId,
    signal: signalName,
    after: withDefault(
      Type.Integer({
        description: 'Sequence to resume after',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: withDefault(
      Type.Integer({
        description: 'Maximum number of samples',
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
      description: 'Signal plans to stream; default: all current plans',
      maxItems: 1024,
      examples: [['plan-1']],
    }),
  ),
  signal: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 520 }), {
      description: 'Signals to stream, by name; default: all signals of the plans',
      maxItems: 1024,
      examples: [['EngineSpeed']],
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      description: 'Sequence to resume after',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [0],
    }),
  ),
};

export const signalWatch = defineOperation({
  id: 'signal.watch',
  summary: 'Print signals as they arrive',
  description:
    'With channel, the frames of the channel are decoded with its attached databases; this needs no signal plan and no Web service. Patterns select signals. Without channel, the samples of signal plans are printed.',
  parameters: {
    pattern: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 520 }), {
        description:
          'Signals of the channel to print, as Message.Signal, where * stands for any part of a name; default: all',
        maxItems: 1024,
        examples: [['Engine.*']],
      }),
    ),
    channel: Type.Optional(
      selector('Channel to decode with its databases, instead of signal plans'),
    ),
    changes: withDefault(
      Type.Boolean({ description: 'With channel: print a signal only when its value changed' }),
      false,
    ),
    table: withDefault(
      Type.Boolean({ description: 'With channel: redraw one table of all signals in a terminal' }),
      false,
    ),
    ...streamFields,
    ...endFields('samples'),
  },
  result: Type.Union([SignalSample, WatchedSignal, GapEvent]),
  errors: [...sampleErrors, ...lookupErrors, 'channel_not_open', 'database_not_found'],
  permission: 'observe',
  execution: streamed,
  cli: { words: ['signal', 'watch'], positionals: ['pattern'], local: ['table'] },
  http: { none: 'Served as a stream at /api/v1/signals/stream' },
  examples: [
    'busbar signal watch --plan=plan-1 --signal=EngineSpeed',
    'busbar signal watch --channel=powertrain Engine.* --changes',
    'busbar signal watch --channel=powertrain --table',
  ],
});

export const signalStream = defineOperation({
  id: 'signal.stream',
  summary: 'Stream signal samples as server-sent events',
  description:
    'Each sample event has the sequence as its id and a SignalSample as its data; a gap event reports lost samples as a GapEvent. Starts after Last-Event-ID, else after the after parameter, else with the next sample.',
  parameters: streamFields,
  result: Type.String({ description: 'Server-sent events: sample and gap' }),
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
