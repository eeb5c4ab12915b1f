/**
 * Where a stream goes: one caller, seen from the operation. It queues nothing of its own: the
 * source stops while it is not ready. Once it has ended, or its caller has left, it takes
 * everything without a word.
 */
export interface StreamSink {
  /** Whether the caller keeps up. What is given all the same is still delivered. */
  readonly isReady: boolean;
  /** The callback is told each time the sink turns ready after it was found not to be. */
  onReady(callback: () => void): void;
  /** Tells something beside the events. */
  message(value: object): void;
  /** Sends records that lie back to back; their bytes are copied before this returns. */
  batch(bytes: Uint8Array, records: number): void;
  /** The last word: the stream came to its end. */
  end(result: object): void;
  /** The last word: the stream broke. */
  fail(error: unknown): void;
}

/** A stream that runs. */
export interface OpenStream {
  /** Called at most once, when the caller leaves before the stream has ended by itself. */
  close(): void;
}
