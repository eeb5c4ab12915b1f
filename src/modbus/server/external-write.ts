export interface CoilWrite {
  readonly table: 'coil';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly bits: Uint8Array;
}

/** Holding registers after the write, also for mask writes. */
export interface HoldingWrite {
  readonly table: 'holding';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly registers: Uint16Array;
}

/** Everything one request writes. Values are a copy. */
export type ExternalWrite = CoilWrite | HoldingWrite;

export interface ServerHooks {
  /** Until ready, requests get exception 06 (device busy). */
  isReady?(): boolean;
  /**
   * Checks a whole write in advance. A returned exception code rejects it. A thrown error
   * rejects it as a device failure.
   */
  check?(write: ExternalWrite): number | undefined;
  /** Called after a write, before the response is sent. */
  written?(write: ExternalWrite): void;
}
