import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import { channelOpen } from './channel.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { Lateness, realtimeStates, ThreadHealth } from './health.ts';

export const DaemonStatus = named(
  'DaemonStatus',
  Type.Object({
    state: Type.Enum(['running', 'stopped']),
    pid: nullable(Type.Integer()),
    version: nullable(Type.String()),
    home: Type.String({ description: 'Directory that contains the daemon’s socket, lock and log' }),
    project_root: nullable(Type.String(), {
      description:
        'Project directory, where the daemon was started; files named by clients must be inside it',
    }),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    realtime: nullable(Type.Enum([...realtimeStates])),
    last_minute_lateness_us: nullable(Lateness),
    web: nullable(Type.Enum(['running', 'stopped'])),
    threads: Type.Array(ThreadHealth),
  }),
);
export type DaemonStatus = Static<typeof DaemonStatus>;

const local = { none: 'The daemon can only be started and stopped on its own machine' };

export const daemonStart = defineOperation({
  id: 'daemon.start',
  summary: 'Start the daemon in the current directory',
  description:
    'The current directory becomes the project directory: files named by clients must be inside it. There is one daemon per user and BUSBAR_HOME.',
  parameters: {
    channel: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        description:
          'Channel to open at startup, with its settings: <selector>[,key=value…], with the keys of channel open',
        maxItems: 64,
        examples: [['SIM00001/0,bitrate=500k']],
      }),
    ),
    foreground: withDefault(
      Type.Boolean({ description: 'Run in the foreground, for service managers' }),
      false,
    ),
    realtime: withDefault(
      Type.Boolean({ description: 'Request real-time scheduling for bus deadlines' }),
      false,
    ),
  },
  result: DaemonStatus,
  errors: ['already_running', 'daemon_start_failed', 'daemon_unreachable', ...channelOpen.errors],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['daemon', 'start'] },
  http: local,
  examples: [
    'busbar daemon start',
    'busbar daemon start --channel=SIM00001/0 --channel=SIM00001/4,lin.role=master',
    'busbar daemon start --foreground --realtime',
  ],
});

export const daemonStatus = defineOperation({
  id: 'daemon.status',
  summary: 'Show whether a daemon is running, and the state of its threads',
  result: DaemonStatus,
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'optional', streaming: false },
  cli: { words: ['daemon', 'status'] },
  http: local,
});

export const daemonStop = defineOperation({
  id: 'daemon.stop',
  summary: 'Stop the daemon and everything that it runs',
  result: DaemonStatus,
  errors: [],
  permission: 'administer',
  execution: { place: 'client', daemon: 'optional', streaming: false },
  cli: { words: ['daemon', 'stop'] },
  http: local,
});
