import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { SlicedJson } from '../../base/json/sliced-json.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import { type HttpBinding, hasHttp, type Operation } from '../../operations/define.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { argumentsOf } from './operation-arguments.ts';
import { plainHeaders } from './plain-headers.ts';
import { routerPath } from './route-map.ts';

/** What all answers in slices share. */
interface SlicedAnswerOptions {
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
}

/**
 * Sends the body of an answer whose headers are set, each slice in a turn of its own and not before
 * the system has taken the last one: a client that does not read holds one slice, not the page.
 */
export const sendSlices = (
  response: ServerResponse,
  json: SlicedJson,
  { turns, scratch: pool }: SlicedAnswerOptions,
): void => {
  const writeNext = (): void => {
    if (response.destroyed) return;
    const scratch = pool.take();
    const length = json.writeInto(scratch);
    if (length === 0) {
      pool.giveBack(scratch);
      response.end();
      return;
    }
    response.write(scratch.bytes.subarray(0, length), (error) => {
      if (error) return;
      pool.giveBack(scratch);
      turns.take(writeNext);
    });
  };
  const prepare = (): void => {
    if (response.destroyed) return;
    if (json.prepare()) writeNext();
    else turns.take(prepare);
  };
  if (response.destroyed) json.close();
  else response.once('close', () => json.close());
  turns.take(prepare);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path as the operations table spells it; absent on what is not an operation. */
    pattern?: string;
    /** Whether the answer goes on until the stream is ended. */
    isStream?: boolean;
    /** Fields of the body that every failure keeps. */
    kept?: readonly string[];
  }
}

/** A caller whose signal is aborted when it has left before its answer was out. */
const callerOf = (reply: FastifyReply, leaving = new AbortController()): Caller => {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort();
  });
  return { face: 'http', project: null, signal: leaving.signal };
};

/** Requests that are not answered yet, and the calls among them that act on the bench. */
export class PendingCalls {
  /** Responses that have not left yet, each with a promise that it has. */
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

  /** Carries out a call that is cancelled when its client leaves or the service ends. */
  async run(reply: FastifyReply, carryOut: (caller: Caller) => Promise<unknown>): Promise<unknown> {
    const controller = new AbortController();
    if (this.#ended !== null) controller.abort(this.#ended);
    const { socket } = reply.request.raw;
    const { timeout } = socket;
    // What it asks for may take longer than a client may be silent otherwise; fetching the answer
    // may not.
    socket.setTimeout(0);
    this.#calls.add(controller);
    try {
      return await carryOut(callerOf(reply, controller));
    } finally {
      this.#calls.delete(controller);
      socket.setTimeout(timeout ?? 0);
    }
  }

  /** Cancels all calls, also those whose requests have arrived and are still being read. */
  cancel(reason: CancelReason): void {
    this.#ended = reason;
    for (const controller of this.#calls) controller.abort(reason);
  }

  /** Until every request that has arrived as a whole is answered; the rest of others is not read. */
  async answered(): Promise<void> {
    const arrived = [...this.#unanswered].filter(([{ req }]) => req.complete);
    for (const [response] of arrived) response.shouldKeepAlive = false;
    await Promise.all(arrived.map(([, answered]) => answered));
  }
}

const bytesOf = (result: unknown, { mediaType }: HttpBinding): Uint8Array => {
  if (result instanceof JsonText) return result.bytes;
  const text = mediaType === undefined ? stringifyJson(result) : String(result);
  return Buffer.from(text);
};

const checkedBytes = (result: unknown, binding: HttpBinding): Uint8Array => {
  const bytes = bytesOf(result, binding);
  if (bytes.length <= limits.responseBytes) return bytes;
  throw new BusbarError('response_too_large', { details: { limit: limits.responseBytes } });
};

const sendResult = (
  reply: FastifyReply,
  binding: HttpBinding,
  result: unknown,
  slicing: SlicedAnswerOptions,
): FastifyReply => {
  reply
    .code(binding.success)
    .header('content-type', binding.mediaType ?? 'application/json; charset=utf-8')
    .header('cache-control', 'no-store');
  if (!(result instanceof SlicedJson)) return reply.send(checkedBytes(result, binding));
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, plainHeaders(reply));
  sendSlices(reply.raw, result, slicing);
  return reply;
};

/** Serves every operation that has an HTTP binding, each at the path it declares. */
export const registerOperations = (
  app: FastifyInstance,
  operations: readonly Operation[],
  dispatcher: Dispatcher,
  slicing: SlicedAnswerOptions,
): PendingCalls => {
  const pending = new PendingCalls();
  for (const operation of operations) {
    const { http } = operation;
    if (!hasHttp(http) || http.transport !== undefined) continue;
    app.route({
      method: http.method,
      url: routerPath(http.path),
      config: { pattern: http.path, ...(operation.kept ? { kept: operation.kept } : {}) },
      handler: async (request, reply) => {
        const values = argumentsOf(operation, http, {
          target: request.raw.url ?? '',
          params: request.params as Record<string, string>,
          body: request.body,
        });
        const invoke = (caller: Caller) => dispatcher.invoke(operation.id, values, caller);
        const isObserving = operation.permission === 'observe';
        const answer = isObserving ? invoke(callerOf(reply)) : pending.run(reply, invoke);
        return sendResult(reply, http, await answer, slicing);
      },
    });
  }
  return pending;
};
