import type { ModbusTable } from './project.ts';

/** Failure of an accepted frame or request group. */
export type Failure =
  | 'tx_failed'
  | 'modbus_exception'
  | 'modbus_timeout'
  | 'modbus_unreachable'
  | 'modbus_bad_reply';

/** A periodic read of a unit. */
export interface ReadRequest {
  readonly endpoint: string;
  readonly table: ModbusTable;
  readonly address: number;
  readonly count: number;
  readonly pollMs: number;
}

/** Events of a gateway, with their times in whole microseconds of one monotonic clock. */
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
  /**
   * The channel or link is closed, lost, or open again. While it is down it neither accepts nor
   * receives frames or requests.
   */
  | {
      readonly kind: 'endpoint';
      readonly atUs: number;
      readonly endpoint: string;
      readonly up: boolean;
    }
  /**
   * The transport rejects frames (bus off) or request groups (queue full), or accepts them again;
   * inputs are not affected.
   */
  | {
      readonly kind: 'accepts';
      readonly atUs: number;
      readonly endpoint: string;
      readonly accepts: boolean;
    }
  /** The request group of a task starts transmission; ignored if none waits. */
  | { readonly kind: 'started'; readonly atUs: number; readonly task: string }
  /** Outcome of a task's pending frame or request group; ignored if there is none. */
  | {
      readonly kind: 'outcome';
      readonly atUs: number;
      readonly task: string;
      readonly sent: boolean;
      /** Error of the failure; default `tx_failed`. */
      readonly error?: Failure;
    }
  /** Response of a unit to a read: an item for each address, or an exception. */
  | ({ readonly kind: 'poll'; readonly atUs: number } & ReadRequest &
      ({ readonly items: readonly number[] } | { readonly exception: true }))
  /** A client writes to a server with one request. */
  | {
      readonly kind: 'client_write';
      readonly atUs: number;
      readonly endpoint: string;
      readonly table: 'coil' | 'holding';
      readonly address: number;
      readonly items: readonly number[];
    }
  /** Everything due is done now. */
  | { readonly kind: 'round'; readonly atUs: number }
  /** The trace gets the current signals and tasks. */
  | { readonly kind: 'snapshot'; readonly atUs: number }
  | { readonly kind: 'stop' | 'start'; readonly atUs: number };

/** A project and its events. `atUs` never decreases, and the first event is a start. */
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

/** A request of a group: an item is a register, or a coil as 0 or 1. */
export interface PlainWrite {
  readonly function: 5 | 6 | 15 | 16;
  readonly address: number;
  readonly items: readonly number[];
}

/** Partially written words: they are read first. */
export interface ReadModifyWrite {
  readonly function: 6 | 16;
  readonly address: number;
  readonly reads: readonly { readonly address: number; readonly count: number }[];
  /** Written bits of each word, and their values. */
  readonly masks: readonly number[];
  readonly items: readonly number[];
}

export type WriteStep = PlainWrite | ReadModifyWrite;

/** A request group that the transport accepted. */
export interface WriteGroup {
  readonly atUs: number;
  readonly task: string;
  readonly endpoint: string;
  readonly steps: readonly WriteStep[];
}

/** Response to a client's write: 0, or an exception code. */
export interface WriteAnswer {
  readonly atUs: number;
  readonly endpoint: string;
  readonly exception: number;
}

/** Content of a server as seen by a client. */
export interface RegisterEntry {
  readonly endpoint: string;
  readonly table: ModbusTable;
  readonly address: number;
  readonly item: number;
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
  readonly tickToSubmit: Timing;
  readonly completionWait: Timing;
  readonly queueWait: Timing;
  readonly protocolWait: Timing;
}

export interface RejectedFrames {
  readonly remote: number;
  readonly short: number;
  readonly e2e: number;
}

/** Signals and tasks in the order of their rows, registers by endpoint, table and address. */
export interface Snapshot {
  readonly atUs: number;
  readonly signals: readonly SignalEntry[];
  readonly tasks: readonly TaskEntry[];
  readonly rejected: RejectedFrames;
  readonly pollCoalesced: number;
  /** Contents of all servers while they run. */
  readonly registers: readonly RegisterEntry[];
}

export interface Trace {
  /** How polled resources share reads. */
  readonly reads: readonly ReadRequest[];
  /** Accepted frames and groups, in order. */
  readonly frames: readonly SentFrame[];
  readonly groups: readonly WriteGroup[];
  readonly answers: readonly WriteAnswer[];
  readonly snapshots: readonly Snapshot[];
}
