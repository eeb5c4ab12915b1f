/**
 * The reply to a streaming call, seen from the operation. It has no queue of its own: the source stops
 * while it is not ready. Once it has ended, or its caller has left, it ignores what it is given.
 */
export interface StreamReply {
  /** Whether the caller keeps up. What is sent nevertheless is still delivered. */
  readonly isReady: boolean;
  /** Sets the function that is called each time the reply turns ready after it was found not to be. */
  onReady(callback: () => void): void;
  /** Sends a message of its own. */
  message(value: object): void;
  /** Sends records, back to back; their bytes are copied before this returns. */
  batch(bytes: Uint8Array, records: number): void;
  /** The stream came to its end. */
  end(result: object): void;
  /** The stream failed. */
  fail(error: unknown): void;
}

export interface OpenStream {
  /** Called at most once, when the caller leaves before the end of the stream. */
  close(): void;
}
