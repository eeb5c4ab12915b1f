import type { GapEvent } from '../../../src/frame/event-record.ts';
import {
  frm2EventId,
  frm2SourceSequence,
  frm2StreamEpoch,
  frm2TimestampUs,
} from '../../../src/frame/frm2-codec.ts';
import { frm2 } from '../../../src/frame/frm2-layout.ts';
import { everyChannel, type Gap } from './frame-chunk.ts';

/** What the service says when it no longer has what comes next; the rest is counted here. */
export type GapBounds = Omit<GapEvent, 'missed'>;

/** A gap as the stream's diagnostics list it. */
export interface GapNote {
  readonly gap: Gap;
  /** Null where the service told of no gap, but the sequence of a channel has one. */
  readonly bounds: GapBounds | null;
}

/**
 * Keeps account of a raw stream: where it is, what came twice and what is missing. Event ids count
 * over all channels and tell what a gap swallowed; the sequence of each channel tells the rest.
 */
export class StreamAccount {
  received = 0;
  duplicates = 0;
  gaps = 0;
  /** Frames that gaps swallowed, as far as they can be counted. */
  missing = 0;
  /** Gaps of unknown size. */
  uncounted = 0;
  // Numbers throughout, NaN for none: a field that can be null too has each number allocated.
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

  /** The last event that was taken; null before there is one. */
  get cursor(): number | null {
    return Number.isNaN(this.#cursor) ? null : Math.max(0, this.#cursor);
  }

  /** When the last frame was heard; NaN before there is one. */
  get newestUs(): number {
    return this.#lastUs;
  }

  get epoch(): number | null {
    return Number.isNaN(this.#epoch) ? null : this.#epoch;
  }

  /** Goes on behind that event, with nothing missing. */
  startBehind(eventId: number): void {
    this.#cursor = eventId;
  }

  /** Takes the next event; false if it was there before. */
  take(record: DataView): boolean {
    const eventId = frm2EventId(record, 0);
    if (eventId <= this.#cursor) {
      this.duplicates++;
      return false;
    }
    this.#dateEarly(record);
    // The service takes 0 for “from the oldest”, so it tells of no gap behind it.
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
    // Ids that start anew belong to another daemon: what passed in between is unknown.
    const missing = resumed >= last ? resumed - last : Number.NaN;
    if (Number.isNaN(missing)) this.#sequences.fill(Number.NaN);
    this.#note(last, missing, bounds);
    this.#cursor = resumed;
    this.#excused.fill(1);
  }

  /** Goes on with the first event of another daemon: what passed in between is unknown. */
  startAnew(): void {
    this.#sequences.fill(Number.NaN);
    this.#note(this.cursor ?? 0, Number.NaN, null);
    // Behind the gap just told, what the new one no longer has needs no other.
    this.#cursor = Number.NEGATIVE_INFINITY;
  }

  /** Forgets what was counted, but not where the stream is. */
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
    // Not so either where there was none before.
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
