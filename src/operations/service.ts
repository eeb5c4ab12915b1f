import { Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import { framesSubprotocol } from '../frame/frames-subprotocol.ts';
import { defineOperation } from './define.ts';
import { versionFields } from './version.ts';

export const info = defineOperation({
  id: 'info',
  summary: 'Show product, build, API and service identity',
  result: named(
    'Info',
    Type.Object({
      ...versionFields,
      node: Type.String({ description: 'Node.js version' }),
      platform: Type.String({ examples: ['linux-x64'] }),
      service: Type.Object({
        instance_id: Type.String({ description: 'Changes at every daemon start' }),
        pid: Type.Integer(),
        started_at_us: Type.Integer({ description: 'Unix time in microseconds' }),
        project_root: Type.String({
          description: 'Project directory: files named by clients must be inside it',
        }),
        stream_epoch: nullable(Type.Integer(), {
          description: 'Changes at every start of the Web service; null while stopped',
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

export const capabilities = defineOperation({
  id: 'capabilities',
  summary: 'Show transports, resources, limits and security defaults',
  result: named(
    'Capabilities',
    Type.Object({
      api: Type.String(),
      transports: Type.Array(Type.String(), { examples: [['http', 'sse', 'websocket']] }),
      resources: Type.Array(
        Type.Object({ path: Type.String(), methods: Type.Array(Type.String()) }),
      ),
      limits: Type.Object({
        request_body_bytes: Type.Integer(),
        response_bytes: Type.Integer(),
        header_bytes: Type.Integer(),
        json_depth: Type.Integer(),
        clients: Type.Integer(),
        sse_clients: Type.Integer(),
        websocket_clients: Type.Integer(),
        channels: Type.Integer({ description: 'Maximum number of open channels' }),
        history_capacity: Type.Integer(),
        history_page: Type.Integer({ description: 'Maximum number of events in one response' }),
        databases: Type.Integer({ description: 'Maximum number of loaded databases' }),
        gateway_instances: Type.Integer({
          description:
            'Maximum number of gateway and simulation instances, including those being loaded',
        }),
        gateway_file_bytes: Type.Integer({ description: 'Maximum size of a gateway project' }),
        gateway_budget_bytes: Type.Integer({ description: 'Memory budget of all instances' }),
        gateway_row_bytes: Type.Integer({
          description: 'Memory budget of a project row, in addition to the bytes of the file',
        }),
        gateway_task_page: Type.Integer({
          description: 'Maximum number of gateway tasks in one response',
        }),
        gateway_signal_page: Type.Integer({
          description: 'Maximum number of gateway signals in one response',
        }),
        gateway_graph_page: Type.Integer({
          description: 'Maximum number of nodes and edges of a gateway project in one response',
        }),
        signal_plans: Type.Integer({ description: 'Maximum number of active signal plans' }),
        tx_tasks: Type.Integer({
          description: 'Maximum number of transmit tasks, including finished ones',
        }),
        routes: Type.Integer({ description: 'Maximum number of routes' }),
        modbus_servers: Type.Integer({ description: 'Maximum number of Modbus servers' }),
        sends: Type.Integer({ description: 'Maximum number of concurrent sends' }),
        sample_page: Type.Integer({ description: 'Maximum number of samples in one response' }),
        http_batch_us: Type.Integer({
          description: 'Maximum duration of a batch sent over HTTP, in microseconds',
        }),
        jobs_running: Type.Integer(),
        jobs_kept: Type.Integer(),
      }),
      events: Type.Object({
        websocket_subprotocol: Type.String({ examples: [framesSubprotocol] }),
        statuses: Type.Record(Type.String(), Type.Integer(), {
          description: 'Event status values by name; 0 is good',
        }),
        error_count_bytes: Type.Integer({
          description:
            'Size of the big-endian count that follows the dlc bytes of an error event in FRM2: the number of error frames that it represents. Without a count, it represents one',
        }),
      }),
      security: Type.Object({
        default_listen: Type.String(),
        cors: Type.Boolean(),
        tls: Type.Boolean(),
        authentication: Type.Enum(['none', 'token'], {
          description: 'Authentication that this listener currently requires',
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
