import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { EndReason, Outlet } from '../../broker/outlet.ts';
import type { Subscription } from '../../broker/reader-hub.ts';
import type { Staging } from '../../broker/staging.ts';
import type { WindowBounds } from '../../broker/window.ts';
import { copyWords } from '../../frame/copy-words.ts';
import { frm2Channel, frm2Length, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import type { StreamSink } from '../../operations/stream.ts';

/** A channel as the receiver of its records has to know it. */
interface NamedChannel {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
}

interface RecordOutletOptions {
  readonly sink: StreamSink;
  readonly clock: Clock;
  readonly epoch: number;
  /** The channels followed now. */
  readonly channels: () => readonly NamedChannel[];
  /** Ends after so many events; Infinity for never. */
  readonly count: number;
  readonly durationMs: number | null;
}

const batchBytes = 64 * 1024;

/** Sends events to a caller of the CLI: batches of FRM2 records, back to back. */
export class RecordOutlet implements Outlet {
  readonly kind = 'recv';
  readonly #options: RecordOutletOptions;
  readonly #bytes = new Uint8Array(batchBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #known = new Set<number>();
  #subscription: Subscription | undefined;
  readonly #deadline: Timer | undefined;
  #used = 0;
  #records = 0;
  #delivered = 0;
  #hasNewChannel = true;
  #isOver = false;

  constructor(options: RecordOutletOptions) {
    this.#options = options;
    const { sink, clock, durationMs } = options;
    sink.onReady(() => this.#subscription?.resume());
    this.#announce();
    this.#deadline =
      durationMs === null ? undefined : clock.after(durationMs, () => this.#finish('duration'));
  }

  attach(subscription: Subscription): void {
    this.#subscription = subscription;
    if (this.#isOver) subscription.close();
  }

  get isReady(): boolean {
    return !this.#isOver && this.#options.sink.isReady;
  }

  record(staging: Staging, offset: number): boolean {
    const length = frm2Length(staging.view, offset);
    copyWords(this.#view, this.#used, staging.view, offset, length);
    setFrm2StreamEpoch(this.#view, this.#used, this.#options.epoch);
    if (!this.#known.has(frm2Channel(staging.view, offset))) this.#hasNewChannel = true;
    this.#used += length;
    this.#records++;
    this.#delivered++;
    return !this.#isComplete && this.#used + frm2SlotBytes <= batchBytes;
  }

  gap({ oldestAvailable, newestAvailable }: WindowBounds, missed: number | null): void {
    this.#send();
    this.#options.sink.message({
      event: 'gap',
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    });
  }

  flush(): void {
    this.#send();
    if (this.#isComplete) this.#finish('count');
  }

  end(reason: EndReason): void {
    this.#finish(reason);
  }

  close(): void {
    this.#isOver = true;
    this.#deadline?.cancel();
    this.#subscription?.close();
  }

  get #isComplete(): boolean {
    return this.#delivered >= this.#options.count;
  }

  #send(): void {
    if (this.#records === 0) return;
    // Whoever reads the records must know their channels first.
    if (this.#hasNewChannel) this.#announce();
    this.#options.sink.batch(this.#bytes.subarray(0, this.#used), this.#records);
    this.#used = 0;
    this.#records = 0;
  }

  #announce(): void {
    const { sink, channels, epoch } = this.#options;
    const followed = channels().map(({ slot, selector, name }) => ({ slot, selector, name }));
    for (const { slot } of followed) this.#known.add(slot);
    this.#hasNewChannel = false;
    sink.message({ channels: followed, stream_epoch: epoch });
  }

  #finish(reason: 'count' | 'duration' | EndReason): void {
    if (this.#isOver) return;
    this.close();
    this.#send();
    this.#options.sink.end({ reason, delivered: this.#delivered });
  }
}
