import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { EndReason, Outlet } from '../../broker/outlet.ts';
import type { Staging } from '../../broker/staging.ts';
import type { WindowBounds } from '../../broker/window.ts';
import { copyWords } from '../../frame/copy-words.ts';
import { frm2Channel, frm2Length, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { LimitedStream, type LimitedStreamOptions } from './limited-stream.ts';

/** A channel as the receiver of its records has to know it. */
type NamedChannel = Readonly<Pick<ChannelRecord, 'slot' | 'selector' | 'name'>>;

interface RecordOutletOptions extends LimitedStreamOptions {
  readonly epoch: number;
  /** The channels followed now. */
  readonly channels: () => readonly NamedChannel[];
}

const batchBytes = 64 * 1024;

/** Sends events to a caller of the CLI: batches of FRM2 records, back to back. */
export class RecordOutlet extends LimitedStream<EndReason> implements Outlet {
  readonly kind = 'recv';
  readonly #options: RecordOutletOptions;
  readonly #bytes = new Uint8Array(batchBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #known = new Set<number>();
  #used = 0;
  #records = 0;
  #hasNewChannel = true;

  constructor(options: RecordOutletOptions) {
    super(options);
    this.#options = options;
    this.#announce();
  }

  record(staging: Staging, offset: number): boolean {
    const length = frm2Length(staging.view, offset);
    copyWords(this.#view, this.#used, staging.view, offset, length);
    setFrm2StreamEpoch(this.#view, this.#used, this.#options.epoch);
    if (!this.#known.has(frm2Channel(staging.view, offset))) this.#hasNewChannel = true;
    this.#used += length;
    this.#records++;
    this.delivered++;
    return !this.isComplete && this.#used + frm2SlotBytes <= batchBytes;
  }

  gap(bounds: WindowBounds, missed: number | null): void {
    this.sendRest();
    this.tellGap(bounds, missed);
  }

  protected sendRest(): void {
    if (this.#records === 0) return;
    // A client must know the channels of records before it reads them.
    if (this.#hasNewChannel) this.#announce();
    this.sink.batch(this.#bytes.subarray(0, this.#used), this.#records);
    this.#used = 0;
    this.#records = 0;
  }

  #announce(): void {
    const { channels, epoch } = this.#options;
    const followed = channels().map(({ slot, selector, name }) => ({ slot, selector, name }));
    for (const { slot } of followed) this.#known.add(slot);
    this.#hasNewChannel = false;
    this.sink.message({ channels: followed, stream_epoch: epoch });
  }
}
