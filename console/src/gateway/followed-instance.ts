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
import { serviceNowUs } from '../state/service-clock.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { isAdmitted, keepConnected, type StreamState } from '../streams/keep-connected.ts';
import { askStreams } from '../streams/stream-client.ts';
import type { WatchPiece } from '../streams/watched-state.ts';
import { CounterRates } from './counter-rates.ts';
import { SignalTable } from './signal-table.ts';

interface InstanceStreamOptions {
  readonly instance: string;
  readonly onPiece: (piece: WatchPiece) => void;
}

/** Follows one gateway instance and connects again after every break; all tabs share the connection. */
export class InstanceStream {
  readonly #options: InstanceStreamOptions;
  readonly #state = signal<StreamState>('stopped');
  readonly #error = signal<ApiError | null>(null);
  #run: AbortController | null = null;

  constructor(options: InstanceStreamOptions) {
    this.#options = options;
  }

  get state(): StreamState {
    return this.#state.value;
  }

  /** Why nothing comes. */
  get error(): ApiError | null {
    return this.#error.value;
  }

  /** Starts unless it runs already. */
  start(): void {
    if (this.#run && isAdmitted(this.#state.peek())) return;
    this.stop();
    this.#run = new AbortController();
    const stopped = this.#run.signal;
    this.#become('connecting', null);
    void keepConnected({
      stopped,
      connect: (onLive) => this.#read(stopped, onLive),
      become: (state, error) => this.#become(state, error),
    });
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#become('stopped', null);
  }

  #become(state: StreamState, error: ApiError | null): void {
    this.#state.value = state;
    this.#error.value = error;
  }

  async #read(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null> {
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
    } catch (thrown) {
      return thrown as ApiError;
    } finally {
      done.abort();
    }
  }
}

/**
 * - `waiting`: nothing came so far
 * - `live`
 * - `stale`: what is shown was true before the connection broke, or before the page was left
 * - `gone`: there is no such instance, or none any more
 */
export type FollowState = 'waiting' | 'live' | 'stale' | 'gone';

/** How long an instance is followed that no page shows: going to another page and back costs nothing. */
const lingerMs = 5000;

/** What an event with records has, of whatever kind. */
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

/** All that is known of one instance, by its stream. */
export class FollowedInstance {
  readonly name: string;
  readonly signals = new SignalTable();
  /** Without its tasks, which are here as well. */
  readonly status = signal<GatewayInstance | null>(null);
  readonly tasks = signal<ReadonlyMap<string, GatewayTask>>(new Map());
  readonly faults = signal<ReadonlyMap<string, GatewayFault>>(new Map());
  /** Changes at most once for each picture of the screen, after any news of signals. */
  readonly frame = signal(0);
  /** Growth of the counters a second; empty before the second status. */
  readonly rates = new CounterRates();
  /** Grows when another instance has taken the name: what was known of the old one is forgotten. */
  readonly generation = signal(0);
  /** Told after any news of signals, also where no picture is drawn. */
  readonly onNews = new Set<() => void>();
  readonly #feed: InstanceStream;
  readonly #onUnused: () => void;
  #users = 0;
  #wasUsed = false;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #isFrameDue = false;
  #reportedAt: Date | null = null;

  constructor(name: string, onUnused = (): void => {}) {
    this.name = name;
    this.#onUnused = onUnused;
    this.#feed = new InstanceStream({ instance: name, onPiece: (piece) => this.#take(piece) });
  }

  /** When its stream told something last; null if it never did. */
  get reportedAt(): Date | null {
    return this.#reportedAt;
  }

  get state(): FollowState {
    if (this.#feed.state === 'live') return 'live';
    if (this.#feed.error?.code === 'instance_not_found') return 'gone';
    return this.status.value === null ? 'waiting' : 'stale';
  }

  /** Why signals do not change although all is known of them, in words; null while it runs. */
  get held(): string | null {
    const state = this.status.value?.state ?? 'running';
    if (state === 'running') return null;
    return state === 'loaded' || state === 'starting' ? 'not started' : 'held since stop';
  }

  /** Why nothing comes; null while it does. */
  get error(): ApiError | null {
    return this.#feed.error;
  }

  /** Follows it until that is taken back. */
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

  /** Whether no page shows it any more, nor is about to come back to it. */
  get isUnused(): boolean {
    return this.#wasUsed && this.#users === 0 && this.#feed.state === 'stopped';
  }

  /** Tries again what was refused: the token or the instance may be there by now. */
  retry(): void {
    if (this.#users > 0) this.#feed.start();
  }

  /** Another token is needed: what the old one let in ends. */
  renew(): void {
    if (this.#users > 0 && this.#feed.state === 'live') this.#feed.stop();
  }

  /** Shows at once what the service has just answered, unless the stream was faster. */
  learnSignal(entry: GatewaySignal): void {
    const row = this.signals.rowOf(entry.id);
    if (row < 0 || (this.signals.observedUsAt(row) ?? 0) > (entry.observed_us ?? 0)) return;
    this.signals.take([entry], serviceNowUs());
    this.#frameSoon();
  }

  /** The same of a rule, with what was known of it before the service was asked. */
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

  #frameSoon(): void {
    for (const report of this.onNews) report();
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    requestAnimationFrame(() => {
      this.#isFrameDue = false;
      this.frame.value += 1;
    });
  }
}

const followed = new Map<string, FollowedInstance>();

/** An instance that is gone and shown nowhere is forgotten: one of many signals is large. */
const dropGone = (): void => {
  const list = instances.peek();
  if (list === null) return;
  const present = new Set(list.map(({ instance }) => instance));
  for (const [name, each] of followed) {
    if (each.isUnused && !present.has(name)) followed.delete(name);
  }
};

/** The instance of that name, as every page sees it. */
export const followedInstance = (name: string): FollowedInstance => {
  const known = followed.get(name) ?? new FollowedInstance(name, dropGone);
  followed.set(name, known);
  return known;
};

/** Which instances there are may have changed: some that were refused are there by now. */
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
