import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { MergedReader } from './merged-reader.ts';
import { RingView } from './ring-view.ts';
import { StagingPool } from './staging.ts';
import { BenchOfRings, type OpenRing } from './testing/bench-of-rings.ts';
import { Ledger } from './testing/ledger.ts';
import { openSamples, publishSamples } from './testing/sample-records.ts';
import { PublicWindow } from './window.ts';

const smallestRing = 16;
const staging = new StagingPool();

/** A simple channel model: all its ids, and how many it retains. */
class ModelChannel {
  readonly open: OpenRing;
  readonly ids: number[] = [];
  size = smallestRing;
  reserved = 0;
  floor = 0;

  constructor(open: OpenRing) {
    this.open = open;
  }

  reserve(count: number): void {
    this.reserved = Math.max(this.reserved, this.ids.length + count);
  }

  grow(): void {
    const oldest = this.reserved - this.size;
    if (oldest > this.floor) this.floor = oldest + 1;
    this.size *= 2;
  }

  keptFrom(capacity: number): number {
    const shown = Math.min(capacity, this.size - this.size / 8);
    return Math.max(this.floor, this.ids.length - shown);
  }

  lost(capacity: number): number {
    return this.ids[this.keptFrom(capacity) - 1] ?? 0;
  }
}

/** A broker and its model, side by side. */
class Pair {
  readonly bench = new BenchOfRings();
  channels: ModelChannel[] = [];
  nextId = 1;
  closedFloor = 0;
  #nextChannel = 0;
  /** Another writer that may have a record open, on a channel without readers. */
  readonly #hinderer = this.bench.open(999, smallestRing);
  #pending: number | undefined;

  constructor() {
    for (let count = 0; count < 3; count++) this.openChannel();
  }

  openChannel(): void {
    const open = this.bench.open(this.#nextChannel++, smallestRing, this.#publisher);
    this.channels.push(new ModelChannel(open));
  }

  readonly #publisher = this.bench.publisher();

  publish(at: number, count: number): void {
    const channel = this.#at(at);
    for (let record = 0; record < count; record++) {
      publishSamples(channel.open.writer);
      channel.ids.push(this.nextId++);
      channel.reserve(0);
    }
  }

  abandon(at: number): void {
    const channel = this.#at(at);
    openSamples(channel.open.writer, 1);
    channel.open.writer.abandon();
    channel.reserve(1);
    this.nextId++;
  }

  grow(at: number): void {
    const channel = this.#at(at);
    if (channel.size >= 128) return;
    channel.grow();
    channel.open.writer.grow(channel.size);
  }

  close(at: number): void {
    const channel = this.#at(at);
    this.closedFloor = Math.max(this.closedFloor, channel.ids.at(-1) ?? 0);
    this.bench.broker.closeRing(channel.open.ring.channel);
    this.channels = this.channels.filter((other) => other !== channel);
    this.openChannel();
  }

  hinder(): void {
    if (this.#pending === undefined) {
      this.#pending = this.nextId;
      this.#hinderer.writer.reserve();
      this.nextId++;
    } else {
      this.#pending = undefined;
      this.#hinderer.writer.abandon();
    }
  }

  get watermark(): number {
    return Math.min(this.nextId, this.#pending ?? this.nextId);
  }

  #at(at: number): ModelChannel {
    const channel = this.channels[at % this.channels.length];
    if (!channel) throw new Error('There is always a channel');
    return channel;
  }
}

type Act = (pair: Pair) => void;

const channelAt = fc.nat(2);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(channelAt, fc.integer({ min: 1, max: 25 })).map(
      ([at, count]) =>
        (pair: Pair) =>
          pair.publish(at, count),
    ),
  },
  { weight: 1, arbitrary: channelAt.map((at) => (pair: Pair) => pair.abandon(at)) },
  { weight: 1, arbitrary: channelAt.map((at) => (pair: Pair) => pair.grow(at)) },
  { weight: 1, arbitrary: channelAt.map((at) => (pair: Pair) => pair.close(at)) },
  { weight: 2, arbitrary: fc.constant((pair: Pair) => pair.hinder()) },
);

/** Compares all results for one filter with their definitions. */
const compare = (pair: Pair, asked: ModelChannel[], capacity: number, isAll: boolean): void => {
  const { memory } = pair.bench;
  const rings = asked.map(({ open }) => open.ring);
  const views = rings.map((ring) => new RingView(ring));
  const window = new PublicWindow({ memory, rings: views, capacity, everyChannel: isAll });

  const lost = Math.max(
    isAll ? pair.closedFloor : 0,
    ...asked.map((channel) => channel.lost(capacity)),
  );
  const kept = asked
    .flatMap((channel) => channel.ids.slice(channel.keptFrom(capacity)))
    .filter((id) => id > lost && id < pair.watermark)
    .sort((one, other) => one - other);
  const newest = kept.at(-1) ?? lost;
  expect(window.lost()).toBe(lost);
  expect(window.bounds()).toEqual({
    oldestAvailable: kept[0] ?? newest + 1,
    newestAvailable: newest,
  });

  const reader = new MergedReader({ memory, rings, capacity, everyChannel: isAll, staging });
  for (const after of [0, 1, lost - 1, lost, lost + 1, newest, pair.nextId - 1, pair.nextId]) {
    if (after < 0) continue;
    const expired = after > 0 && (after < lost || after >= pair.nextId);
    expect(window.expired(after)).toBe(expired);
    const position = expired || after === 0 ? lost : after;
    expect(reader.seek(after)).toEqual({ position, expired });
    const ledger = new Ledger({ keepIds: true });
    reader.pass(ledger);
    expect(ledger.ids).toEqual(kept.filter((id) => id > position));
    expect(ledger.lost).toBe(0);
  }
};

describe('what clients see', () => {
  it('follows its definition, whatever is published, grown, closed or left open', () => {
    const capacity = fc.constantFrom(1, 5, 13, 14, 28, 40, 1000);
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), capacity, (acts, shown) => {
        const pair = new Pair();
        for (const next of acts) {
          next(pair);
          for (const channel of pair.channels) compare(pair, [channel], shown, false);
          compare(pair, pair.channels.slice(1), shown, false);
          compare(pair, pair.channels, shown, true);
        }
      }),
      { numRuns: cases(10, 100), seed: 11 },
    );
  });
});

describe('PublicWindow', () => {
  const windowOver = (bench: BenchOfRings, rings: OpenRing[], capacity: number) =>
    new PublicWindow({
      memory: bench.memory,
      rings: rings.map(({ ring }) => new RingView(ring)),
      capacity,
    });

  it('shows a quiet channel whole when asked for alone, and from the busiest on when not', () => {
    const bench = new BenchOfRings();
    const quiet = bench.open(0, 64);
    const busy = bench.open(1, 64);
    quiet.publish(2);
    busy.publish(40);
    quiet.publish(1);
    expect(windowOver(bench, [quiet], 10).bounds()).toEqual({
      oldestAvailable: 1,
      newestAvailable: 43,
    });
    expect(windowOver(bench, [quiet, busy], 10).bounds()).toEqual({
      oldestAvailable: 33,
      newestAvailable: 43,
    });
  });

  it('has nothing to show before the first event', () => {
    const bench = new BenchOfRings();
    const channel = bench.open(0, 64);
    const window = windowOver(bench, [channel], 10);
    expect(window.bounds()).toEqual({ oldestAvailable: 1, newestAvailable: 0 });
    expect([window.expired(0), window.expired(1)]).toEqual([false, true]);
  });

  it('never lets go of an event that is shown while a batch is being written', () => {
    const bench = new BenchOfRings();
    const channel = bench.open(0, 64);
    channel.publish(200);
    const window = windowOver(bench, [channel], 1000);
    channel.writer.reserve(channel.writer.maxBatch);
    expect(window.lost()).toBe(200 - 56);
    expect(window.bounds().oldestAvailable).toBe(145);
  });
});
