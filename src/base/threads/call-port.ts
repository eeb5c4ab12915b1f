import { BusbarError, type ErrorRecord } from '../errors/busbar-error.ts';

/** As much of a Worker or MessagePort as calls between threads need. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: Node's own listeners take anything
  on(event: string, listener: (message: any) => void): unknown;
}

/** Functions that one thread offers to another. Arguments and results are clones, unless `moving`. */
// biome-ignore lint/suspicious/noExplicitAny: each offer narrows this to its own signatures
export type Offer = Record<string, (...values: any[]) => unknown>;

/** The other thread's functions as this one sees them: the same, but answers take time. */
export type Remote<O extends Offer> = {
  readonly [Name in keyof O]: (
    ...values: Parameters<O[Name]>
  ) => Promise<Awaited<ReturnType<O[Name]>>>;
};

const moved = new WeakMap<object, readonly ArrayBuffer[]>();

/**
 * An argument or result whose buffers change hands instead of being copied. This side has nothing
 * left in them once the value is on its way.
 */
export const moving = <Value extends object>(
  value: Value,
  buffers: readonly ArrayBuffer[],
): Value => {
  moved.set(value, buffers);
  return value;
};

const buffersOf = (value: unknown): readonly ArrayBuffer[] =>
  (typeof value === 'object' && value !== null && moved.get(value)) || [];

type Message =
  | {
      readonly call: number;
      readonly name: string;
      readonly values: readonly unknown[];
      /** Only in the first call. */
      readonly givenUp?: Int32Array;
    }
  | { readonly answer: number; readonly result: unknown }
  | { readonly answer: number; readonly error: ErrorRecord };

/** More than there are calls under way: a call whose cell another one has taken is begun all the same. */
const givenUpCells = 1024;
const cellOf = (id: number): number => id % givenUpCells;

/** How calls are treated while the other thread does not answer. */
export interface Interruption {
  /** Names of calls that are sent, for when it answers again. */
  readonly delivered?: readonly string[];
  /** Names of calls that go on waiting. */
  readonly patient?: readonly string[];
  /** Whether the thread answers again, although `resume` was not called yet. */
  readonly isOver?: () => boolean;
}

interface Waiter {
  readonly name: string;
  resolve(result: unknown): void;
  reject(error: BusbarError): void;
}

/** Calls in both directions over one port. Errors cross as records and come out as they were. */
export class CallPort<Theirs extends Offer> {
  readonly remote: Remote<Theirs>;
  readonly #port: Port;
  readonly #offer: Offer;
  readonly #waiters = new Map<number, Waiter>();
  readonly #onDefect: (thrown: unknown) => void;
  /** Calls that were given up, each in the cell of its id: the other thread does not begin them any more. */
  readonly #givenUp = new Int32Array(new SharedArrayBuffer(4 * givenUpCells));
  /** The same for calls of the other thread; it comes with the first of them. */
  #givenUpByOther: Int32Array | undefined;
  #nextId = 1;
  #broken: BusbarError | undefined;
  #interruption: (Interruption & { readonly error: BusbarError }) | undefined;

  constructor(port: Port, offer: Offer, onDefect: (thrown: unknown) => void) {
    this.#port = port;
    this.#offer = offer;
    this.#onDefect = onDefect;
    this.remote = new Proxy({} as Remote<Theirs>, {
      get: (_, name) => {
        // Else a promise of it would take it for another promise.
        if (name === 'then') return undefined;
        return (...values: unknown[]) => this.#call(String(name), values);
      },
    });
    port.on('message', (message: Message) => this.#receive(message));
  }

  /** The other thread is gone: calls that wait for it fail. */
  break(): void {
    this.#broken = new BusbarError('internal_error', {
      message: 'A thread of the daemon ended before it answered',
    });
    for (const waiter of this.#waiters.values()) waiter.reject(this.#broken);
    this.#waiters.clear();
  }

  /**
   * The other thread does not answer for now: calls that wait for it fail, and so do new ones, which are not sent. Calls
   * that it has not begun have no effect later.
   */
  interrupt(error: BusbarError, how: Interruption = {}): void {
    this.#interruption = { ...how, error };
    for (const [id, waiter] of this.#waiters) {
      if (how.patient?.includes(waiter.name)) continue;
      if (!how.delivered?.includes(waiter.name)) Atomics.store(this.#givenUp, cellOf(id), id);
      waiter.reject(error);
      this.#waiters.delete(id);
    }
  }

  /** The other thread answers again. Answers to calls that have failed are passed over. */
  resume(): void {
    this.#interruption = undefined;
  }

  #call(name: string, values: readonly unknown[]): Promise<unknown> {
    const answer = this.#post(name, values);
    // A caller that does not wait for an answer need not hear that there is none.
    answer.catch(() => undefined);
    return answer;
  }

  #post(name: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#interruption?.isOver?.()) this.resume();
    if (this.#interruption && !this.#interruption.delivered?.includes(name)) {
      return Promise.reject(this.#interruption.error);
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { name, resolve, reject });
      this.#port.postMessage(
        { call: id, name, values, ...(id === 1 && { givenUp: this.#givenUp }) } satisfies Message,
        values.flatMap(buffersOf),
      );
    });
  }

  #receive(message: Message): void {
    if ('call' in message) {
      this.#carryOut(message);
      return;
    }
    const waiter = this.#waiters.get(message.answer);
    this.#waiters.delete(message.answer);
    if ('error' in message) waiter?.reject(BusbarError.fromRecord(message.error));
    else waiter?.resolve(message.result);
  }

  async #carryOut(message: Extract<Message, { call: number }>): Promise<void> {
    if (message.givenUp) this.#givenUpByOther = message.givenUp;
    const givenUp = this.#givenUpByOther;
    if (givenUp && Atomics.load(givenUp, cellOf(message.call)) === (message.call | 0)) return;
    try {
      const offered = this.#offer[message.name];
      if (!offered) throw new BusbarError('internal_error');
      const result = await offered(...message.values);
      this.#port.postMessage({ answer: message.call, result } satisfies Message, buffersOf(result));
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (error.code === 'internal_error') this.#onDefect(thrown);
      this.#port.postMessage({ answer: message.call, error: error.toRecord() } satisfies Message);
    }
  }
}
