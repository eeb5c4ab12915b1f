import { Type } from 'typebox';
import { defineOperation, named, nullable } from './define.ts';
import { WebStatus } from './web.ts';

const VersionRecord = named(
  'Version',
  Type.Object({
    product: Type.String({ examples: ['Busbar'] }),
    version: Type.String({ description: 'Version of this build' }),
    contract: Type.String({ description: 'Release of the API contract it implements' }),
    api: Type.String({ description: 'Version of the HTTP API', examples: ['v1'] }),
  }),
);

export const version = defineOperation({
  id: 'version',
  summary: 'Tell which Busbar this is',
  result: VersionRecord,
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['version'] },
  http: { none: 'POST /api/v1/execute runs it' },
});

export const execute = defineOperation({
  id: 'execute',
  summary: 'Run the one operation that needs no resource of its own: version',
  description:
    'Takes a single operation name, never a command line. Everything else is done through the resource made for it.',
  parameters: {
    operation: Type.String({
      description: 'Name of the operation; only version is accepted',
      minLength: 1,
      maxLength: 256,
      examples: ['version'],
    }),
  },
  result: VersionRecord,
  errors: ['operation_not_allowed'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: { method: 'POST', path: '/api/v1/execute', success: 200 },
});

export const info = defineOperation({
  id: 'info',
  summary: 'Show product, build, API and service identity',
  result: named(
    'Info',
    Type.Object({
      product: Type.String(),
      version: Type.String(),
      contract: Type.String(),
      api: Type.String(),
      node: Type.String({ description: 'Version of the Node.js runtime' }),
      platform: Type.String({ examples: ['linux-x64'] }),
      service: Type.Object({
        instance_id: Type.String({ description: 'Changes with every daemon start' }),
        pid: Type.Integer(),
        started_at_us: Type.Integer({ description: 'Unix time in microseconds' }),
        project_root: Type.String({ description: 'Directory that client-named files must be in' }),
        stream_epoch: nullable(Type.Integer(), {
          description: 'Changes with every start of the Web service; null while it is stopped',
        }),
      }),
    }),
  ),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['info'] },
  http: { method: 'GET', path: '/api/v1/info', success: 200 },
});

export const ThreadHealth = named(
  'ThreadHealth',
  Type.Object({
    name: Type.Enum(['client', 'metronome', 'loader']),
    state: Type.Enum(['starting', 'running', 'restarting', 'stopped']),
    restarts: Type.Integer({ minimum: 0, description: 'Times it died and was started anew' }),
    last_failure: nullable(Type.String(), { description: 'How it last died' }),
  }),
);

const Lateness = named(
  'Lateness',
  Type.Object(
    {
      count: Type.Integer({ minimum: 0 }),
      p50: Type.Number({ minimum: 0 }),
      p99: Type.Number({ minimum: 0 }),
      max: Type.Number({ minimum: 0 }),
    },
    { description: 'How far behind their deadlines scheduled tasks ran, in microseconds' },
  ),
);

const DaemonHealth = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  pid: Type.Integer(),
  uptime_us: Type.Integer({ minimum: 0 }),
  realtime: Type.Enum(['off', 'active', 'refused'], {
    description: 'Whether real-time scheduling was asked for, and whether the system granted it',
  }),
  threads: Type.Array(ThreadHealth),
  scheduler: Type.Object({
    tasks: Type.Integer({ minimum: 0 }),
    lateness_us: Lateness,
  }),
});

export const health = defineOperation({
  id: 'health',
  summary: 'Show the health of the daemon, the Web service and the channel brokers',
  result: named(
    'Health',
    Type.Object({
      status: Type.Enum(['ok', 'degraded'], { description: 'ok when every part is' }),
      time_us: Type.Integer({ description: 'Unix time of this answer in microseconds' }),
      daemon: DaemonHealth,
      web: Type.Object({
        status: Type.Enum(['ok', 'degraded', 'stopped']),
        listen: nullable(Type.String()),
        clients: Type.Integer({ minimum: 0, description: 'Connections open now' }),
        requests: Type.Integer({ minimum: 0, description: 'HTTP requests completed so far' }),
        log_records_dropped: Type.Integer({
          minimum: 0,
          description: 'Diagnostic records that could not be written',
        }),
      }),
      broker: Type.Object({
        status: Type.Enum(['ok', 'degraded']),
        channels: Type.Integer({ minimum: 0, description: 'Channels open now' }),
      }),
    }),
  ),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['health'] },
  http: { method: 'GET', path: '/api/v1/health', success: 200 },
});

export const capabilities = defineOperation({
  id: 'capabilities',
  summary: 'Show transports, resources, limits and security defaults',
  result: named(
    'Capabilities',
    Type.Object({
      api: Type.String(),
      transports: Type.Array(Type.String(), { examples: [['http']] }),
      resources: Type.Array(
        Type.Object({
          path: Type.String(),
          methods: Type.Array(Type.String()),
        }),
      ),
      limits: Type.Object({
        request_body_bytes: Type.Integer(),
        response_bytes: Type.Integer(),
        header_bytes: Type.Integer(),
        json_depth: Type.Integer(),
        clients: Type.Integer(),
        sse_clients: Type.Integer(),
        websocket_clients: Type.Integer(),
        history_capacity: Type.Integer(),
        jobs_running: Type.Integer(),
        jobs_kept: Type.Integer(),
      }),
      security: Type.Object({
        default_listen: Type.String(),
        cors: Type.Boolean(),
        tls: Type.Boolean(),
        authentication: Type.Enum(['none', 'token'], {
          description: 'What this listener asks of API callers now',
        }),
        non_loopback_requires: Type.Array(Type.String()),
        content_security_policy: Type.String(),
      }),
    }),
  ),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['capabilities'] },
  http: { method: 'GET', path: '/api/v1/capabilities', success: 200 },
});

export const openapi = defineOperation({
  id: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the HTTP API',
  result: Type.Object(
    { openapi: Type.String({ examples: ['3.1.0'] }) },
    { additionalProperties: true, description: 'An OpenAPI 3.1 document' },
  ),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['openapi'] },
  http: { method: 'GET', path: '/api/v1/openapi.json', success: 200 },
});

export const metrics = defineOperation({
  id: 'metrics',
  summary: 'Print counters and gauges in the Prometheus text format',
  result: Type.String({ description: 'Prometheus text exposition format 0.0.4' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['metrics'] },
  http: {
    method: 'GET',
    path: '/metrics',
    success: 200,
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  },
});

const DemoRecord = Type.Object({
  url: Type.String({ description: 'Where the console is' }),
  web: WebStatus,
});

export const demo = defineOperation({
  id: 'demo',
  summary: 'Run the daemon and the console in this terminal until interrupted',
  description:
    'Starts a daemon in the foreground and its Web service on 127.0.0.1:8080, or on the next free port. Ctrl-C ends both.',
  parameters: {
    port: Type.Optional(
      Type.Integer({
        description: 'First port to try for the console; 0 takes any free one',
        minimum: 0,
        maximum: 65535,
        default: 8080,
        examples: [8080],
      }),
    ),
  },
  result: DemoRecord,
  errors: ['already_running', 'address_in_use', 'daemon_start_failed'],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['demo'] },
  http: { none: 'It owns the terminal it was started in' },
});
