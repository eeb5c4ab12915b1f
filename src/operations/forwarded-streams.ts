import type { OpenStream, StreamSink } from './stream.ts';

/** The end of a stream towards its caller, where another thread makes the records. */
export interface StreamOutlet<Item> extends OpenStream {
  /** Takes the next record; what becomes of one that its caller cannot take yet is its own rule. */
  record(record: Item): void;
  /** Sends what has waited for the caller. */
  flush(): void;
  end(reason: 'shut_down'): void;
  /** `resume` is called when the caller can take more again, `close` when the stream is over. */
  attach(subscription: { resume(): void; close(): void }): void;
}

/** Has the `StreamSource` of another thread make records until the signal is aborted; rejects where that is refused. */
export type RecordSource<Item> = (
  signal: AbortSignal,
  emit: (record: Item) => void,
) => Promise<unknown>;

/**
 * Streams to callers of this thread whose records come from another one.
 *
 *   source ──emit──► progress of a call ──► outlet ──► sink ──► caller
 *     ▲                                       │
 *     └────────────── abort ◄─────────────────┘ over: by count or time, or the caller left
 */
export class ForwardedStreams {
  readonly #running = new Set<StreamOutlet<never>>();

  open<Item>(outlet: StreamOutlet<Item>, sink: StreamSink, source: RecordSource<Item>): OpenStream {
    const ending = new AbortController();
    this.#running.add(outlet);
    outlet.attach({
      resume: () => outlet.flush(),
      close: () => {
        this.#running.delete(outlet);
        ending.abort();
      },
    });
    source(ending.signal, (record) => outlet.record(record)).then(
      () => outlet.end('shut_down'),
      (thrown: unknown) => {
        outlet.close();
        sink.fail(thrown);
      },
    );
    return outlet;
  }

  /** Ends all of them, because the daemon does. */
  endAll(): void {
    for (const outlet of this.#running) outlet.end('shut_down');
  }
}
