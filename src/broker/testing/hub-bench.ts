import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { ReaderHub, type SubscribeEventsOptions } from '../reader-hub.ts';
import { BenchOfRings, type OpenRing } from './bench-of-rings.ts';
import { ListingSink } from './listing-sink.ts';
import { SilentBell } from './silent-bell.ts';

/** A hub on real rings in one thread, with a clock and a bell controlled by the test. */
export class HubBench {
  readonly rings = new BenchOfRings();
  readonly clock = new FakeClock();
  readonly bell = new SilentBell();
  readonly defects: unknown[] = [];
  readonly hub = new ReaderHub({
    memory: this.rings.memory,
    bell: this.bell,
    clock: this.clock,
    onDefect: (thrown) => this.defects.push(thrown),
  });

  open(channel: number, slots = 64): OpenRing {
    const ring = this.rings.open(channel, slots);
    this.hub.addRing(ring.ring);
    return ring;
  }

  /**
   * Closes a channel as the bench does, and overwrites its memory, which no reader may access.
   */
  close({ ring }: OpenRing): void {
    this.rings.broker.closeRing(ring.channel);
    this.hub.removeRing(ring.channel);
    new Uint8Array(ring.buffer).fill(0xff);
  }

  subscribe(options: Partial<SubscribeEventsOptions> = {}, sink = new ListingSink()) {
    const subscription = this.hub.subscribe({
      channels: null,
      after: null,
      capacity: 10,
      ...options,
      sink,
    });
    return { sink, resume: () => subscription.resume(), close: () => subscription.close() };
  }

  /** Wakes a sleeping hub and runs everything that waits for the clock. */
  settle(): void {
    this.bell.ring();
    this.clock.advanceUs(100_000);
  }
}

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
