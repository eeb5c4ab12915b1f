import type { Bell } from '../broker/doorbell.ts';
import type { RecordVisitor } from '../broker/ring-cursor.ts';
import { RingReader, type RingReaderOptions } from '../broker/ring-reader.ts';
import type { Staging } from '../broker/staging.ts';
import type { BenchSink } from './bench-sink.ts';

class RingFollower implements RecordVisitor {
  readonly #reader: RingReader;
  readonly #sink: BenchSink;
  #isDraining = false;

  constructor(options: RingReaderOptions, sink: BenchSink) {
    this.#reader = new RingReader(options);
    this.#reader.seek(0);
    this.#sink = sink;
  }

  get writers(): number {
    return this.#reader.writers;
  }

  /** Listeners can request another drain; the current pass continues. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#reader.pass(this);
    this.#isDraining = false;
  }

  item({ view }: Staging, offset: number): boolean {
    this.#sink.published(view, offset);
    return true;
  }

  gap(_channel: number, first: number, last: number): void {
    this.#sink.missed(last - first + 1);
  }
}

/**
 * Rings of other threads that the bench thread follows. They wake the thread when they publish,
 * or are polled if a driver requires it.
 */
export class RingFollowers {
  readonly #memory: RingReaderOptions['memory'];
  readonly #bell: Bell;
  readonly #followers = new Set<RingFollower>();

  constructor(memory: RingReaderOptions['memory'], bell: Bell) {
    this.#memory = memory;
    this.#bell = bell;
  }

  follow(sink: BenchSink): () => void {
    const follower = new RingFollower({ memory: this.#memory, ring: sink.ring }, sink);
    sink.onDrain = () => follower.drain();
    this.#followers.add(follower);
    this.#rest();
    return () => {
      follower.drain();
      sink.onDrain = () => undefined;
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#bell.disarm();
    };
  }

  #look(): void {
    this.#bell.disarm();
    for (const follower of this.#followers) follower.drain();
    if (this.#followers.size > 0) this.#rest();
  }

  #rest(): void {
    let writers = 0;
    for (const follower of this.#followers) writers |= follower.writers;
    this.#bell.arm(writers);
    // Records published between the check and arming would be missed.
    for (const follower of this.#followers) follower.drain();
    this.#bell.sleep(() => this.#look());
  }
}
