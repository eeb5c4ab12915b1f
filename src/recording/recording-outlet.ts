import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Outlet } from '../broker/outlet.ts';
import { readEventId } from '../broker/record.ts';
import type { Staging } from '../broker/staging.ts';
import type { WindowBounds } from '../broker/window.ts';
import { frm2Channel } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { TraceFile } from './trace-file.ts';

/** Events that go to the file in one piece at most. */
const batchEvents = 512;
/** FRM2 has two bytes for a channel. */
const slotCount = 65_536;

/** As a file numbers a channel: from 1. */
export const channelNumber = (slot: number): number => slot + 1;

export interface RecordingOutletOptions {
  readonly trace: TraceFile;
  readonly startUnixUs: number;
  /** Nothing more will be taken; undefined if the file takes no more. */
  readonly onFailed: (defect: BusbarError | undefined) => void;
  /** Nothing more will come. */
  readonly onEnd: () => void;
}

/** Puts events into a trace, each delivery as one piece. */
export class RecordingOutlet implements Outlet {
  readonly kind = 'logging';
  isReady = true;
  /** Places where events are missing, and how many. */
  gaps = 0;
  missed = 0;
  readonly #options: RecordingOutletOptions;
  readonly #batch = new TraceBatch(batchEvents);
  readonly #seen = new Uint8Array(slotCount);
  #lastTimeNs = 0;
  #lastEventId = Number.POSITIVE_INFINITY;

  constructor(options: RecordingOutletOptions) {
    this.#options = options;
  }

  /** Takes nothing that is newer than this event. */
  endAfter(eventId: number): void {
    this.#lastEventId = eventId;
  }

  hasSeen(slot: number): boolean {
    return this.#seen[slot] === 1;
  }

  record({ view }: Staging, offset: number): boolean {
    if (readEventId(view, offset) > this.#lastEventId) this.isReady = false;
    if (this.#batch.isFull) this.#store();
    if (!this.isReady) return false;
    const batch = this.#batch;
    const row = batch.count;
    const slot = frm2Channel(view, offset);
    batch.appendFrm2(view, offset, this.#options.startUnixUs, channelNumber(slot));
    this.#lastTimeNs = batch.timeNs[row] ?? 0;
    this.#seen[slot] = 1;
    return true;
  }

  gap(_bounds: WindowBounds, missed: number | null): void {
    if (!this.isReady) return;
    this.gaps += 1;
    this.missed += missed ?? 0;
    const text = `${missed ?? 'Some'} events are missing here`;
    this.#store();
    if (this.isReady) this.#attempt(() => this.#options.trace.note(this.#lastTimeNs, text));
  }

  flush(): void {
    this.#store();
  }

  end(): void {
    this.#options.onEnd();
  }

  #store(): void {
    const batch = this.#batch;
    if (batch.count === 0) return;
    this.#attempt(() => this.#options.trace.write(batch));
    batch.clear();
  }

  /** A writer that throws is a failure of the recording, not of whoever delivers the events. */
  #attempt(write: () => boolean): void {
    try {
      if (write()) return;
      this.isReady = false;
      this.#options.onFailed(undefined);
    } catch (thrown) {
      this.isReady = false;
      this.#options.onFailed(BusbarError.from(thrown));
    }
  }
}
