/**
 * Reply side of a streaming call. It has no queue: the source stops while it is not ready.
 * After its end, or after the caller disconnects, it ignores further calls.
 */
export interface StreamReply {
  /** True while the caller keeps up. Data sent regardless is still delivered. */
  readonly isReady: boolean;
  /** Sets the callback for each time the reply becomes ready again. */
  onReady(callback: () => void): void;
  message(value: object): void;
  /** Sends consecutive records; the bytes are copied before this returns. */
  batch(bytes: Uint8Array, records: number): void;
  end(result: object): void;
  fail(error: unknown): void;
}

export interface OpenStream {
  /** Called at most once, when the caller disconnects before the end of the stream. */
  close(): void;
}
