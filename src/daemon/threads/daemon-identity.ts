import type { Home } from '../../link/home.ts';
import type { SourceRecord } from '../../link/version-record.ts';

export interface DaemonIdentity {
  readonly home: Home;
  readonly projectRoot: string;
  readonly sources: SourceRecord;
  readonly instanceId: string;
  readonly pid: number;
  readonly startedAtUs: number;
  readonly unixOffsetUs: number;
}
