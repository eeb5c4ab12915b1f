import { Type } from 'typebox';
import { ErrorCodeSchema } from '../base/errors/error-schema.ts';
import { FineDurationRecord } from '../base/schedule/duration-record.ts';
import { named, nullable } from '../base/schema/schemas.ts';
import { channelStates } from '../bench/channel-record.ts';
import { GatewaySummary } from '../gateway/instances/instance-summary.ts';
import { recorderStatusFields } from '../recording/recording-record.ts';
import { defineOperation } from './define.ts';

export const realtimeStates = ['off', 'active', 'refused'] as const;
export type RealtimeState = (typeof realtimeStates)[number];

export const ThreadHealth = named(
  'ThreadHealth',
  Type.Object({
    name: Type.Enum(['client', 'loader']),
    state: Type.Enum(['starting', 'running', 'restarting', 'stopped']),
    restarts: Type.Integer({ minimum: 0, description: 'Number of restarts after a crash' }),
    last_failure: nullable(Type.String(), { description: 'Reason for the last crash' }),
  }),
);

export const RecorderHealth = named(
  'RecorderHealth',
  Type.Object({
    name: Type.String({ description: 'Name of the recorder; logging is the one without a name' }),
    state: recorderStatusFields.state,
    frames: recorderStatusFields.frames,
    bytes: recorderStatusFields.bytes,
    gaps: recorderStatusFields.gaps,
    missed: recorderStatusFields.missed,
    error: nullable(ErrorCodeSchema, { description: 'Why it waits or has failed' }),
    field: nullable(Type.String(), { description: 'Setting that error is about' }),
    message: nullable(Type.String(), { description: 'Text of error' }),
  }),
);

export const Lateness = named('Lateness', {
  ...FineDurationRecord,
  description: 'Lateness of scheduled tasks, in whole microseconds',
});

const DaemonHealth = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  pid: Type.Integer(),
  uptime_us: Type.Integer({ minimum: 0 }),
  realtime: Type.Enum([...realtimeStates], {
    description: 'Whether real-time scheduling was requested and granted',
  }),
  threads: Type.Array(ThreadHealth),
  scheduler: Type.Object({
    tasks: Type.Integer({ minimum: 0 }),
    lateness_us: Lateness,
    last_minute_lateness_us: Lateness,
  }),
});

export const health = defineOperation({
  id: 'health',
  summary: 'Show the health of the daemon, the Web service and the channel brokers',
  result: named(
    'Health',
    Type.Object({
      status: Type.Enum(['ok', 'degraded'], { description: 'ok when every part is ok' }),
      time_us: Type.Integer({ description: 'Unix time of this response in microseconds' }),
      daemon: DaemonHealth,
      web: Type.Object({
        status: Type.Enum(['ok', 'degraded', 'stopped'], {
          description: 'degraded while the log cannot be written',
        }),
        listen: nullable(Type.String()),
        clients: Type.Integer({ minimum: 0, description: 'Open connections' }),
        requests: Type.Integer({ minimum: 0, description: 'Completed HTTP requests' }),
        log_records_dropped: Type.Integer({
          minimum: 0,
          description: 'Log records lost since the Web service started',
        }),
      }),
      broker: Type.Object({
        status: Type.Enum(['ok', 'degraded']),
        channels: Type.Integer({ minimum: 0, description: 'Open channels' }),
        impaired: Type.Array(
          Type.Object({ selector: Type.String(), state: Type.Enum([...channelStates]) }),
          { description: 'Channels that are bus off or have lost their device' },
        ),
      }),
      plugins: Type.Object({
        status: Type.Enum(['ok', 'degraded']),
        unresponsive: nullable(
          Type.Object({
            instance: Type.String({ description: 'Gateway instance' }),
            plugin: Type.String({ description: 'Plugin of its project' }),
          }),
          { description: 'A plugin call that does not return; the whole bench is blocked' },
        ),
      }),
      recording: Type.Object(
        { recorders: Type.Array(RecorderHealth) },
        { description: 'Logging and recorders; their state does not affect the service status' },
      ),
      gateway: Type.Object(
        { instances: Type.Array(GatewaySummary) },
        { description: 'Gateway instances; their health does not affect the service status' },
      ),
    }),
  ),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['health'] },
  http: { method: 'GET', path: '/api/v1/health', success: 200 },
});
