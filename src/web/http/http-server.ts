import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock/clock.ts';
import { LoopTurns } from '../../base/clock/loop-turns.ts';
import { within } from '../../base/clock/within.ts';
import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import type { HostPort } from '../../base/net/host-port.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import type { Operation } from '../../operations/define.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { Guard } from '../auth/guard.ts';
import type { Token } from '../auth/token.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { StaticFiles } from '../static/static-files.ts';
import { checkHandshake } from '../ws/websocket-upgrade.ts';
import { BareRequest, errorOfParser } from './bare-socket.ts';
import { readBodyBytes } from './body-bytes.ts';
import { ClientLimit } from './client-limit.ts';
import { errorResponse } from './error-response.ts';
import type { EventStreams } from './event-streams.ts';
import { busbarErrorOf } from './framework-errors.ts';
import { readJsonBody } from './json-body.ts';
import { type PendingCalls, registerOperations } from './operation-routes.ts';
import { RequestGates } from './request-gate.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { checkBody, checkHost, checkNoBody, originForm, wantsWebSocket } from './request-rules.ts';
import { isProtectedPath, pathnameOf } from './request-target.ts';
import { RouteMap } from './route-map.ts';
import { securityHeaders } from './security-headers.ts';
import { answerStatic, checkStaticMethod } from './static-route.ts';
import { registerStreams, streamOperations, streamQuery } from './stream-routes.ts';

/** How long a client may take, in milliseconds. */
export interface HttpTimeouts {
  /** For all headers to arrive. */
  readonly headers: number;
  /** For the whole request to arrive. */
  readonly request: number;
  /** Between requests on one connection. */
  readonly keepAlive: number;
  /** Without any byte moving while a response is under way. */
  readonly idle: number;
}

/** How long answers that are still to be given may take when the service ends. */
const closeTimeoutMs = 2000;

export const defaultTimeouts: HttpTimeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 10_000,
  idle: 60_000,
};

export interface HttpServerOptions {
  readonly operations: readonly Operation[];
  readonly dispatcher: Dispatcher;
  readonly files: StaticFiles;
  readonly token: Token | null;
  readonly diagnostics: Diagnostics;
  readonly metrics: RequestMetrics;
  /** Left out where none of the operations is a stream. */
  readonly streams?: EventStreams;
  readonly clock: Clock;
  /** Shared with whatever else must not keep the thread from its clients. */
  readonly turns?: LoopTurns;
  readonly scratch?: ScratchPool;
  readonly clients?: number;
  readonly timeouts?: HttpTimeouts;
}

/**
 * Node leaves the connection of an upgrade or a tunnel to its listener, errors included: without one
 * they would end the thread.
 */
const tolerateErrors = (socket: Duplex): void => {
  socket.on('error', () => socket.destroy());
};

/** The route of console files in the log, beside the path templates of the operations. */
const fileRoute = '/*';

/** The path template that matched, in the table's spelling; null where none did. */
const patternOf = (request: FastifyRequest): string | null =>
  request.routeOptions?.config?.pattern ?? null;

/** The HTTP face: routes rendered from the operations table, console files, and nothing else. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #app: FastifyInstance;
  readonly #server: Server;
  readonly #clients: ClientLimit;
  readonly #gates: RequestGates;
  readonly #routes: RouteMap;
  readonly #startedUs = new WeakMap<FastifyRequest, number>();
  readonly #calls: PendingCalls;
  #guard: Guard | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#clients = new ClientLimit(options.clients ?? limits.clients);
    const turns = options.turns ?? new LoopTurns();
    this.#gates = new RequestGates(turns, options.clock);
    this.#routes = new RouteMap(options.operations);
    this.#server = this.#createServer(options.timeouts ?? defaultTimeouts);
    this.#app = this.#createApp();
    this.#addHooks();
    this.#calls = registerOperations(this.#app, options.operations, options.dispatcher, {
      turns,
      scratch: options.scratch ?? new ScratchPool(),
    });
    if (options.streams) {
      registerStreams(this.#app, options.operations, options.streams, (request, reply) =>
        this.#complete(request, reply),
      );
    }
    this.#app.setNotFoundHandler((request, reply) => this.#answerUnrouted(request, reply));
    this.#app.setErrorHandler((error, request, reply) => this.#answerError(error, request, reply));
    // Node would answer 417 without an envelope; an unknown expectation may be ignored.
    this.#server.on('checkExpectation', (request, response) =>
      this.#server.emit('request', request, response),
    );
    // A body that is too large anyway is refused before the client is asked to send it.
    this.#server.on('checkContinue', (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) <= limits.requestBodyBytes) {
        response.writeContinue();
      }
      this.#server.emit('request', request, response);
    });
    this.#server.on('upgrade', (request, socket, head) => {
      tolerateErrors(socket);
      this.#upgrade(request, socket, Buffer.concat([head, this.#gates.release(socket)]));
    });
    this.#server.on('connect', (request, socket) => {
      tolerateErrors(socket);
      this.#gates.release(socket);
      this.#refuseTunnel(request, socket);
    });
  }

  /** Starts to listen and answers the endpoint in use, with the port that the system chose for 0. */
  async listen({ host, port }: HostPort): Promise<HostPort> {
    // Before the first connection can be accepted, not after the framework is done.
    this.#server.once('listening', () => {
      this.#guard = new Guard(this.#options.token, this.#endpoint());
    });
    await this.#app.listen({ host, port });
    return this.#endpoint();
  }

  /**
   * Ends the service: calls under way are cancelled for the reason, and connections are closed when
   * the last answer has left. Until then the listener stays, because closing it would hang up on
   * clients that have not fetched all of their answer.
   */
  async close(reason: CancelReason = 'web_stopped'): Promise<void> {
    this.#gates.shut();
    this.#options.streams?.close();
    this.#calls.cancel(reason);
    await within(this.#options.clock, closeTimeoutMs, this.#calls.answered());
    const closed = this.#app.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get clients(): number {
    return this.#clients.clients;
  }

  #endpoint(): HostPort {
    const { address, port } = this.#server.address() as AddressInfo;
    return { host: address, port };
  }

  #createServer(timeouts: HttpTimeouts): Server {
    const server = createServer({
      maxHeaderSize: limits.headerBytes,
      // Node would refuse these without an envelope; `#admit` does it with one.
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    });
    server.timeout = timeouts.idle;
    // A client that has shut down its sending side still reads. Node's types do not know the setting.
    Object.assign(server, { httpAllowHalfOpen: true });
    this.#clients.watch(server);
    this.#gates.watch(server);
    return server;
  }

  #createApp(): FastifyInstance {
    const app = fastify({
      logger: false,
      requestIdHeader: false,
      genReqId: () => randomUUID(),
      serverFactory: (handler) => this.#server.on('request', handler),
      rewriteUrl: (request) => originForm(request.url ?? ''),
      routerOptions: { maxParamLength: 4096, querystringParser: () => ({}) },
      frameworkErrors: (error, request, reply) => {
        const path = pathnameOf(request.raw.url ?? '');
        this.#begin(request, reply);
        // The framework runs no hooks for these.
        reply.raw.once('close', () => this.#complete(request, reply));
        try {
          this.#admit(request, path);
        } catch (thrown) {
          return this.#answerError(thrown, request, reply);
        }
        const field = this.#routes.flawedParameterAt(path);
        const refused = field === null ? error : withField(field, busbarErrorOf(error));
        return this.#answerError(refused, request, reply);
      },
      clientErrorHandler: (error, socket) => this.#answerClientError(error.code, socket),
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, body: IncomingMessage) => {
      const bytes = await readBodyBytes(body, limits.requestBodyBytes);
      return readJsonBody(request.headers['content-type'], bytes, request.routeOptions.config.kept);
    });
    return app;
  }

  #addHooks(): void {
    this.#app.addHook('onRequest', async (request, reply) => {
      this.#begin(request, reply);
      const path = pathnameOf(request.raw.url ?? '');
      const pattern = patternOf(request);
      // Whether there is a file for any other path is known only when it has been looked up.
      if (pattern !== null) this.#logRoute(request, pattern);
      this.#admit(request, path);
      this.#checkRequest(request, path);
    });
    this.#app.addHook('onResponse', async (request, reply) => this.#complete(request, reply));
  }

  /** Who may ask at all. */
  #admit(request: FastifyRequest, path: string): void {
    this.#clients.check(request.raw.socket);
    checkHost(request.raw, request.originalUrl);
    const needsToken = patternOf(request) !== null || isProtectedPath(path);
    this.#guard?.check({ headers: request.headers, needsToken, upgrade: false });
  }

  /** What can be asked: said from the headers alone, before anything of a body is read. */
  #checkRequest(request: FastifyRequest, path: string): void {
    const { method } = request;
    const isRouted = patternOf(request) !== null && !this.#routes.forbids(method, path);
    if (!isRouted) this.#refuseUnrouted(method, path);
    checkBody(request.raw);
  }

  #refuseUnrouted(method: string, path: string): void {
    const allow = this.#routes.methodsAt(path);
    if (allow.length > 0) throw new BusbarError('method_not_allowed', { details: { allow } });
    if (isProtectedPath(path)) throw new BusbarError('endpoint_not_found');
    checkStaticMethod(method);
  }

  #complete(request: FastifyRequest, reply: FastifyReply): void {
    const { diagnostics, metrics, clock } = this.#options;
    const durationUs = clock.monotonicUs() - (this.#startedUs.get(request) ?? 0);
    metrics.completed(request.method, patternOf(request), reply.statusCode, durationUs);
    diagnostics.request({
      method: request.method,
      path: pathnameOf(request.raw.url ?? ''),
      status: reply.statusCode,
      durationUs,
      requestId: request.id,
    });
  }

  #begin(request: FastifyRequest, reply: FastifyReply): void {
    this.#startedUs.set(request, this.#options.clock.monotonicUs());
    if (!request.routeOptions?.config?.isStream) this.#calls.track(reply.raw);
    reply.headers(securityHeaders).header('x-request-id', request.id);
  }

  #logRoute(request: FastifyRequest, pattern: string | null): void {
    const path = pathnameOf(request.raw.url ?? '');
    const { method, id: requestId } = request;
    this.#options.diagnostics.route({ method, path, hit: pattern !== null, pattern, requestId });
  }

  #answerUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = pathnameOf(request.raw.url ?? '');
    const answer = answerStatic(this.#options.files, path, request, reply);
    this.#logRoute(request, fileRoute);
    return answer;
  }

  #answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = busbarErrorOf(thrown);
    const { diagnostics } = this.#options;
    if (patternOf(request) === null) this.#logRoute(request, null);
    diagnostics.errorDetail({ code: error.code, requestId: request.id });
    if (error.code === 'internal_error') diagnostics.runtimeError(error.cause ?? error);
    // Whatever a defect says of itself stays inside.
    const shown = error.code === 'internal_error' ? new BusbarError('internal_error') : error;
    const response = errorResponse(shown, request.id);
    // The rest of a body that was too large, or a client over the limit, is not waited for.
    if (error.code === 'payload_too_large' || error.code === 'too_many_clients') {
      reply.header('connection', 'close');
    }
    return reply.code(response.status).headers(response.headers).send(response.body);
  }

  #answerClientError(code: string | undefined, socket: Duplex): void {
    // A socket that was answered already, and hung up on, has nothing more to say.
    const error = socket.writable ? errorOfParser(code) : null;
    if (!error) {
      socket.destroy();
      return;
    }
    const request = new BareRequest(this.#options, { method: '-', path: '-', pattern: null });
    this.#refuse(socket, request, error);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (wantsWebSocket(request)) void this.#openWebSocket(request, socket, head);
    else this.#serveWithoutUpgrade(request, socket);
  }

  /** Clients such as curl offer HTTP/2 with every request; the offer is declined by not taking it. */
  #serveWithoutUpgrade(request: IncomingMessage, socket: Duplex): void {
    try {
      checkNoBody(request);
    } catch (thrown) {
      this.#refuse(socket, this.#bareRequest(request), BusbarError.from(thrown));
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => socket.end());
    this.#server.emit('request', request, response);
  }

  async #openWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { streams, operations } = this.#options;
    const target = originForm(request.url ?? '');
    const path = pathnameOf(target);
    const bare = this.#bareRequest(request);
    try {
      this.#clients.check(request.socket);
      checkHost(request, request.url ?? '');
      this.#guard?.check({ headers: request.headers, needsToken: true, upgrade: true });
      if (this.#routes.methodsAt(path).length === 0) throw new BusbarError('endpoint_not_found');
      const stream = streamOperations(operations).find(
        ({ http }) => http.transport === 'websocket' && http.path === path,
      );
      if (!stream || !streams) {
        throw new BusbarError('invalid_argument', { message: 'This path speaks no WebSocket' });
      }
      checkNoBody(request);
      checkHandshake(request);
      const query = streamQuery(stream, target);
      const headers = { ...securityHeaders, 'x-request-id': bare.id };
      await streams.openWebSocket(request, socket, head, query, headers);
      socket.once('close', () => bare.completed(101));
    } catch (thrown) {
      this.#refuse(socket, bare, BusbarError.from(thrown));
    }
  }

  #refuseTunnel(request: IncomingMessage, socket: Duplex): void {
    const error = new BusbarError('method_not_allowed', { details: { allow: [] } });
    const line = { method: request.method ?? '-', path: '-', pattern: null };
    this.#refuse(socket, new BareRequest(this.#options, line), error);
  }

  #bareRequest(request: IncomingMessage): BareRequest {
    const method = request.method ?? '-';
    const path = pathnameOf(originForm(request.url ?? ''));
    const pattern = this.#routes.patternOf(method, path);
    return new BareRequest(this.#options, { method, path, pattern });
  }

  #refuse(socket: Duplex, request: BareRequest, error: BusbarError): void {
    this.#clients.release(socket);
    request.refuse(socket, error);
  }
}
