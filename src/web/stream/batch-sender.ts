import type { Duplex } from 'node:stream';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';

/**
 * Sends batches from scratch memory to a socket. While the system accepts each batch
 * immediately, the same memory is reused. Otherwise the batch stays in its memory, and the
 * stream is not ready until it is sent. A slow client holds one batch.
 */
export class BatchSender {
  readonly #socket: Duplex;
  readonly #pool: ScratchPool;
  readonly #waiting: Scratch[] = [];
  #unanswered = 0;
  #hasProgress = false;
  onReady: () => void = () => {};

  constructor(socket: Duplex, pool: ScratchPool) {
    this.#socket = socket;
    this.#pool = pool;
  }

  get isReady(): boolean {
    return !this.isBehind && this.#socket.writable;
  }

  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  take(): Scratch {
    return this.#pool.take();
  }

  /** Writes a part of the memory, which then belongs to the sender. */
  send(scratch: Scratch, start: number, end: number): void {
    this.#unanswered++;
    this.#socket.write(scratch.bytes.subarray(start, end), this.#onWritten);
    // The system has copied everything. The callback is still called later.
    if (this.#socket.writableLength === 0) this.#pool.free(scratch);
    else this.#waiting.push(scratch);
  }

  /** True if the client has accepted pending bytes since the last call. */
  takeProgress(): boolean {
    const hasProgress = this.#hasProgress;
    this.#hasProgress = false;
    return hasProgress;
  }

  readonly #onWritten = (error?: Error | null): void => {
    this.#unanswered--;
    if (this.#unanswered > 0 || this.#waiting.length === 0) return;
    for (const scratch of this.#waiting.splice(0)) this.#pool.free(scratch);
    if (error || !this.isReady) return;
    this.#hasProgress = true;
    this.onReady();
  };
}
