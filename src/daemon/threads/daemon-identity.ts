import type { Home } from '../../link/home.ts';
import type { SourceRecord } from '../../link/version-record.ts';

export interface DaemonIdentity {
  readonly home: Home;
  readonly projectRoot: string;
  /** Of the running build. */
  readonly sources: SourceRecord;
  readonly instanceId: string;
  readonly pid: number;
  readonly startedAtUs: number;
  /** Offset from monotonic to Unix time, shared by all threads. */
  readonly unixOffsetUs: number;
}
