/** What happens to a gateway, and when. Times are whole microseconds of one monotonic clock. */
export type ScriptEvent =
  | {
      readonly kind: 'frame';
      readonly atUs: number;
      readonly endpoint: string;
      readonly id: number;
      readonly extended: boolean;
      readonly remote?: boolean;
      readonly error?: boolean;
      readonly completion?: boolean;
      readonly data: Uint8Array;
    }
  | {
      readonly kind: 'set';
      readonly atUs: number;
      readonly signal: string;
      readonly value: string;
    }
  | {
      readonly kind: 'switch';
      readonly atUs: number;
      readonly rule: string;
      readonly enabled: boolean;
    }
  /** The channel is closed or lost, or open again. While it is down it takes no frames. */
  | {
      readonly kind: 'endpoint';
      readonly atUs: number;
      readonly endpoint: string;
      readonly up: boolean;
    }
  /** The transport refuses frames (bus off), or takes them again; inputs are not lost by it. */
  | {
      readonly kind: 'accepts';
      readonly atUs: number;
      readonly endpoint: string;
      readonly accepts: boolean;
    }
  /** What became of the frame that a task has in flight; means nothing if there is none. */
  | {
      readonly kind: 'outcome';
      readonly atUs: number;
      readonly task: string;
      readonly sent: boolean;
    }
  /** Everything due happens now. */
  | { readonly kind: 'round'; readonly atUs: number }
  /** The trace gets signals and tasks as they are. */
  | { readonly kind: 'snapshot'; readonly atUs: number }
  | { readonly kind: 'stop' | 'start'; readonly atUs: number };

/** A project and its events. `atUs` never falls, and the first event is a start. */
export interface Script {
  /** The JSON of a project file. */
  readonly project: object;
  readonly events: readonly ScriptEvent[];
}

/** A frame that the transport accepted. */
export interface SentFrame {
  readonly atUs: number;
  readonly task: string;
  readonly endpoint: string;
  readonly id: number;
  readonly extended: boolean;
  readonly fd: boolean;
  readonly brs: boolean;
  /** Bytes in lower-case hexadecimal. */
  readonly data: string;
}

/** A group of measurements: percentiles by nearest rank over the latest 64 of them. */
export interface Timing {
  readonly count: number;
  readonly max: number;
  readonly window: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface BindingEntry {
  readonly id: string;
  readonly raw: string;
  readonly valid: boolean;
  readonly error: string | null;
}

export interface SignalEntry {
  readonly id: string;
  readonly value: string | null;
  readonly valid: boolean;
  readonly quality: string;
  readonly observedUs: number | null;
  readonly bindings: readonly BindingEntry[];
}

export interface TaskEntry {
  readonly id: string;
  readonly accepted: number;
  readonly sent: number;
  readonly failed: number;
  readonly pending: number;
  readonly unconfirmed: number;
  readonly coalesced: number;
  readonly late: number;
  readonly missed: number;
  readonly lastLatenessUs: number;
  readonly maxLatenessUs: number;
  readonly generated: number;
  readonly injected: number;
  readonly unprotected: number;
  readonly dropped: number;
  readonly repeated: number;
  readonly suppressed: number;
  readonly faultConflicts: number;
  readonly error: string | null;
  readonly sourceAge: Timing;
  readonly completionWait: Timing;
}

export interface RejectedFrames {
  readonly remote: number;
  readonly short: number;
  readonly e2e: number;
}

/** Signals and tasks in the order of their rows. */
export interface Snapshot {
  readonly atUs: number;
  readonly signals: readonly SignalEntry[];
  readonly tasks: readonly TaskEntry[];
  readonly rejected: RejectedFrames;
}

export interface Trace {
  /** Those that the transport accepted, in order. */
  readonly frames: readonly SentFrame[];
  readonly snapshots: readonly Snapshot[];
}
