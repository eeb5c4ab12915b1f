import type { Clock } from '../base/clock/clock.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { type Bell, Doorbell } from './doorbell.ts';
import { PolledBell } from './polled-bell.ts';

interface ReaderThread {
  readonly memory: BrokerMemory;
  /** Number of the thread among the readers. */
  readonly reader: number;
  readonly clock: Clock;
  /** Whether writers have real-time scheduling: to ring would hold them up. */
  readonly realtime: boolean;
}

/** The bell of a thread that reads what others write. */
export const readerBell = ({ memory, reader, clock, realtime }: ReaderThread): Bell =>
  realtime ? new PolledBell(clock) : new Doorbell(memory, reader);
