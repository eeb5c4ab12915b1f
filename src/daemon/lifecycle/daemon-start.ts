import { product } from '../../base/product.ts';
import { startTicksOf, writeDaemonRecord } from '../../link/daemon-record.ts';
import { collectGarbage, inlineMore, keepCompiledCode } from '../../link/engine-flags.ts';
import type { Home } from '../../link/home.ts';
import type { DaemonLog } from './daemon-log.ts';

interface StartedDaemon {
  readonly home: Home;
  readonly projectRoot: string;
  readonly pid: number;
  readonly startedAtUs: number;
}

/** The parts of a start, in the order in which they come. */
export interface DaemonStart {
  /** Asked for, to keep strict deadlines. */
  readonly realtime: boolean;
  readonly scheduling: {
    enter(): Promise<void>;
    shortenSlices(): Promise<void>;
    readonly isActive: boolean;
  };
  /** Starts the other threads, and resolves once callers are served. */
  readonly startThreads: () => Promise<unknown>;
  /** Lets the bench thread do its work once before a caller waits for it. */
  readonly rehearse: () => Promise<void>;
  readonly identity: StartedDaemon;
  readonly log: Pick<DaemonLog, 'event'>;
  /** What the bench does by itself from the beginning. */
  readonly startBench: () => Promise<unknown>;
  readonly startPulse: () => void;
}

/** So that the daemon is found, also without its socket. */
const publish = ({ home, projectRoot, pid, startedAtUs }: StartedDaemon): void =>
  writeDaemonRecord(home, {
    pid,
    started_ticks: startTicksOf(pid),
    version: product.version,
    started_at_us: startedAtUs,
    project_root: projectRoot,
  });

/** Starts everything that the bench thread was made of; resolves once callers are served. */
export const startDaemon = async (start: DaemonStart): Promise<void> => {
  const { realtime, scheduling, identity, log } = start;
  if (realtime) {
    // Before what handles frames is rehearsed, and with that optimized.
    inlineMore();
    await scheduling.enter();
  }
  if (!scheduling.isActive) await scheduling.shortenSlices();
  // Only where deadlines are strict: it takes a second and more.
  const rehearse = async () => scheduling.isActive && start.rehearse();
  await Promise.all([start.startThreads(), rehearse()]);
  // What starting has left behind goes now: later it would hold up a deadline.
  collectGarbage();
  keepCompiledCode();
  publish(identity);
  const { pid, projectRoot } = identity;
  log.event('started', { pid, version: product.version, project_root: projectRoot });
  await start.startBench();
  // Last, because bringing the record to the disk may take longer than any deadline.
  start.startPulse();
};
