import type { Clock, Timer } from '../../base/clock/clock.ts';
import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { type Endpoint, isTcp, type ResolvedEndpoint } from '../transport/endpoint.ts';
import { systemResolver } from '../transport/resolve-endpoint.ts';
import { ModbusSession } from './modbus-session.ts';
import { cancelledError } from './session-errors.ts';
import type { SessionRecord, UnitReport } from './session-record.ts';
import { type Transport, transportTo } from './transport.ts';

export interface SessionPoolOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** How long a session without users keeps its link; not at all when left out. */
  readonly keepAliveMs?: number;
  /** How many sessions are remembered that have no link any more; none when left out. */
  readonly remembered?: number;
  readonly resolve?: (endpoint: Endpoint) => Promise<ResolvedEndpoint>;
  readonly transportTo?: (endpoint: ResolvedEndpoint) => Transport;
}

/** The right to use a session until it is given back. */
export interface SessionLease {
  readonly session: ModbusSession;
  /** Further calls do nothing. */
  release(): void;
}

/** A session and its units. */
export interface SessionReport extends SessionRecord {
  readonly units: readonly UnitReport[];
}

interface Shared {
  readonly endpoint: ResolvedEndpoint;
  readonly session: ModbusSession;
  users: number;
  keepAlive: Timer | undefined;
}

/** It has neither users nor a link. */
const isResting = ({ users, keepAlive }: Shared): boolean => users === 0 && keepAlive === undefined;

const mismatch = (field: string, endpoint: ResolvedEndpoint): BusbarError =>
  invalidArgument(field, `${endpoint.text} is in use with another ${field}`, {
    reason: 'mismatch',
    in_use: endpoint.text,
  });

/** A line can have one set of parameters at a time; those who come later have to agree with it. */
const requireAgreement = (held: ResolvedEndpoint, wanted: ResolvedEndpoint): void => {
  if (held.kind !== wanted.kind) throw mismatch('framing', held);
  if (wanted.gapMs !== undefined && held.gapMs !== wanted.gapMs) throw mismatch('gap_ms', held);
  if (!('settings' in held && 'settings' in wanted)) return;
  if (held.settings.baudRate !== wanted.settings.baudRate) throw mismatch('baud_rate', held);
  if (held.settings.dataBits !== wanted.settings.dataBits) throw mismatch('data_bits', held);
  if (held.settings.parity !== wanted.settings.parity) throw mismatch('parity', held);
  if (held.settings.stopBits !== wanted.settings.stopBits) throw mismatch('stop_bits', held);
};

/** Whether a session that is not in use is made for these parameters. */
const isMadeFor = (held: ResolvedEndpoint, wanted: ResolvedEndpoint): boolean => {
  if (held.gapMs !== wanted.gapMs) return false;
  return isTcp(wanted) ? held.kind === wanted.kind : held.text === wanted.text;
};

/** All sessions of the daemon: one for each physical endpoint, however many use it. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #shared = new Map<string, Shared>();
  #isClosed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /**
   * The session of an endpoint. Fails with `modbus_unreachable` where the endpoint's name leads
   * nowhere, and with `invalid_argument` where others use the line with other parameters. Nothing
   * is connected before the first request.
   */
  async acquire(endpoint: Endpoint): Promise<SessionLease> {
    return this.lease(await this.resolve(endpoint));
  }

  /** What an endpoint stands for now. */
  resolve(endpoint: Endpoint): Promise<ResolvedEndpoint> {
    const { clock, resolve = systemResolver(clock) } = this.#options;
    return resolve(endpoint);
  }

  /** The session of an endpoint whose name was looked up before. */
  lease(resolved: ResolvedEndpoint): SessionLease {
    if (this.#isClosed) throw cancelledError('session_closed');
    const shared = this.#sharedFor(resolved);
    shared.users += 1;
    shared.keepAlive?.cancel();
    shared.keepAlive = undefined;
    let isHeld = true;
    return {
      session: shared.session,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        shared.users -= 1;
        if (shared.users === 0) this.#keep(shared);
      },
    };
  }

  /** Closes a link at once that has no user and is only kept for the next one. */
  closeIdle(key: string): void {
    const shared = this.#shared.get(key);
    if (shared?.keepAlive === undefined) return;
    shared.keepAlive.cancel();
    this.#rest(shared);
  }

  sessions(): readonly SessionReport[] {
    return [...this.#shared.values()].map(({ session, users }) => ({
      endpoint: session.endpoint,
      state: session.state,
      users,
      queue_length: session.queueLength,
      units: session.units(),
      ...session.counters.record(),
    }));
  }

  /** Ends all sessions; callers that wait get `operation_cancelled`. */
  close(): void {
    this.#isClosed = true;
    for (const shared of this.#shared.values()) this.#remove(shared);
  }

  #sharedFor(endpoint: ResolvedEndpoint): Shared {
    const there = this.#shared.get(endpoint.key);
    if (!there) return this.#create(endpoint);
    if (there.users > 0) {
      requireAgreement(there.endpoint, endpoint);
      return there;
    }
    // One without users has no say in parameters. And numbers of devices are given away again: by
    // another name it may be another one by now.
    if (isMadeFor(there.endpoint, endpoint)) return there;
    this.#remove(there);
    return this.#create(endpoint);
  }

  #create(endpoint: ResolvedEndpoint): Shared {
    const { clock, scheduler, transportTo: connect = transportTo } = this.#options;
    const session = new ModbusSession({ transport: connect(endpoint), clock, scheduler });
    const shared: Shared = {
      endpoint,
      session,
      users: 0,
      keepAlive: undefined,
    };
    this.#shared.set(endpoint.key, shared);
    return shared;
  }

  #keep(shared: Shared): void {
    const { clock, keepAliveMs = 0 } = this.#options;
    if (keepAliveMs === 0) this.#rest(shared);
    else shared.keepAlive = clock.after(keepAliveMs, () => this.#rest(shared));
  }

  /** Lets go of the link, but not of what the session has counted. */
  #rest(shared: Shared): void {
    shared.session.rest();
    shared.keepAlive = undefined;
    // Behind all others, so that the one that rests longest is forgotten first.
    this.#shared.delete(shared.endpoint.key);
    this.#shared.set(shared.endpoint.key, shared);
    const resting = [...this.#shared.values()].filter(isResting);
    const tooMany = Math.max(0, resting.length - (this.#options.remembered ?? 0));
    for (const forgotten of resting.slice(0, tooMany)) this.#remove(forgotten);
  }

  #remove(shared: Shared): void {
    shared.keepAlive?.cancel();
    this.#shared.delete(shared.endpoint.key);
    shared.session.close();
  }
}
