import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';

export const replayStates = ['idle', 'running', 'finished', 'failed'] as const;
export type ReplayState = (typeof replayStates)[number];

/** A replay as everybody may see it; the same fields whatever its state. */
export interface ReplayRecord {
  readonly state: ReplayState;
  /** Ended by whoever asked for that, and not by the file. */
  readonly stopped: boolean;
  readonly file: string | null;
  readonly format: TraceFormat | null;
  readonly channels: Readonly<Record<string, string>>;
  readonly speed: number | null;
  readonly loop: boolean;
  readonly loops: number;
  readonly start_offset_us: number;
  readonly position_us: number;
  readonly duration_us: number | null;
  readonly progress: number;
  readonly frames_sent: number;
  readonly frames_skipped: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly unread: Readonly<Record<string, number>>;
  readonly malformed: number;
  readonly truncated: boolean;
  readonly out_of_order: number;
  readonly max_lateness_us: number;
  readonly deviation_us: {
    readonly count: number;
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
  };
  readonly started_at_us: number | null;
  readonly finished_at_us: number | null;
  readonly error: ErrorRecord | null;
}

/** Before there was any. */
export const idleRecord: ReplayRecord = {
  state: 'idle',
  stopped: false,
  file: null,
  format: null,
  channels: {},
  speed: null,
  loop: false,
  loops: 0,
  start_offset_us: 0,
  position_us: 0,
  duration_us: null,
  progress: 0,
  frames_sent: 0,
  frames_skipped: 0,
  skipped: {},
  unread: {},
  malformed: 0,
  truncated: false,
  out_of_order: 0,
  max_lateness_us: 0,
  deviation_us: { count: 0, p50: 0, p99: 0, max: 0 },
  started_at_us: null,
  finished_at_us: null,
  error: null,
};
