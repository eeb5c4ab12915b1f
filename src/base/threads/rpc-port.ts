import { BusbarError, type ErrorRecord } from '../errors/busbar-error.ts';

export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: Node's own listeners take anything
  on(event: string, listener: (message: any) => void): unknown;
}

/**
 * Functions that one thread offers to another. Arguments and results are cloned, unless `moving`.
 */
// biome-ignore lint/suspicious/noExplicitAny: each offer narrows this to its own signatures
export type RpcMethods = Record<string, (...values: any[]) => unknown>;

export type Remote<O extends RpcMethods> = {
  readonly [Name in keyof O]: (
    ...values: Parameters<O[Name]>
  ) => Promise<Awaited<ReturnType<O[Name]>>>;
};

const moved = new WeakMap<object, readonly ArrayBuffer[]>();

export const moving = <Value extends object>(
  value: Value,
  buffers: readonly ArrayBuffer[],
): Value => {
  moved.set(value, buffers);
  return value;
};

const buffersOf = (value: unknown): readonly ArrayBuffer[] =>
  (typeof value === 'object' && value !== null && moved.get(value)) || [];

/**
 * The last argument of a call that reports progress and can be cancelled. The caller's signal
 * cancels the call. The other thread's reports reach the caller until the answer does.
 */
export class CallControl {
  readonly signal?: AbortSignal;
  readonly report?: (progress: unknown) => void;

  constructor({ signal, report }: Pick<CallControl, 'signal' | 'report'>) {
    if (signal) this.signal = signal;
    if (report) this.report = report;
  }
}

type Message =
  | {
      readonly call: number;
      readonly name: string;
      readonly values: readonly unknown[];
      readonly isControlled: boolean;
      readonly abandoned?: Int32Array;
    }
  | { readonly progress: number; readonly value: unknown }
  | { readonly cancel: number; readonly reason: unknown }
  | { readonly answer: number; readonly result: unknown }
  | { readonly answer: number; readonly error: ErrorRecord };

type CallMessage = Extract<Message, { readonly call: number }>;

/** More than the number of pending calls. A call whose cell was reused is still executed. */
const abandonedCells = 1024;
const cellOf = (id: number): number => id % abandonedCells;

export interface Interruption {
  readonly delivered?: readonly string[];
  readonly patient?: readonly string[];
  readonly isOver?: () => boolean;
}

interface Waiter {
  readonly name: string;
  readonly report: CallControl['report'] | undefined;
  resolve(result: unknown): void;
  reject(error: BusbarError): void;
}

/** Calls in both directions over one port. Errors cross as records and are restored. */
export class RpcPort<Theirs extends RpcMethods> {
  readonly remote: Remote<Theirs>;
  readonly #port: Port;
  readonly #offer: RpcMethods;
  readonly #waiters = new Map<number, Waiter>();
  readonly #onDefect: (thrown: unknown) => void;
  readonly #running = new Map<number, AbortController>();
  /** Abandoned calls, one cell per id: the other thread does not start them. */
  readonly #abandoned = new Int32Array(new SharedArrayBuffer(4 * abandonedCells));
  #givenUpByOther: Int32Array | undefined;
  #nextId = 1;
  #broken: BusbarError | undefined;
  #interruption: (Interruption & { readonly error: BusbarError }) | undefined;

  constructor(port: Port, offer: RpcMethods, onDefect: (thrown: unknown) => void) {
    this.#port = port;
    this.#offer = offer;
    this.#onDefect = onDefect;
    this.remote = new Proxy({} as Remote<Theirs>, {
      get: (_, name) => {
        if (name === 'then') return undefined;
        return (...values: unknown[]) => this.#call(String(name), values);
      },
    });
    port.on('message', (message: Message) => this.#receive(message));
  }

  break(): void {
    this.#broken = new BusbarError('internal_error', {
      message: 'A thread of the daemon ended before it responded',
    });
    for (const waiter of this.#waiters.values()) waiter.reject(this.#broken);
    this.#waiters.clear();
    for (const running of this.#running.values()) running.abort();
  }

  /**
   * The other thread does not answer: pending and new calls fail. Calls that it has not started
   * have no effect later.
   */
  interrupt(error: BusbarError, how: Interruption = {}): void {
    this.#interruption = { ...how, error };
    for (const [id, waiter] of this.#waiters) {
      if (how.patient?.includes(waiter.name)) continue;
      if (!how.delivered?.includes(waiter.name)) Atomics.store(this.#abandoned, cellOf(id), id);
      waiter.reject(error);
      this.#waiters.delete(id);
    }
  }

  resume(): void {
    this.#interruption = undefined;
  }

  #call(name: string, values: readonly unknown[]): Promise<unknown> {
    const answer = this.#post(name, values);
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
    const last = values.at(-1);
    const control = last instanceof CallControl ? last : undefined;
    const sent = control ? values.slice(0, -1) : values;
    const answer = new Promise((resolve, reject) => {
      this.#waiters.set(id, { name, report: control?.report, resolve, reject });
      this.#port.postMessage(
        {
          call: id,
          name,
          values: sent,
          isControlled: control !== undefined,
          ...(id === 1 && { abandoned: this.#abandoned }),
        } satisfies Message,
        sent.flatMap(buffersOf),
      );
    });
    return control?.signal ? this.#cancellable(id, answer, control.signal) : answer;
  }

  async #cancellable(id: number, answer: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const cancel = (): void => {
      const reason = typeof signal.reason === 'string' ? signal.reason : undefined;
      this.#port.postMessage({ cancel: id, reason } satisfies Message);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #receive(message: Message): void {
    if ('call' in message) void this.#carryOut(message);
    else if ('cancel' in message) this.#running.get(message.cancel)?.abort(message.reason);
    else if ('progress' in message) this.#report(message.progress, message.value);
    else this.#settle(message);
  }

  #report(id: number, value: unknown): void {
    try {
      this.#waiters.get(id)?.report?.(value);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
  }

  #settle(message: Extract<Message, { readonly answer: number }>): void {
    const waiter = this.#waiters.get(message.answer);
    this.#waiters.delete(message.answer);
    if ('error' in message) waiter?.reject(BusbarError.fromRecord(message.error));
    else waiter?.resolve(message.result);
  }

  async #carryOut(message: CallMessage): Promise<void> {
    if (message.abandoned) this.#givenUpByOther = message.abandoned;
    const abandoned = this.#givenUpByOther;
    if (abandoned && Atomics.load(abandoned, cellOf(message.call)) === (message.call | 0)) return;
    try {
      const offered = this.#offer[message.name];
      if (!offered) throw new BusbarError('internal_error');
      const result = await (message.isControlled
        ? this.#controlled(message, offered)
        : offered(...message.values));
      this.#port.postMessage({ answer: message.call, result } satisfies Message, buffersOf(result));
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (error.code === 'internal_error') this.#onDefect(thrown);
      this.#port.postMessage({ answer: message.call, error: error.toRecord() } satisfies Message);
    }
  }
  async #controlled({ call, values }: CallMessage, offered: RpcMethods[string]): Promise<unknown> {
    const controller = new AbortController();
    const report = (value: unknown): void =>
      this.#port.postMessage({ progress: call, value } satisfies Message);
    this.#running.set(call, controller);
    try {
      return await offered(...values, new CallControl({ signal: controller.signal, report }));
    } finally {
      this.#running.delete(call);
    }
  }
}
