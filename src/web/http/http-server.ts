import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import { within } from '../../base/clock/pause.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { HostPort } from '../../base/net/host-port.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import type { Operation } from '../../operations/define.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { Guard, type Token } from '../auth/guard.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { StaticFiles } from '../static/static-files.ts';
import { checkHandshake, selectSubprotocol } from '../ws/websocket-upgrade.ts';
import { Connections } from './connections.ts';
import type { EventStreams } from './event-streams.ts';
import {
  argumentsOf,
  checkBody,
  checkHost,
  checkNoBody,
  originForm,
  pathnameOf,
  readBody,
  streamQuery,
} from './request.ts';
import { type RequestMetrics, RequestRecord } from './request-metrics.ts';
import { answerBareSocket, errorResponse, securityHeaders, sendResult } from './response.ts';
import { isProtectedPath, type Route, Router } from './router.ts';

export interface HttpTimeouts {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Maximum time without transferred bytes during a response. */
  readonly idle: number;
}

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
  readonly streams?: EventStreams;
  readonly clock: Clock;
  readonly turns?: YieldQueue;
  readonly scratch?: ScratchPool;
  readonly clients?: number;
  readonly timeouts?: HttpTimeouts;
}

export const errorOfParser = (code: string | undefined): BusbarError | null => {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return null;
    case 'HPE_HEADER_OVERFLOW':
      return new BusbarError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new BusbarError('request_timeout');
    default:
      return new BusbarError('invalid_argument', { message: 'The request is not valid HTTP/1.1' });
  }
};

/** An upgraded connection needs an error listener; otherwise an error would end the thread. */
const tolerateErrors = (socket: Duplex): void => {
  socket.on('error', () => socket.destroy());
};

const fileRoute = '/*';

class PendingCalls {
  readonly #unanswered = new Map<ServerResponse, Promise<void>>();
  readonly #calls = new Set<AbortController>();
  #ended: CancelReason | null = null;

  track(response: ServerResponse): void {
    const answered = new Promise<void>((resolve) => {
      response.once('finish', resolve);
      response.once('close', resolve);
    });
    this.#unanswered.set(response, answered);
    void answered.then(() => this.#unanswered.delete(response));
  }

  async run(
    socket: Socket,
    leaving: AbortController,
    call: () => Promise<unknown>,
  ): Promise<unknown> {
    if (this.#ended !== null) leaving.abort(this.#ended);
    const { timeout } = socket;
    // A call can take longer than a client may be idle, but the response must be fetched in
    // time.
    socket.setTimeout(0);
    this.#calls.add(leaving);
    try {
      return await call();
    } finally {
      this.#calls.delete(leaving);
      socket.setTimeout(timeout ?? 0);
    }
  }

  cancel(reason: CancelReason): void {
    this.#ended = reason;
    for (const controller of this.#calls) controller.abort(reason);
  }

  /** Waits until every complete request is answered. Incomplete requests are not read further. */
  async answered(): Promise<void> {
    const arrived = [...this.#unanswered].filter(([{ req }]) => req.complete);
    for (const [response] of arrived) response.shouldKeepAlive = false;
    await Promise.all(arrived.map(([, answered]) => answered));
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
  readonly target: string;
  readonly headers: Record<string, string>;
}

/**
 * Serves operations at their declared paths, and console files.
 *
 *   connection ─▶ begin ─▶ admit ─▶ route ─▶ body ─▶ arguments ─▶ dispatcher ─▶ result
 *                            └────────┴────────┴─────────┴──────────────┴─▶ error
 */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #router: Router;
  readonly #turns: YieldQueue;
  readonly #scratch: ScratchPool;
  readonly #calls = new PendingCalls();
  #guard: Guard | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#turns = options.turns ?? new YieldQueue();
    this.#scratch = options.scratch ?? new ScratchPool();
    this.#router = new Router(options.operations);
    this.#connections = new Connections({
      limit: options.clients ?? limits.clients,
      turns: this.#turns,
      clock: options.clock,
    });
    this.#server = this.#createServer(options.timeouts ?? defaultTimeouts);
  }

  listen(address: HostPort): Promise<HostPort> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, () => {
        server.off('error', reject);
        const { address: host, port } = server.address() as AddressInfo;
        this.#guard = new Guard(this.#options.token, { host, port });
        resolve({ host, port });
      });
    });
  }

  /**
   * Shuts down: running calls are cancelled with the reason, and connections close after the
   * last response. The listener stays open until then, because closing it would disconnect
   * clients that are still reading.
   */
  async close(reason: CancelReason = 'web_stopped'): Promise<void> {
    this.#connections.shut();
    this.#options.streams?.close();
    this.#calls.cancel(reason);
    await within(this.#options.clock, closeTimeoutMs, this.#calls.answered());
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get clients(): number {
    return this.#connections.clients;
  }

  #createServer(timeouts: HttpTimeouts): Server {
    const server = createServer({
      maxHeaderSize: limits.headerBytes,
      // Node would reject these without an error envelope; `checkHost` does it with one.
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    });
    server.timeout = timeouts.idle;
    // A client that closed its sending side still reads. Node's types lack this setting.
    Object.assign(server, { httpAllowHalfOpen: true });
    this.#connections.watch(server);
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response);
    return (
      server
        .on('request', serve)
        // Node would respond 417 without an error envelope; an unknown expectation can be
        // ignored.
        .on('checkExpectation', (request, response) => server.emit('request', request, response))
        .on('checkContinue', (request, response) => {
          if (Number(request.headers['content-length'] ?? 0) <= limits.requestBodyBytes) {
            response.writeContinue();
          }
          server.emit('request', request, response);
        })
        .on('upgrade', (request, socket, head) => {
          tolerateErrors(socket);
          const received = Buffer.concat([head, this.#connections.detach(socket)]);
          // Clients such as curl offer HTTP/2 with every request. Ignoring the header declines
          // the offer.
          if (request.headers.upgrade?.toLowerCase() !== 'websocket')
            this.#decline(request, socket);
          else void this.#openWebSocket(request, socket, received);
        })
        .on('connect', (request, socket) => {
          tolerateErrors(socket);
          this.#connections.detach(socket);
          const line = { method: request.method ?? '-', path: '-', pattern: null };
          const error = new BusbarError('method_not_allowed', { details: { allow: [] } });
          this.#refuse(socket, new RequestRecord(this.#options, line), error);
        })
        .on('clientError', (thrown: NodeJS.ErrnoException, socket) => {
          // A socket that was answered and closed cannot be written.
          const error = socket.writable ? errorOfParser(thrown.code) : null;
          const line = { method: '-', path: '-', pattern: null };
          if (error) this.#refuse(socket, new RequestRecord(this.#options, line), error);
          else socket.destroy();
        })
    );
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = originForm(request);
    const path = pathnameOf(target);
    const method = request.method ?? '-';
    const { route, refusal } = this.#router.match(method, path);
    const pattern = route?.http.path ?? null;
    const record = new RequestRecord(this.#options, { method, path, pattern });
    const headers = { ...securityHeaders, 'x-request-id': record.id };
    const exchange: Exchange = { request, response, record, target, headers };
    response.once('finish', () => record.completed(response.statusCode));
    response.on('error', (thrown) => this.#options.diagnostics.runtimeError(thrown));
    if (route?.http.transport === undefined) this.#calls.track(response);
    try {
      if (route) record.routed();
      this.#admit(request, route !== null || isProtectedPath(path));
      if (refusal) throw refusal;
      checkBody(request);
      if (!route) this.#answerFile(exchange, path);
      else if (route.http.transport) await this.#openStream(exchange, route);
      else await this.#answerOperation(exchange, route);
    } catch (thrown) {
      // Node's parser runs first: it can reject the bytes that follow the head in the same
      // chunk.
      await null;
      this.#answerError(exchange, thrown);
    }
  }

  #admit(request: IncomingMessage, needsToken: boolean, upgrade = false): void {
    this.#connections.checkLimit(request.socket);
    checkHost(request);
    this.#guard?.check({ headers: request.headers, needsToken, upgrade });
  }

  #answerFile({ request, response, record, headers }: Exchange, path: string): void {
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const answer = this.#options.files.lookup(path, request.headers, method);
    record.routed(fileRoute);
    response.writeHead(answer.status, { ...headers, ...answer.headers }).end(answer.body);
  }

  async #answerOperation(exchange: Exchange, { operation, http, params }: Route): Promise<void> {
    const { request, response, headers, target } = exchange;
    const body = await readBody(request, operation.kept, () => {
      headers.connection = 'close';
    });
    const values = argumentsOf(operation, http, { target, params, body });
    const leaving = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) leaving.abort();
    });
    const caller: Caller = { face: 'http', project: null, signal: leaving.signal };
    const invoke = () => this.#options.dispatcher.invoke(operation.id, values, caller);
    const result = await (operation.permission === 'observe'
      ? invoke()
      : this.#calls.run(request.socket, leaving, invoke));
    sendResult(response, http, result, headers, { turns: this.#turns, scratch: this.#scratch });
  }

  async #openStream(exchange: Exchange, { operation, http, params }: Route): Promise<void> {
    const { request, response, record, headers, target } = exchange;
    if (http.transport === 'websocket') {
      selectSubprotocol(request.headers['sec-websocket-protocol']);
      throw invalidArgument('upgrade', 'This path accepts WebSocket connections only');
    }
    const query = streamQuery(operation, http, target, params);
    const { streams } = this.#options;
    if (!streams) throw new BusbarError('internal_error');
    await streams.openSse(operation.id, request, response, query, headers);
    response.once('close', () => {
      if (!response.writableFinished) record.completed(response.statusCode);
    });
  }

  #answerError({ response, record, headers }: Exchange, thrown: unknown): void {
    const error = record.failed(thrown);
    const { status, headers: own, body } = errorResponse(error, record.id);
    // The rest of an oversized body, or of a request over the client limit, is not read.
    if (error.code === 'payload_too_large' || error.code === 'too_many_clients') {
      headers.connection = 'close';
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const length = Buffer.byteLength(body);
    response.writeHead(status, { ...headers, ...own, 'content-length': length }).end(body);
  }

  #decline(request: IncomingMessage, socket: Duplex): void {
    try {
      checkNoBody(request);
    } catch (thrown) {
      this.#refuse(socket, this.#recordOf(request), thrown);
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => socket.end());
    this.#server.emit('request', request, response);
  }

  async #openWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const record = this.#recordOf(request);
    const target = originForm(request);
    const path = pathnameOf(target);
    record.routed();
    try {
      this.#admit(request, true, true);
      if (this.#router.methodsAt(path).length === 0) throw new BusbarError('endpoint_not_found');
      const { route } = this.#router.match('GET', path);
      const { streams } = this.#options;
      if (route?.http.transport !== 'websocket' || !streams) {
        throw new BusbarError('invalid_argument', {
          message: 'This path does not support WebSocket',
        });
      }
      checkNoBody(request);
      checkHandshake(request);
      const query = streamQuery(route.operation, route.http, target, route.params);
      const headers = { ...securityHeaders, 'x-request-id': record.id };
      await streams.openWebSocket(request, socket, head, query, headers);
      socket.once('close', () => record.completed(101));
    } catch (thrown) {
      this.#refuse(socket, record, thrown);
    }
  }

  #recordOf(request: IncomingMessage): RequestRecord {
    const method = request.method ?? '-';
    const path = pathnameOf(originForm(request));
    const pattern = this.#router.match(method, path).route?.http.path ?? null;
    return new RequestRecord(this.#options, { method, path, pattern });
  }

  #refuse(socket: Duplex, record: RequestRecord, thrown: unknown): void {
    const error = record.failed(thrown);
    this.#connections.leave(socket);
    answerBareSocket(socket, errorResponse(error, record.id), () =>
      record.completed(error.row.status),
    );
  }
}
