export interface CoilWrite {
  readonly table: 'coil';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly bits: Uint8Array;
}

/** Holding registers after the write, also for masks. */
export interface HoldingWrite {
  readonly table: 'holding';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly registers: Uint16Array;
}

/** Everything one request writes. Values are a copy. */
export type ExternalWrite = CoilWrite | HoldingWrite;

/** How the owner of a server takes part in requests. */
export interface ServerHooks {
  /** Until ready, requests are answered with exception 06 (device busy). */
  isReady?(): boolean;
  /**
   * Checks a whole write before it happens. Returning an exception code rejects it; so does
   * throwing, as a device failure.
   */
  check?(write: ExternalWrite): number | undefined;
  /** Called after a write, before the client is answered. */
  written?(write: ExternalWrite): void;
}
