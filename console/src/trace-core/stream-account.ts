import { everyChannel, type Gap } from './frame-chunk.ts';

/** What the service says when it no longer has what comes next. */
export interface GapBounds {
  readonly oldest_available: number;
  readonly newest_available: number;
}

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
  /** The last event that was taken; null before there is one. */
  cursor: number | null = null;
  epoch: number | null = null;
  received = 0;
  duplicates = 0;
  gaps = 0;
  /** Frames that gaps swallowed, as far as they can be counted. */
  missing = 0;
  /** Gaps of which nobody knows how much they swallowed. */
  uncounted = 0;
  #lastUs = 0;
  readonly #sequences = new Map<number, number>();
  /** Channels whose next frame comes behind a gap that is already counted. */
  #excused = new Set<number>();
  readonly #onGap: (note: GapNote) => void;

  constructor(onGap: (note: GapNote) => void) {
    this.#onGap = onGap;
  }

  /** Takes the next event; false if it was there before. */
  take(
    eventId: number,
    channel: number,
    sequence: number,
    epoch: number,
    timestampUs: number,
  ): boolean {
    if (this.cursor !== null && eventId <= this.cursor) {
      this.duplicates++;
      return false;
    }
    this.#checkSequence(channel, sequence, timestampUs);
    this.#lastUs = timestampUs;
    this.cursor = eventId;
    this.epoch = epoch;
    this.received++;
    return true;
  }

  gap(bounds: GapBounds): void {
    const resumed = bounds.oldest_available - 1;
    const last = this.cursor ?? resumed;
    // Ids that start anew belong to another daemon: nobody knows what passed in between.
    const missing = resumed >= last ? resumed - last : Number.NaN;
    if (Number.isNaN(missing)) this.#sequences.clear();
    const gap: Gap = { eventId: last, missing, channel: everyChannel, timestampUs: this.#lastUs };
    this.#count({ gap, bounds });
    this.cursor = resumed;
    this.#excused = new Set(this.#sequences.keys());
  }

  /** Forgets what was counted, but not where the stream is. */
  reset(): void {
    this.received = 0;
    this.duplicates = 0;
    this.gaps = 0;
    this.missing = 0;
    this.uncounted = 0;
  }

  #checkSequence(channel: number, sequence: number, timestampUs: number): void {
    const last = this.#sequences.get(channel);
    this.#sequences.set(channel, sequence);
    const isExcused = this.#excused.delete(channel);
    if (isExcused || last === undefined || sequence <= last + 1) return;
    const missing = sequence - last - 1;
    this.#count({
      gap: {
        eventId: this.cursor ?? 0,
        missing,
        channel,
        timestampUs: this.#lastUs || timestampUs,
      },
      bounds: null,
    });
  }

  #count(note: GapNote): void {
    this.gaps++;
    if (Number.isNaN(note.gap.missing)) this.uncounted++;
    else this.missing += note.gap.missing;
    this.#onGap(note);
  }
}
