import type { Duplex } from 'node:stream';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';

/**
 * Sends batches from scratch memory to a socket. As long as the system takes each at once, the same
 * memory is used again and again. Once it does not, the batch waits where it lies and the stream is
 * not ready until it is out: a slow client holds one batch, and nothing piles up.
 */
export class BatchSender {
  readonly #socket: Duplex;
  readonly #pool: ScratchPool;
  readonly #waiting: Scratch[] = [];
  #unanswered = 0;
  #hasProgress = false;
  /** Called when it is ready again. */
  onReady: () => void = () => {};

  constructor(socket: Duplex, pool: ScratchPool) {
    this.#socket = socket;
    this.#pool = pool;
  }

  get isReady(): boolean {
    return !this.isBehind && this.#socket.writable;
  }

  /** Whether a batch still waits to be taken. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  take(): Scratch {
    return this.#pool.take();
  }

  /** Writes a part of the memory. It belongs to the sender from now on. */
  send(scratch: Scratch, start: number, end: number): void {
    this.#unanswered++;
    this.#socket.write(scratch.bytes.subarray(start, end), this.#onWritten);
    // Then the system has copied all of it. The callback comes later even so.
    if (this.#socket.writableLength === 0) this.#pool.free(scratch);
    else this.#waiting.push(scratch);
  }

  /** Whether the other side has taken anything that waited since this was asked last. */
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
