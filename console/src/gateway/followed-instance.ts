import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import type {
  GatewayEvents,
  GatewayFault,
  GatewayInstance,
  GatewaySignal,
  GatewayTask,
} from '../api/client.ts';
import { connection, isServed } from '../state/connection.ts';
import { instances } from '../state/gateways.ts';
import { pictures } from '../state/pictures.ts';
import { serviceNowUs } from '../state/service-clock.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { isAdmitted, Reconnecting, type StreamState } from '../streams/keep-connected.ts';
import { askStreams } from '../streams/stream-client.ts';
import type { WatchPiece } from '../streams/watched-state.ts';
import { CounterRates } from './counter-rates.ts';
import { SignalTable } from './signal-table.ts';

interface InstanceStreamOptions {
  readonly instance: string;
  readonly onPiece: (piece: WatchPiece) => void;
}

/** Follows one gateway instance and reconnects after a loss; all tabs share the connection. */
export class InstanceStream extends Reconnecting {
  readonly #options: InstanceStreamOptions;
  readonly #state = signal<StreamState>('stopped');
  readonly #error = signal<ApiError | null>(null);

  constructor(options: InstanceStreamOptions) {
    super();
    this.#options = options;
  }

  get state(): StreamState {
    return this.#state.value;
  }

  get error(): ApiError | null {
    return this.#error.value;
  }

  override start(): void {
    if (!isAdmitted(this.#state.peek())) super.start();
  }

  protected become(state: StreamState, error: ApiError | null): void {
    this.#state.value = state;
    this.#error.value = error;
  }

  protected async connect(stopped: AbortSignal, onLive: () => void): Promise<null> {
    const done = new AbortController();
    const token = rememberedToken.get();
    const { instance, onPiece } = this.#options;
    const request = { type: 'watch', token, instance } as const;
    try {
      for await (const answer of askStreams(request, AbortSignal.any([stopped, done.signal]))) {
        if (stopped.aborted) return null;
        if (answer.type === 'open') onLive();
        else if (answer.type === 'watched') onPiece(answer);
      }
      return null;
    } finally {
      done.abort();
    }
  }
}

/** `stale`: data from before the connection was lost or the page was left; `gone`: not loaded. */
export type FollowState = 'waiting' | 'live' | 'stale' | 'gone';

/** An instance that no page shows is followed for this time, so that switching pages is cheap. */
const lingerMs = 5000;

type PieceData = Partial<
  GatewayEvents['signals'] &
    GatewayEvents['tasks'] &
    GatewayEvents['faults'] &
    GatewayEvents['observed']
>;

const keepRows = <T extends { readonly id: string }>(
  known: ReadonlyMap<string, T>,
  rows: readonly T[],
): ReadonlyMap<string, T> => {
  const all = new Map(known);
  for (const row of rows) all.set(row.id, row);
  return all;
};

export class FollowedInstance {
  readonly name: string;
  readonly signals = new SignalTable();
  /** Without the tasks, which have their own signal. */
  readonly status = signal<GatewayInstance | null>(null);
  readonly tasks = signal<ReadonlyMap<string, GatewayTask>>(new Map());
  readonly faults = signal<ReadonlyMap<string, GatewayFault>>(new Map());
  readonly frame = signal(0);
  readonly rates = new CounterRates();
  /** Increases when another instance with the same name replaces this one. */
  readonly generation = signal(0);
  /** Called after changes of signals, even if no frame is drawn. */
  readonly onNews = new Set<() => void>();
  readonly #feed: InstanceStream;
  readonly #onUnused: () => void;
  #users = 0;
  #wasUsed = false;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #reportedAt: Date | null = null;

  constructor(name: string, onUnused = (): void => {}) {
    this.name = name;
    this.#onUnused = onUnused;
    this.#feed = new InstanceStream({ instance: name, onPiece: (piece) => this.#take(piece) });
  }

  get reportedAt(): Date | null {
    return this.#reportedAt;
  }

  get state(): FollowState {
    if (this.#feed.state === 'live') return 'live';
    if (this.#feed.error?.code === 'instance_not_found') return 'gone';
    return this.status.value === null ? 'waiting' : 'stale';
  }

  get held(): string | null {
    const state = this.status.value?.state ?? 'running';
    if (state === 'running') return null;
    return state === 'loaded' || state === 'starting' ? 'not started' : 'held since stop';
  }

  get error(): ApiError | null {
    return this.#feed.error;
  }

  use(): () => void {
    this.#users += 1;
    this.#wasUsed = true;
    clearTimeout(this.#linger);
    this.#feed.start();
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#linger = setTimeout(() => {
        this.#feed.stop();
        this.#onUnused();
      }, lingerMs);
    };
  }

  /** True if no page shows the instance or has shown it in the last seconds. */
  get isUnused(): boolean {
    return this.#wasUsed && this.#users === 0 && this.#feed.state === 'stopped';
  }

  /** Retries after a rejection: the token or the instance can be valid now. */
  retry(): void {
    if (this.#users > 0) this.#feed.start();
  }

  renew(): void {
    if (this.#users > 0 && this.#feed.state === 'live') this.#feed.stop();
  }

  /** Shows a response of the service immediately, unless the stream was faster. */
  learnSignal(entry: GatewaySignal): void {
    const row = this.signals.rowOf(entry.id);
    if (row < 0 || (this.signals.observedUsAt(row) ?? 0) > (entry.observed_us ?? 0)) return;
    this.signals.take([entry], serviceNowUs());
    this.#frameSoon();
  }

  /** Like `learnSignal` for a rule; `before` is the rule before the call. */
  learnFault(rule: GatewayFault, before: GatewayFault | undefined): void {
    const known = this.faults.peek().get(rule.id);
    if (known && known === before) this.faults.value = keepRows(this.faults.peek(), [rule]);
  }

  learnStatus(record: GatewayInstance, before: GatewayInstance | null): void {
    if (this.status.peek() !== before) return;
    this.#takeStatus({ ...record, endpoints: this.status.peek()?.endpoints ?? record.endpoints });
  }

  #take({ event, data }: WatchPiece): void {
    this.#reportedAt = new Date();
    if (event === 'status') {
      this.#takeStatus(JSON.parse(data) as GatewayInstance);
      return;
    }
    const { signals, tasks, faults, observed = [] } = JSON.parse(data) as PieceData;
    if (tasks) this.tasks.value = keepRows(this.tasks.peek(), tasks);
    if (faults) this.faults.value = keepRows(this.faults.peek(), faults);
    if (signals) this.signals.take(signals, serviceNowUs());
    for (const { first, observed_us } of observed) this.signals.takeTimes(first, observed_us);
    if (signals || observed.length > 0) this.#frameSoon();
  }

  #takeStatus(record: GatewayInstance): void {
    const before = this.status.peek();
    if (before && before.loaded_at_us !== record.loaded_at_us) this.#forget();
    this.rates.take(record, performance.now());
    this.status.value = record;
  }

  #forget(): void {
    this.signals.clear();
    this.tasks.value = new Map();
    this.faults.value = new Map();
    this.rates.clear();
    this.generation.value += 1;
    this.#frameSoon();
  }

  readonly #draw = (): void => {
    this.frame.value += 1;
  };

  #frameSoon(): void {
    for (const report of this.onNews) report();
    pictures.request(this.#draw);
  }
}

const followed = new Map<string, FollowedInstance>();

/** Drops instances that are unloaded and not shown, because large ones use much memory. */
const dropGone = (): void => {
  const list = instances.peek();
  if (list === null) return;
  const present = new Set(list.map(({ instance }) => instance));
  for (const [name, each] of followed) {
    if (each.isUnused && !present.has(name)) followed.delete(name);
  }
};

export const followedInstance = (name: string): FollowedInstance => {
  const known = followed.get(name) ?? new FollowedInstance(name, dropGone);
  followed.set(name, known);
  return known;
};

const retryAll = (list: ReadonlySignal<unknown>): void => {
  void list.value;
  untracked(dropGone);
  if (!isServed.value) return;
  for (const each of followed.values()) each.retry();
};

effect(() => retryAll(instances));
effect(() => {
  if (connection.value !== 'token') return;
  for (const each of followed.values()) each.renew();
});
