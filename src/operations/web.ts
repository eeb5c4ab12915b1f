import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { defaultListen, defaultLogLevel, historyCapacity, logLevels } from './limits.ts';

export const WebStatus = named(
  'WebStatus',
  Type.Object({
    state: Type.Enum(['running', 'stopped']),
    default_listen: Type.String({ description: 'Default listen address' }),
    listen_source: Type.Enum(['effective', 'default'], {
      description: 'Whether listen is the active endpoint or the next default',
    }),
    listen: Type.String({
      description: 'Active endpoint; while stopped, that of the next web start without --listen',
    }),
    configured_listen: nullable(Type.String(), {
      description:
        'Active endpoint while running; while stopped, the --listen value of the last successful start that had one, or null',
    }),
    effective_listen: nullable(Type.String(), {
      description: 'Active endpoint; null while stopped',
    }),
    log_level: Type.Enum([...logLevels], { description: 'Current or last log level' }),
    log_destination: Type.String({
      description: 'stderr or the absolute path of the log file; while stopped, the last one',
    }),
    url: nullable(Type.String(), { description: 'URL of the console; null while stopped' }),
    web_root: nullable(Type.String(), { description: 'Directory that the console is served from' }),
    authentication: nullable(Type.Enum(['none', 'token']), {
      description: 'Authentication required of API callers; null while stopped',
    }),
    history_capacity: nullable(Type.Integer(), {
      description: 'Events per channel that clients can go back; null while stopped',
    }),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    stream_epoch: nullable(Type.Integer(), {
      description: 'Changes at every start of the Web service',
    }),
  }),
);
export type WebStatus = Static<typeof WebStatus>;

const port = '(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5]?[0-9]{1,4})';
const hostPortPattern = `^(\\[[0-9A-Fa-f:.]+\\]|[^\\[\\]:\\s/]+):${port}$`;

const local = { none: 'The Web service cannot control its own listener; use the CLI' };

export const webStart = defineOperation({
  id: 'web.start',
  summary: 'Start the Web service, and the daemon if it is not running',
  parameters: {
    listen: withDefault(
      Type.String({
        description:
          'Host and port to listen on. A non-loopback address also needs a token and --allow-insecure-http',
        minLength: 1,
        maxLength: 300,
        pattern: hostPortPattern,
        'x-form': '<host>:<port>, with IPv6 hosts in brackets and a port up to 65535',
        examples: ['127.0.0.1:8080', '[::1]:0'],
      }),
      defaultListen,
    ),
    web_root: Type.Optional(
      Type.String({
        description:
          'Directory with console files inside the daemon’s working directory, instead of the packaged console',
        minLength: 1,
        maxLength: 4096,
        examples: ['my-console'],
      }),
    ),
    token: Type.Optional(
      Type.String({
        description: 'Bearer token that API callers must send; visible ASCII without spaces',
        minLength: 1,
        maxLength: 512,
        pattern: '^[!-~]+$',
        'x-form': 'visible ASCII without spaces',
        examples: ['a-long-random-secret'],
      }),
    ),
    token_file: Type.Optional(
      Type.String({
        description:
          'File with the token on a single line, instead of --token, which other users can see in the process list. Other users must not have access to the file. The environment variable BUSBAR_TOKEN is an alternative; give only one of the three',
        minLength: 1,
        maxLength: 4096,
        examples: ['/etc/busbar/token'],
      }),
    ),
    allow_insecure_http: withDefault(
      Type.Boolean({ description: 'Acknowledge that a non-loopback listener is not encrypted' }),
      false,
    ),
    history_capacity: withDefault(
      Type.Integer({
        description: 'Events per channel retained for history and streams',
        minimum: historyCapacity.minimum,
        maximum: historyCapacity.maximum,
        examples: [historyCapacity.default],
      }),
      historyCapacity.default,
    ),
    log_level: withDefault(
      Type.Enum([...logLevels], {
        description: 'Level of detail of the diagnostic log',
        examples: ['debug'],
      }),
      defaultLogLevel,
    ),
    log_file: Type.Optional(
      Type.String({
        description:
          'File to append the diagnostic log to, instead of stderr; a relative path starts at the daemon’s working directory',
        minLength: 1,
        maxLength: 4096,
        examples: ['/var/log/busbar-web.log'],
      }),
    ),
  },
  result: WebStatus,
  errors: [
    'already_running',
    'address_in_use',
    'listen_failed',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
  ],
  permission: 'administer',
  execution: { place: 'client', daemon: 'start', streaming: false },
  cli: { words: ['web', 'start'], callerPaths: ['web_root', 'token_file'], local: ['token_file'] },
  http: local,
  examples: [
    'busbar web start',
    'busbar web start --listen=127.0.0.1:0 --format=json',
    'busbar web start --listen=0.0.0.0:8080 --token-file=/etc/busbar/token --allow-insecure-http',
  ],
});

export const webStatus = defineOperation({
  id: 'web.status',
  summary: 'Show whether the Web service is running, and where',
  result: WebStatus,
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'optional', streaming: false },
  cli: { words: ['web', 'status'] },
  http: local,
});

export const webStop = defineOperation({
  id: 'web.stop',
  summary: 'Stop the Web service; the daemon keeps running',
  result: WebStatus,
  errors: [],
  permission: 'administer',
  execution: { place: 'client', daemon: 'optional', streaming: false },
  cli: { words: ['web', 'stop'] },
  http: local,
});
