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

export const capabilities = defineOperation({
  id: 'capabilities',
  summary: 'Show transports, resources, limits and security defaults',
  result: named(
    'Capabilities',
    Type.Object({
      api: Type.String(),
      transports: Type.Array(Type.String(), { examples: [['http', 'sse', 'websocket']] }),
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
        channels: Type.Integer({ description: 'Channels open at once' }),
        history_capacity: Type.Integer(),
        history_page: Type.Integer({ description: 'Most events in one answer' }),
        databases: Type.Integer({ description: 'Databases loaded at once' }),
        gateway_instances: Type.Integer({
          description: 'Gateway and simulation instances, those included that are being loaded',
        }),
        gateway_file_bytes: Type.Integer({ description: 'Largest gateway project' }),
        gateway_budget_bytes: Type.Integer({ description: 'What all instances may be charged' }),
        gateway_row_bytes: Type.Integer({
          description: 'What a row of a project is charged beside the bytes of the file',
        }),
        gateway_task_page: Type.Integer({ description: 'Most gateway tasks in one answer' }),
        gateway_signal_page: Type.Integer({ description: 'Most gateway signals in one answer' }),
        gateway_graph_page: Type.Integer({
          description: 'Most nodes and edges of a gateway project in one answer',
        }),
        signal_plans: Type.Integer({ description: 'Decode plans active at once' }),
        tx_tasks: Type.Integer({ description: 'Transmit tasks, finished ones included' }),
        routes: Type.Integer({ description: 'Message routes' }),
        modbus_servers: Type.Integer({ description: 'Modbus servers at a time' }),
        sends: Type.Integer({ description: 'Sends under way at once' }),
        sample_page: Type.Integer({ description: 'Most samples in one answer' }),
        http_batch_us: Type.Integer({
          description: 'Longest that a batch sent over HTTP may last, in microseconds',
        }),
        jobs_running: Type.Integer(),
        jobs_kept: Type.Integer(),
      }),
      events: Type.Object({
        websocket_subprotocol: Type.String({ examples: [framesSubprotocol] }),
        statuses: Type.Record(Type.String(), Type.Integer(), {
          description: 'What the status of an event means, by name; 0 is good',
        }),
        error_count_bytes: Type.Integer({
          description:
            'Bytes of the count behind the dlc bytes of an error event in FRM2, big-endian: how many error frames it stands for. Without them it stands for one',
        }),
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
