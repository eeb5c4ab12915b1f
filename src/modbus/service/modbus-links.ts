import type {
  PeriodicRead,
  PeriodicReadOwner,
  PeriodicReadSettings,
} from '../client/periodic-read.ts';
import type { PollService } from '../client/poll-service.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { SessionLease, SessionPool } from '../session/session-pool.ts';
import type { Endpoint, ResolvedEndpoint } from '../transport/endpoint.ts';

/** Sessions and polls for service parts that need links, shared with all callers. */
export class ModbusLinks {
  readonly #pool: SessionPool;
  readonly #polls: PollService;

  constructor(pool: SessionPool, polls: PollService) {
    this.#pool = pool;
    this.#polls = polls;
  }

  resolve(endpoint: Endpoint): Promise<ResolvedEndpoint> {
    return this.#pool.resolve(endpoint);
  }

  /**
   * Session of an endpoint. Fails with `invalid_argument` if it is in use with other parameters.
   */
  lease(resolved: ResolvedEndpoint): SessionLease {
    return this.#pool.lease(resolved);
  }

  poll(
    session: ModbusSession,
    settings: PeriodicReadSettings,
    owner: PeriodicReadOwner,
  ): PeriodicRead {
    return this.#polls.startRead(session, settings, owner);
  }

  endPoll(read: PeriodicRead): void {
    this.#polls.endRead(read);
  }
}
