import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { defaultsOf } from '../../operations/defaults.ts';
import { type HttpBinding, hasHttp, type Operation } from '../../operations/define.ts';
import { checkArguments } from '../../operations/validate.ts';
import { selectSubprotocol } from '../ws/subprotocols.ts';
import type { EventStreams } from './event-streams.ts';
import { argumentsOf } from './operation-arguments.ts';
import { plainHeaders } from './plain-headers.ts';
import { routerPath } from './route-map.ts';

interface StreamOperation {
  readonly operation: Operation;
  readonly http: HttpBinding;
}

export const streamOperations = (operations: readonly Operation[]): readonly StreamOperation[] =>
  operations.flatMap((operation) => {
    const { http } = operation;
    return hasHttp(http) && http.transport !== undefined ? [{ operation, http }] : [];
  });

/** What path and query of a request ask of a stream. */
export const streamQuery = (
  { operation, http }: StreamOperation,
  target: string,
  params: Readonly<Record<string, string>> = {},
): object => {
  const values = argumentsOf(operation, http, { target, params, body: undefined });
  checkArguments(operation, values, 'http');
  return { ...defaultsOf(operation.parameters), ...values };
};

/** Serves the streams of events: server-sent ones here, WebSockets by their upgrade. */
export const registerStreams = (
  app: FastifyInstance,
  operations: readonly Operation[],
  streams: EventStreams,
  onAbandoned: (request: FastifyRequest, reply: FastifyReply) => void,
): void => {
  const handlers = {
    sse: async (stream: StreamOperation, request: FastifyRequest, reply: FastifyReply) => {
      const params = request.params as Readonly<Record<string, string>>;
      const query = streamQuery(stream, request.raw.url ?? '', params);
      const headers = plainHeaders(reply);
      await streams.openSse(stream.operation.id, request.raw, reply.raw, query, headers);
      reply.hijack();
      // The framework tells of answers that were finished; most streams are left before that.
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) onAbandoned(request, reply);
      });
    },
    websocket: async (_stream: StreamOperation, request: FastifyRequest) => {
      selectSubprotocol(request.headers['sec-websocket-protocol']);
      throw invalidArgument('upgrade', 'This path speaks WebSocket only');
    },
  };
  for (const stream of streamOperations(operations)) {
    const { method, path, transport } = stream.http;
    if (transport === undefined) continue;
    app.route({
      method,
      url: routerPath(path),
      exposeHeadRoute: false,
      config: { pattern: path, isStream: true },
      handler: (request, reply) => handlers[transport](stream, request, reply),
    });
  }
};
