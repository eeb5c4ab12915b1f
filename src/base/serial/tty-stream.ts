import { errnoName, notYet, type TtyCalls, type TtyWatch } from './tty-calls.ts';

export interface TtyStreamEvents {
  bytes(bytes: Uint8Array): void;
  drained(): void;
  /** The line was closed; the reason is an errno name or one of ours. This is the last call. */
  ended(reason: string): void;
}

const readBufferBytes = 4096;
/** Reads per event loop iteration, so a busy line does not block the thread. */
const maxReads = 4;
const minWaitingBytes = 256;

export class TtyStream {
  readonly #fd: number;
  readonly #calls: TtyCalls;
  readonly #events: TtyStreamEvents;
  readonly #watch: TtyWatch;
  readonly #buffer = new Uint8Array(readBufferBytes);
  /**
   * The last view is cached: frames often have equal lengths, and creating a view takes as long
   * as the write.
   */
  #view = this.#buffer;
  #waiting = new Uint8Array(minWaitingBytes);
  #first = 0;
  #end = 0;
  #isPaused = false;
  #isHeld = false;
  #isOver = false;

  constructor(fd: number, calls: TtyCalls, events: TtyStreamEvents) {
    this.#fd = fd;
    this.#calls = calls;
    this.#events = events;
    this.#watch = calls.watch(fd, () => this.#serve());
  }

  get bufferedBytes(): number {
    return this.#end - this.#first;
  }

  write(bytes: Uint8Array, length: number): void {
    if (this.#isOver) return;
    const mayWrite = !this.#isHeld && this.bufferedBytes === 0;
    const taken = mayWrite ? this.#give(bytes, length) : 0;
    if (taken === length) return;
    this.#keep(bytes, taken, length);
    this.#attend();
  }

  pause(): void {
    this.#isPaused = true;
    this.#attend();
  }

  resume(): void {
    this.#isPaused = false;
    this.#attend();
  }

  hold(): void {
    this.#isHeld = true;
    this.#attend();
  }

  release(): void {
    this.#isHeld = false;
    if (this.#isOver) return;
    this.#flush();
    this.#attend();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watch.close();
  }

  #attend(): void {
    if (this.#isOver) return;
    const hasWaiting = this.bufferedBytes > 0;
    if (this.#isHeld || (this.#isPaused && !hasWaiting)) this.#watch.stop();
    else this.#watch.start(!this.#isPaused, hasWaiting);
  }

  #serve(): void {
    if (this.bufferedBytes > 0) {
      this.#flush();
      this.#attend();
    }
    for (let reads = 0; reads < maxReads; reads++) {
      if (this.#isOver || this.#isHeld || this.#isPaused || !this.#read()) return;
    }
  }

  #read(): boolean {
    const count = this.#calls.read(this.#fd, this.#buffer);
    if (count <= 0) {
      if (count !== notYet) this.#finish(count === 0 ? 'hung_up' : errnoName(count));
      return false;
    }
    if (this.#view.length !== count) this.#view = this.#buffer.subarray(0, count);
    this.#events.bytes(this.#view);
    return count === readBufferBytes;
  }

  #give(bytes: Uint8Array, length: number): number {
    const taken = this.#calls.write(this.#fd, bytes, length);
    if (taken >= 0) return taken;
    if (taken === notYet) return 0;
    queueMicrotask(() => this.#finish(errnoName(taken)));
    return length;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const needed = this.bufferedBytes + to - from;
    if (needed > this.#waiting.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#waiting.subarray(this.#first, this.#end));
      this.#waiting = larger;
    } else this.#waiting.copyWithin(0, this.#first, this.#end);
    this.#end -= this.#first;
    this.#first = 0;
    for (let i = from; i < to; i++) this.#waiting[this.#end++] = bytes[i] as number;
  }

  #flush(): void {
    if (this.bufferedBytes === 0) return;
    const waiting = this.#waiting.subarray(this.#first, this.#end);
    this.#first += this.#give(waiting, waiting.length);
    if (this.#first < this.#end) return;
    this.#first = 0;
    this.#end = 0;
    this.#events.drained();
  }

  #finish(reason: string): void {
    if (this.#isOver) return;
    this.close();
    this.#events.ended(reason);
  }
}
