import { channelText } from '../../trace/channel-key.ts';
import type { TraceDecoding } from '../table-records.ts';

/** Identifiers that are counted one by one. */
const maxCounted = 65_536;
const idBits = 2 ** 30;

type UnknownId = TraceDecoding['most_unknown'][number];

/** Frames without a message, by channel and identifier. */
export class UnknownFrames {
  frames = 0;
  /** Whether there were more identifiers than are counted. */
  isIncomplete = false;
  readonly #counts = new Map<number, number>();

  get ids(): number {
    return this.#counts.size;
  }

  /** Counts by key, to be passed between threads. */
  get entries(): Float64Array<ArrayBuffer> {
    return Float64Array.from([...this.#counts].flat());
  }

  count(key: number, id: number, extended: boolean): void {
    this.frames++;
    this.#add(key * idBits * 2 + (extended ? idBits : 0) + id, 1);
  }

  merge(frames: number, isIncomplete: boolean, entries: Float64Array): void {
    this.frames += frames;
    if (isIncomplete) this.isIncomplete = true;
    for (let at = 0; at < entries.length; at += 2) {
      this.#add(entries[at] as number, entries[at + 1] as number);
    }
  }

  clear(): void {
    this.frames = 0;
    this.isIncomplete = false;
    this.#counts.clear();
  }

  /** The most frequent identifiers. */
  top(limit: number): UnknownId[] {
    return [...this.#counts]
      .sort(([key, frames], [otherKey, other]) => other - frames || key - otherKey)
      .slice(0, limit)
      .map(([key, frames]) => {
        const rest = key % (idBits * 2);
        return {
          channel: channelText(Math.floor(key / (idBits * 2))),
          id: rest % idBits,
          extended: rest >= idBits,
          frames,
        };
      });
  }

  #add(key: number, frames: number): void {
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= maxCounted) this.isIncomplete = true;
    else this.#counts.set(key, (known ?? 0) + frames);
  }
}
