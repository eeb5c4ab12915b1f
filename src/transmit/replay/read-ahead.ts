import { BusbarError } from '../../base/errors/busbar-error.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { TracePiece, TraceStream } from './trace-stream.ts';

export const maxBatches = 4;

export interface Page extends TracePiece {
  readonly batch: TraceBatch;
}

export interface ReadAheadEvents {
  onPage(page: Page): void;
  /** Called at most once; no more pages follow. */
  onFailure(error: BusbarError): void;
}

const readerLost = (cause: BusbarError): BusbarError =>
  new BusbarError('internal_error', {
    message: 'The trace reader has ended unexpectedly',
    details: { reason: 'reader_lost' },
    cause,
  });

export class ReadAhead {
  readonly #stream: TraceStream;
  readonly #events: ReadAheadEvents;
  readonly #pages: Page[] = [];
  #asked = 0;
  #isOver = false;

  constructor(stream: TraceStream, events: ReadAheadEvents) {
    this.#stream = stream;
    this.#events = events;
  }

  /** Undefined while the page is being read. */
  get first(): Page | undefined {
    return this.#pages[0];
  }

  start(): void {
    while (this.#asked < maxBatches) this.#ask(null);
  }

  release(): void {
    const page = this.#pages.shift();
    if (page && !this.#isOver) this.#ask(page.buffer);
  }

  stop(): void {
    this.#isOver = true;
    this.#pages.length = 0;
  }

  #ask(spare: ArrayBuffer | null): void {
    this.#asked += 1;
    this.#stream.read(spare).then(
      (piece) => this.#receive(piece),
      (thrown) => this.#fail(BusbarError.from(thrown)),
    );
  }

  #receive(piece: TracePiece): void {
    if (this.#isOver) return;
    const batch = new TraceBatch(piece.buffer);
    batch.count = piece.count;
    const page = { ...piece, batch };
    this.#pages.push(page);
    this.#events.onPage(page);
  }

  #fail(error: BusbarError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onFailure(error.code === 'internal_error' ? readerLost(error) : error);
  }
}
