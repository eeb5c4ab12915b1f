import type { Worker } from 'node:worker_threads';
import type { OpenSystemTimer } from '../../base/native/system-timer.ts';
import type { DemoPlace } from '../../demo/demo-bench.ts';
import type { Home } from '../../link/home.ts';
import type { SourceRecord } from '../../link/version-record.ts';
import type { Watchdog } from '../health/pulse.ts';
import type { ThreadName } from '../threads/supervisor.ts';

/** What the bench thread is started with. */
export interface BenchThreadOptions {
  readonly home: Home;
  readonly projectRoot: string;
  readonly sources: SourceRecord;
  /** Starts the thread of that name. */
  readonly startThread: (name: ThreadName, workerData: unknown) => Worker;
  readonly packagedConsole: string;
  readonly packagedSite: string;
  /** Opens the timer that wakes this thread at its deadlines. */
  readonly openTimer: OpenSystemTimer;
  readonly realtime: boolean;
  /** The threads with which V8 compiles: this one waits for them at times. */
  readonly compilerThreads?: readonly number[];
  /** Lets the simulated vehicle drive on the virtual bench. */
  readonly demo?: DemoPlace | undefined;
  /** Told what the start is at, in words that go on from "it". */
  readonly onStartStage?: (stage: string) => void;
  /** Takes the lines of the daemon's log; stderr where left out. */
  readonly writeLog?: (line: string) => void;
  /** Opens the daemon's own log file anew and answers its path; left out where it has none. */
  readonly reopenLog?: () => Promise<string>;
  /** Told by this thread again and again, by its deadlines: what stops is a thread that hangs. */
  readonly watchdog?: Watchdog | undefined;
  /** Told when the daemon begins to end. */
  readonly onStopping?: () => void;
  /** Told once the daemon has ended everything but the process. */
  readonly onStopped: () => void;
}
