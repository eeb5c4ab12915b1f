/** Coils that a client writes, packed as on the wire. */
export interface CoilWrite {
  readonly table: 'coil';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly bits: Uint8Array;
}

/** Holding registers as they are after the write, also where the client sent masks. */
export interface HoldingWrite {
  readonly table: 'holding';
  readonly function: number;
  readonly address: number;
  readonly count: number;
  readonly registers: Uint16Array;
}

/** All that one request writes. Its values are a copy that may be kept, not changed. */
export type ExternalWrite = CoilWrite | HoldingWrite;

/** What the owner of a server has to do with what clients ask. */
export interface ServerHooks {
  /** Whether requests can be served yet. Until then all of them are answered with exception 06, device busy. */
  isReady?(): boolean;
  /**
   * Sees a whole write before anything changes. Answering an exception code refuses it, and nothing
   * changes; so does throwing, as a device failure.
   */
  check?(write: ExternalWrite): number | undefined;
  /** Told of a write that has been done, before the client is. */
  written?(write: ExternalWrite): void;
}
