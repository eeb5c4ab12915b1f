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
  readonly keepAliveMs?: number;
  /** Number of closed sessions listed. Default: none. */
  readonly remembered?: number;
  readonly resolve?: (endpoint: Endpoint) => Promise<ResolvedEndpoint>;
  readonly transportTo?: (endpoint: ResolvedEndpoint) => Transport;
}

export interface SessionLease {
  readonly session: ModbusSession;
  release(): void;
}

export interface SessionReport extends SessionRecord {
  readonly units: readonly UnitReport[];
}

interface Shared {
  readonly endpoint: ResolvedEndpoint;
  readonly session: ModbusSession;
  users: number;
  keepAlive: Timer | undefined;
}

const isResting = ({ users, keepAlive }: Shared): boolean => users === 0 && keepAlive === undefined;

const mismatch = (field: string, endpoint: ResolvedEndpoint): BusbarError =>
  invalidArgument(field, `${endpoint.text} is already in use with a different ${field}`, {
    reason: 'mismatch',
    in_use: endpoint.text,
  });

/** A line has one set of parameters. Later users must specify the same. */
const requireAgreement = (held: ResolvedEndpoint, wanted: ResolvedEndpoint): void => {
  if (held.kind !== wanted.kind) throw mismatch('framing', held);
  if (wanted.gapMs !== undefined && held.gapMs !== wanted.gapMs) throw mismatch('gap_ms', held);
  if (!('settings' in held && 'settings' in wanted)) return;
  if (held.settings.baudRate !== wanted.settings.baudRate) throw mismatch('baud_rate', held);
  if (held.settings.dataBits !== wanted.settings.dataBits) throw mismatch('data_bits', held);
  if (held.settings.parity !== wanted.settings.parity) throw mismatch('parity', held);
  if (held.settings.stopBits !== wanted.settings.stopBits) throw mismatch('stop_bits', held);
};

const isMadeFor = (held: ResolvedEndpoint, wanted: ResolvedEndpoint): boolean => {
  if (held.gapMs !== wanted.gapMs) return false;
  return isTcp(wanted) ? held.kind === wanted.kind : held.text === wanted.text;
};

export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #shared = new Map<string, Shared>();
  #isClosed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /**
   * Session of an endpoint. Fails with `modbus_unreachable` if the name does not resolve, and
   * with `invalid_argument` if the line is in use with other parameters. Connects with the
   * first request.
   */
  async acquire(endpoint: Endpoint): Promise<SessionLease> {
    return this.lease(await this.resolve(endpoint));
  }

  resolve(endpoint: Endpoint): Promise<ResolvedEndpoint> {
    const { clock, resolve = systemResolver(clock) } = this.#options;
    return resolve(endpoint);
  }

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
    // An unused session does not determine parameters. Device numbers are reused: another name
    // may now be another device.
    if (isMadeFor(there.endpoint, endpoint)) return there;
    this.#remove(there);
    return this.#create(endpoint);
  }

  #create(endpoint: ResolvedEndpoint): Shared {
    const { clock, scheduler, transportTo: connect = transportTo } = this.#options;
    const session = new ModbusSession({ transport: connect(endpoint), clock, scheduler });
    const shared: Shared = { endpoint, session, users: 0, keepAlive: undefined };
    this.#shared.set(endpoint.key, shared);
    return shared;
  }

  #keep(shared: Shared): void {
    const { clock, keepAliveMs = 0 } = this.#options;
    if (keepAliveMs === 0) this.#rest(shared);
    else shared.keepAlive = clock.after(keepAliveMs, () => this.#rest(shared));
  }

  #rest(shared: Shared): void {
    shared.session.rest();
    shared.keepAlive = undefined;
    // Last, so that the session idle for longest is dropped first.
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
