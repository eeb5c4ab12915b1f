import type { Clock } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Reply } from '../../link/protocol.ts';
import type { OpenStream, StreamSink } from '../../operations/stream.ts';
import { type CallerSocket, lineOf } from './caller-socket.ts';

interface StreamCallOptions {
  readonly id: number;
  readonly caller: CallerSocket;
  readonly clock: Clock;
  /** Told what went wrong inside, which callers only see as `internal_error`. */
  readonly onDefect: (thrown: unknown) => void;
}

/** How long the last word may take to a caller that does not read: no other caller waits for it. */
const lastWordMs = 1000;

/** A stream to one caller, from its request to its last word or to the caller's leaving. */
export class StreamCall implements StreamSink {
  readonly #options: StreamCallOptions;
  readonly #ended = new Deferred<void>();
  readonly #stopWaiting: () => void;
  #stream: OpenStream | undefined;
  #isOver = false;
  #hasLeft = false;
  #wasRefused = false;
  #whenReady: () => void = () => undefined;

  constructor(options: StreamCallOptions) {
    this.#options = options;
    this.#stopWaiting = options.caller.onDrain(() => {
      if (!this.#wasRefused) return;
      this.#wasRefused = false;
      this.#whenReady();
    });
  }

  /** Resolves when nothing more can be done for the caller. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isReady(): boolean {
    const isReady = this.#options.caller.keepsUp;
    // A stream that was refused is told when there is room again; others need not hear of it.
    if (!isReady) this.#wasRefused = true;
    return isReady;
  }

  onReady(callback: () => void): void {
    this.#whenReady = callback;
  }

  message(value: object): void {
    const { id, caller } = this.#options;
    if (!this.#isOver) void caller.sendLine(lineOf({ id, message: value } satisfies Reply));
  }

  batch(bytes: Uint8Array, records: number): void {
    const { id, caller } = this.#options;
    if (!this.#isOver && bytes.length > 0) caller.sendBatch(id, bytes, records);
  }

  end(result: object): void {
    if (this.#isOver) return;
    try {
      this.#endWith(lineOf({ id: this.#options.id, result } satisfies Reply));
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  fail(thrown: unknown): void {
    if (this.#isOver) return;
    const { id, onDefect } = this.#options;
    const error = BusbarError.from(thrown);
    if (error.code === 'internal_error') onDefect(thrown);
    this.#endWith(lineOf({ id, error: error.toRecord() } satisfies Reply));
  }

  /** The stream runs now. A caller may have left while it was being opened. */
  opened(stream: OpenStream): void {
    this.#stream = stream;
    if (this.#hasLeft) stream.close();
  }

  /** The caller is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#hasLeft = true;
    this.#finish();
    this.#ended.resolve();
    this.#stream?.close();
  }

  #endWith(line: string): void {
    const { caller, clock } = this.#options;
    this.#finish();
    const timeOut = clock.after(lastWordMs, () => this.#ended.resolve());
    void caller.sendLine(line).then(() => {
      timeOut.cancel();
      this.#ended.resolve();
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#stopWaiting();
  }
}
