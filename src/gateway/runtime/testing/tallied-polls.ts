import type { Clock } from '../../../base/clock/clock.ts';
import type { Scheduler } from '../../../base/schedule/scheduler.ts';
import type {
  PeriodicRead,
  PeriodicReadOwner,
  PeriodicReadSettings,
} from '../../../modbus/client/periodic-read.ts';
import { PollService } from '../../../modbus/client/poll-service.ts';
import { ModbusLinks } from '../../../modbus/service/modbus-links.ts';
import type { ModbusSession } from '../../../modbus/session/modbus-session.ts';
import type { SessionLease, SessionPool } from '../../../modbus/session/session-pool.ts';
import type { ResolvedEndpoint } from '../../../modbus/transport/endpoint.ts';

/** Reports about the polls of one run. */
export interface PollTally {
  readonly unit: number;
  readonly periodMs: number;
  answered: number;
  failed: number;
  missed: number;
}

/** Sessions and polls that count what an instance acquires, releases and receives. */
export class TalliedPolls extends ModbusLinks {
  leases = 0;
  /** Active polls, by their counters. */
  readonly running = new Map<PeriodicRead, PollTally>();

  constructor(clock: Clock, scheduler: Scheduler, pool: SessionPool) {
    super(pool, new PollService({ clock, scheduler, pool }));
  }

  override lease(resolved: ResolvedEndpoint): SessionLease {
    const lease = super.lease(resolved);
    this.leases += 1;
    let isHeld = true;
    return {
      session: lease.session,
      release: () => {
        if (isHeld) this.leases -= 1;
        isHeld = false;
        lease.release();
      },
    };
  }

  override poll(
    session: ModbusSession,
    settings: PeriodicReadSettings,
    owner: PeriodicReadOwner,
  ): PeriodicRead {
    const { unit, periodMs } = settings;
    const tally: PollTally = { unit, periodMs, answered: 0, failed: 0, missed: 0 };
    const read = super.poll(session, settings, {
      answered: (response) => {
        tally.answered += 1;
        owner.answered(response);
      },
      failed: (error) => {
        tally.failed += 1;
        owner.failed(error);
      },
      missed: (periods) => {
        tally.missed += periods;
        owner.missed(periods);
      },
    });
    this.running.set(read, tally);
    return read;
  }

  override endPoll(read: PeriodicRead): void {
    super.endPoll(read);
    this.running.delete(read);
  }
}
