import { type Cursor, RoundRobin, type Sink, type Visitor } from '../base/subscription.ts';
import type { OpenStream, StreamReply } from './stream.ts';

/** A sink for the records of another thread; the key is how many were replaced by newer ones so far. */
export type ForwardedSink<Item> = Sink<Item, number> & OpenStream;

/** Has the `StreamSource` of another thread make records until the signal is aborted; rejects if that is refused. */
export type RecordSource<Item> = (
  signal: AbortSignal,
  emit: (record: Item) => void,
) => Promise<unknown>;

/** Holds the newest record of another thread until its caller is ready for it. */
class LatestCursor implements Cursor<unknown, number> {
  readonly reply: StreamReply;
  readonly ending = new AbortController();
  #replaced = 0;
  #record: unknown;
  #hasRecord = false;

  constructor(reply: StreamReply) {
    this.reply = reply;
  }

  put(record: unknown): void {
    if (this.#hasRecord) this.#replaced += 1;
    this.#record = record;
    this.#hasRecord = true;
  }

  get hasBacklog(): boolean {
    return this.#hasRecord;
  }

  pass(visitor: Visitor<unknown, number>): number {
    if (!this.#hasRecord) return 0;
    this.#hasRecord = false;
    visitor.item(this.#record, this.#replaced);
    return 1;
  }

  last(visitor: Visitor<unknown, number>): void {
    this.pass(visitor);
  }
}

/**
 * Streams to callers of this thread whose records come from another one.
 *
 *   source ──emit──► progress of a call ──► cursor ──► sink ──► caller
 *     ▲                                                  │
 *     └──────────────── abort ◄──────────────────────────┘ over: by count or time, or the caller left
 */
export class ForwardedStreams {
  readonly #robin = new RoundRobin<unknown, number, LatestCursor>({
    slice: 1,
    perPass: 1,
    onResume: (subscription) => this.#robin.serve(subscription),
    onRemoved: ({ cursor }) => cursor.ending.abort(),
    onDefect: (thrown, { cursor }) => cursor.reply.fail(thrown),
  });

  open<Item>(
    sink: ForwardedSink<Item>,
    reply: StreamReply,
    source: RecordSource<Item>,
  ): OpenStream {
    const cursor = new LatestCursor(reply);
    const subscription = this.#robin.subscribe({ cursor, sink: sink as ForwardedSink<unknown> });
    const emit = (record: Item): void => {
      cursor.put(record);
      this.#robin.serve(subscription);
    };
    source(cursor.ending.signal, emit).then(
      () => subscription.end('shut_down'),
      (thrown: unknown) => {
        sink.close();
        reply.fail(thrown);
      },
    );
    return sink;
  }

  /** Ends all of them because the daemon stops. */
  endAll(): void {
    this.#robin.endAll('shut_down');
  }
}
