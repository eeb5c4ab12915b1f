import type { Home } from '../../link/home.ts';
import type { SourceRecord } from '../../link/version-record.ts';

/** Where this daemon is and who it is; the same in all of its threads. */
export interface DaemonIdentity {
  readonly home: Home;
  readonly projectRoot: string;
  /** Of the build that runs, whatever was installed since. */
  readonly sources: SourceRecord;
  readonly instanceId: string;
  readonly pid: number;
  readonly startedAtUs: number;
  /** Offset of Unix time from the monotonic clock, measured once for all threads. */
  readonly unixOffsetUs: number;
}
