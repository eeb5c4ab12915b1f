import type { Static, TProperties, TSchema } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { ArgumentsOf, Operation, Place } from './define.ts';
import { validateArguments } from './validate.ts';

/** Who calls and from where. Faces fill it in; operations never see sockets or requests. */
export interface Caller {
  readonly face: 'cli' | 'http';
  /** Directory of the Bench the caller chose, absolute; null where it did not choose. */
  readonly project: string | null;
}

/** One call of an operation. */
export interface Call<O extends Operation = Operation> {
  readonly arguments: ArgumentsOf<O>;
  /** Which arguments the caller gave, as opposed to those filled in from their defaults. */
  readonly given: ReadonlySet<string>;
  readonly caller: Caller;
}

export type Handler<P extends TProperties, R extends TSchema> = (
  call: Call<Operation<P, R>>,
) => Static<R> | Promise<Static<R>>;

type AnyHandler = (call: Call) => unknown;

/** Sends a call to the thread that carries it out. */
export type Forward = (operation: Operation, input: unknown, caller: Caller) => Promise<unknown>;

/**
 * Finds, checks and carries out operations in one thread: here when a handler is bound, else
 * through `forward` in the thread that the operation is declared for.
 */
export class Dispatcher {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #handlers = new Map<string, AnyHandler>();
  readonly #forwards = new Map<Place, Forward>();

  constructor(operations: readonly Operation[]) {
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
  }

  bind<P extends TProperties, R extends TSchema>(
    operation: Operation<P, R>,
    handler: Handler<P, R>,
  ): this {
    this.#handlers.set(operation.id, handler as unknown as AnyHandler);
    return this;
  }

  forwardTo(place: Place, forward: Forward): this {
    this.#forwards.set(place, forward);
    return this;
  }

  async invoke(id: string, input: unknown, caller: Caller): Promise<unknown> {
    const operation = this.#operations.get(id);
    if (!operation) {
      throw new BusbarError('operation_not_found', {
        message: `There is no operation ${id}`,
        details: { operation_id: id },
      });
    }
    validateArguments(operation, input);
    const handler = this.#handlers.get(id);
    if (handler) return handler(this.#callOf(operation, input as object, caller));
    const forward = this.#forwards.get(operation.execution.place);
    if (!forward) {
      throw new BusbarError('operation_not_found', {
        message: `${id} is not carried out by the daemon`,
        details: { operation_id: id },
      });
    }
    return forward(operation, input, caller);
  }

  #callOf(operation: Operation, input: object, caller: Caller): Call {
    const filled: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(operation.parameters.properties)) {
      if ('default' in schema) filled[name] = schema.default;
    }
    const values = Object.assign(filled, input) as Call['arguments'];
    return { arguments: values, given: new Set(Object.keys(input)), caller };
  }
}
