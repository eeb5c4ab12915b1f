/**
 * An FRM2 record at the start of a view, with a payload that is too long for its length field. It
 * is valid during the call that delivers it.
 */
export interface LongRecord {
  readonly view: DataView;
  readonly length: number;
}

/** Payloads longer than a frame, reassembled from frames. */
export interface LongRecords {
  /** Calls a decoder for every one that is completed from now on; returns how to stop it. */
  follow(listener: (record: LongRecord) => void): () => void;
  /** The one whose last frame is the record at an offset. */
  endingWith(record: DataView, at: number): LongRecord | null;
}
