import type { GapEvent } from '../../../src/frame/event-record.ts';
import {
  frm2EventId,
  frm2SourceSequence,
  frm2StreamEpoch,
  frm2TimestampUs,
} from '../../../src/frame/frm2-codec.ts';
import { frm2 } from '../../../src/frame/frm2-layout.ts';
import { everyChannel, type Gap } from './frame-chunk.ts';

/** Bounds of a gap as the service reports them; the missing events are counted here. */
export type GapBounds = Omit<GapEvent, 'missed'>;

export interface GapNote {
  readonly gap: Gap;
  readonly bounds: GapBounds | null;
}

/**
 * Position, duplicates and gaps of a raw stream. Event IDs count over all channels and
 * determine the size of a reported gap; the sequence of each channel reveals the others.
 */
export class StreamStats {
  received = 0;
  duplicates = 0;
  gaps = 0;
  missing = 0;
  uncounted = 0;
  // NaN instead of null, because a nullable number field is allocated on each write.
  #cursor = Number.NaN;
  #epoch = Number.NaN;
  #lastUs = Number.NaN;
  #early: readonly GapNote[] = [];
  #sequences = new Float64Array(0);
  #excused = new Uint8Array(0);
  readonly #onGap: (note: GapNote) => void;

  constructor(onGap: (note: GapNote) => void) {
    this.#onGap = onGap;
  }

  get cursor(): number | null {
    return Number.isNaN(this.#cursor) ? null : Math.max(0, this.#cursor);
  }

  get newestUs(): number {
    return this.#lastUs;
  }

  get epoch(): number | null {
    return Number.isNaN(this.#epoch) ? null : this.#epoch;
  }

  startAfter(eventId: number): void {
    this.#cursor = eventId;
  }

  take(record: DataView): boolean {
    const eventId = frm2EventId(record, 0);
    if (eventId <= this.#cursor) {
      this.duplicates++;
      return false;
    }
    this.#dateEarly(record);
    // The service treats cursor 0 as the oldest event and reports no gap after it.
    if (this.#cursor === 0 && eventId > 1) {
      this.gap({ oldest_available: eventId, newest_available: eventId });
      this.#dateEarly(record);
    }
    this.#checkSequence(record);
    this.#lastUs = frm2TimestampUs(record, 0);
    this.#epoch = frm2StreamEpoch(record, 0);
    this.#cursor = eventId;
    this.received++;
    return true;
  }

  gap(bounds: GapBounds): void {
    const resumed = bounds.oldest_available - 1;
    const last = this.cursor ?? resumed;
    // Event IDs that restart belong to another daemon, so the size of the gap is unknown.
    const missing = resumed >= last ? resumed - last : Number.NaN;
    if (Number.isNaN(missing)) this.#sequences.fill(Number.NaN);
    this.#note(last, missing, bounds);
    this.#cursor = resumed;
    this.#excused.fill(1);
  }

  /** Continues with the first event of another daemon after a gap of unknown size. */
  restart(): void {
    this.#sequences.fill(Number.NaN);
    this.#note(this.cursor ?? 0, Number.NaN, null);
    // The gap just added also covers events that the new daemon no longer has.
    this.#cursor = Number.NEGATIVE_INFINITY;
  }

  reset(): void {
    this.received = 0;
    this.duplicates = 0;
    this.gaps = 0;
    this.missing = 0;
    this.uncounted = 0;
  }

  #note(eventId: number, missing: number, bounds: GapBounds | null): void {
    const gap: Gap = { eventId, missing, channel: everyChannel, timestampUs: this.#lastUs };
    if (Number.isNaN(this.#lastUs)) this.#early = [...this.#early, { gap, bounds }];
    else this.#count({ gap, bounds });
  }

  #dateEarly(record: DataView): void {
    if (this.#early.length === 0) return;
    const early = this.#early;
    this.#early = [];
    const timestampUs = frm2TimestampUs(record, 0);
    for (const { gap, bounds } of early) this.#count({ gap: { ...gap, timestampUs }, bounds });
  }

  #checkSequence(record: DataView): void {
    const channel = record.getUint16(frm2.channel);
    const sequence = frm2SourceSequence(record, 0);
    if (channel >= this.#sequences.length) this.#makeRoom(channel);
    const last = this.#sequences[channel] as number;
    const isExcused = this.#excused[channel] !== 0;
    this.#sequences[channel] = sequence;
    this.#excused[channel] = 0;
    // Also true for NaN, without a previous frame.
    if (isExcused || !(sequence > last + 1)) return;
    this.#count({
      gap: {
        eventId: this.cursor ?? 0,
        missing: sequence - last - 1,
        channel,
        timestampUs: this.#lastUs || frm2TimestampUs(record, 0),
      },
      bounds: null,
    });
  }

  #makeRoom(channel: number): void {
    const sequences = new Float64Array(channel + 1).fill(Number.NaN);
    const excused = new Uint8Array(channel + 1);
    sequences.set(this.#sequences);
    excused.set(this.#excused);
    this.#sequences = sequences;
    this.#excused = excused;
  }

  #count(note: GapNote): void {
    this.gaps++;
    if (Number.isNaN(note.gap.missing)) this.uncounted++;
    else this.missing += note.gap.missing;
    this.#onGap(note);
  }
}
