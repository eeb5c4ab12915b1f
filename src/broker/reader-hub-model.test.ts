import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bounds } from '../base/subscription.ts';
import { cases } from '../base/testing/long.ts';
import type { OpenRing } from './testing/bench-of-rings.ts';
import { HubBench } from './testing/hub-bench.ts';
import { ListingSink } from './testing/listing-sink.ts';

const smallestRing = 16;

/**
 * A stream and what it must report: each record that its channels publish during its life,
 * delivered once and in order, or counted once in a gap.
 */
class WatchedStream {
  readonly sink = new ListingSink();
  readonly slots: ReadonlySet<number> | null;
  readonly subscription: ReturnType<HubBench['subscribe']>;
  published = 0;
  accounted = 0;
  hasEnded = false;
  #lastId = 0;
  #floor = 0;

  constructor(bench: HubBench, slots: number[] | null, capacity: number) {
    this.slots = slots && new Set(slots);
    this.sink.onGap = (bounds, missed) => this.#takeGap(bounds, missed);
    this.sink.end = () => {
      this.hasEnded = true;
    };
    this.accept(() => true);
    this.subscription = bench.subscribe({ channels: slots, capacity }, this.sink);
  }

  /** Called for each record; returns whether there is space for another. */
  accept(onRecord: () => boolean): void {
    this.sink.onRecord = (id) => {
      expect(id).toBeGreaterThan(Math.max(this.#lastId, this.#floor));
      this.#lastId = id;
      this.accounted++;
      return onRecord();
    };
  }

  #takeGap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    expect(missed).toBeGreaterThan(0);
    expect(newestAvailable).toBeGreaterThanOrEqual(oldestAvailable - 1);
    this.accounted += missed ?? 0;
    this.#floor = oldestAvailable - 1;
  }
}

class World {
  readonly bench = new HubBench();
  readonly publisher = this.bench.rings.publisher();
  readonly streams: readonly WatchedStream[];
  open: OpenRing[] = [];
  #nextSlot = 0;
  readonly #hinderer = this.bench.open(999, smallestRing);
  #isHindered = false;

  constructor(capacity: number) {
    for (let count = 0; count < 3; count++) this.openChannel();
    this.streams = [
      new WatchedStream(this.bench, null, capacity),
      new WatchedStream(this.bench, [0, 1, 2], capacity),
      new WatchedStream(this.bench, [1], capacity),
    ];
  }

  openChannel(): void {
    const ring = this.bench.rings.open(this.#nextSlot++, smallestRing, this.publisher);
    this.bench.hub.addRing(ring.ring);
    this.open.push(ring);
  }

  publish(at: number, count: number): void {
    const ring = this.open[at % this.open.length];
    if (!ring) return;
    for (const stream of this.streams) {
      if (stream.slots?.has(ring.ring.channel) ?? true) stream.published += count;
    }
    ring.publish(count);
  }

  close(at: number): void {
    const ring = this.open[at % this.open.length];
    if (!ring) return;
    this.open = this.open.filter((other) => other !== ring);
    this.bench.close(ring);
    this.openChannel();
  }

  /** Another writer has a record open for a while, so merged cursors must wait. */
  hinder(): void {
    if (this.#isHindered) this.#hinderer.writer.abandon();
    else this.#hinderer.writer.reserve();
    this.#isHindered = !this.#isHindered;
  }

  stop(): void {
    if (this.#isHindered) this.hinder();
    for (const stream of this.streams) {
      stream.accept(() => true);
      stream.sink.isReady = true;
      stream.subscription.resume();
    }
    this.bench.settle();
  }
}

type Act = (world: World) => void;

const at = fc.nat(2);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(at, fc.integer({ min: 1, max: 25 })).map(
      ([ring, count]) =>
        (world: World) =>
          world.publish(ring, count),
    ),
  },
  { weight: 4, arbitrary: fc.constant((world: World) => world.bench.settle()) },
  {
    weight: 4,
    arbitrary: fc.tuple(at, fc.boolean()).map(([index, isReady]) => (world: World) => {
      const stream = world.streams[index];
      if (!stream) return;
      stream.sink.isReady = isReady;
      stream.subscription.resume();
    }),
  },
  {
    // Overtaken during a pass, full or stalled, once.
    weight: 3,
    arbitrary: fc
      .tuple(at, at, fc.nat(40), fc.boolean(), fc.boolean())
      .map(([index, ring, count, hasRoom, stalls]) => (world: World) => {
        const stream = world.streams[index];
        stream?.accept(() => {
          stream.accept(() => true);
          if (count > 0) world.publish(ring, count);
          if (stalls) stream.sink.isReady = false;
          return hasRoom;
        });
      }),
  },
  { weight: 1, arbitrary: at.map((ring) => (world: World) => world.close(ring)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.hinder()) },
);

describe('streams of a hub', () => {
  it('account for every record once, however they stall, are overtaken or lose channels', () => {
    const capacity = fc.constantFrom(1, 5, 13, 14);
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), capacity, (acts, shown) => {
        const world = new World(shown);
        for (const next of acts) next(world);
        world.stop();
        expect(world.bench.defects).toEqual([]);
        for (const stream of world.streams) {
          expect([stream.accounted, stream.hasEnded]).toEqual([
            stream.published,
            stream.slots ? world.open.every(({ ring }) => !stream.slots?.has(ring.channel)) : false,
          ]);
        }
      }),
      { numRuns: cases(80, 400), seed: 23 },
    );
  });
});
