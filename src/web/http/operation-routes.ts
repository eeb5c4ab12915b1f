import type { FastifyInstance, FastifyReply } from 'fastify';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type HttpBinding, hasHttp, type Operation } from '../../operations/define.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { argumentsOf } from './operation-arguments.ts';
import { routerPath } from './route-map.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path as the operations table spells it; absent on what is not an operation. */
    pattern?: string;
    /** Fields of the body that every failure keeps. */
    kept?: readonly string[];
  }
}

const anyone: Caller = { face: 'http', project: null };

/** Calls that act on the bench and can be cancelled, until their answers are out. */
export class CallsUnderWay {
  readonly #calls = new Map<AbortController, Promise<void>>();

  /** A caller whose signal is aborted when nobody waits for this answer any longer. */
  callerFor(reply: FastifyReply): Caller {
    const controller = new AbortController();
    // What it asks for may take longer than a client may be silent otherwise.
    reply.request.raw.socket.setTimeout(0);
    const answered = new Promise<void>((resolve) => {
      reply.raw.once('finish', resolve);
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) controller.abort();
        resolve();
      });
    });
    this.#calls.set(controller, answered);
    void answered.then(() => this.#calls.delete(controller));
    return { ...anyone, signal: controller.signal };
  }

  cancel(): void {
    for (const controller of this.#calls.keys()) controller.abort();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#calls.values());
  }
}

const sendResult = (reply: FastifyReply, binding: HttpBinding, result: unknown): FastifyReply => {
  const text = binding.mediaType === undefined ? stringifyJson(result) : String(result);
  const body = Buffer.from(text);
  if (body.length > limits.responseBytes) {
    throw new BusbarError('response_too_large', { details: { limit: limits.responseBytes } });
  }
  return reply
    .code(binding.success)
    .header('content-type', binding.mediaType ?? 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(body);
};

/** Serves every operation that has an HTTP binding, each at the path it declares. */
export const registerOperations = (
  app: FastifyInstance,
  operations: readonly Operation[],
  dispatcher: Dispatcher,
): CallsUnderWay => {
  const underWay = new CallsUnderWay();
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
        const caller = operation.permission === 'observe' ? anyone : underWay.callerFor(reply);
        return sendResult(reply, http, await dispatcher.invoke(operation.id, values, caller));
      },
    });
  }
  return underWay;
};
