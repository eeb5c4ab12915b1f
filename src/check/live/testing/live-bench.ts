import { setImmediate as nextTurn } from 'node:timers/promises';
import { YieldQueue } from '../../../base/clock/yield-queue.ts';
import type { OpenRing } from '../../../broker/testing/bench-of-rings.ts';
import { HubBench } from '../../../broker/testing/hub-bench.ts';
import { setFrm2TimestampUs, writeFrm2 } from '../../../frame/frm2-codec.ts';
import type { TraceEvent } from '../../../trace/testing/trace-events.ts';
import type { LiveSource } from '../live-events.ts';
import type { BenchChannel, LiveNames } from '../live-setup.ts';

/** Open channels on real rings, with a clock that the test moves. Slots are numbers less 1. */
export class LiveBench {
  readonly hubs = new HubBench();
  readonly rings = new Map<number, OpenRing>();
  readonly #turns = new YieldQueue();
  readonly #startUs = this.clock.unixUs();

  get clock() {
    return this.hubs.clock;
  }

  get source(): LiveSource {
    return {
      hub: this.hubs.hub,
      clock: this.clock,
      turns: this.#turns,
      isOpen: (slot) => this.rings.has(slot + 1),
    };
  }

  get channels(): readonly BenchChannel[] {
    return [...this.rings.keys()].map((number) => ({
      ...{ slot: number - 1, number, selector: `SIM00001/${number - 1}`, name: null },
      ...{ bus: 'can', mode: 'normal', bitrate: 500_000, data_bitrate: 2_000_000 },
    }));
  }

  /** Channels are named by their numbers. */
  names(databasesOf: LiveNames<null>['databasesOf'] = () => []): LiveNames<null> {
    return {
      channels: async () => this.channels,
      slotOf: async (selector) => Number(selector) - 1,
      databasesOf,
      pairsOf: () => [],
      checkedMessage: async () => 'no gateway is loaded',
    };
  }

  open(number: number, slots = 64): OpenRing {
    const ring = this.hubs.open(number - 1, slots);
    this.rings.set(number, ring);
    return ring;
  }

  close(number: number): void {
    this.hubs.close(this.rings.get(number) as OpenRing);
    this.rings.delete(number);
  }

  /** Publishes an event whose time counts from the first moment of the bench. */
  publish({ channel, timeNs, bus, kind, id, flags, dlc, data }: TraceEvent): void {
    const { writer } = this.rings.get(channel) as OpenRing;
    const at = writer.reserve();
    const bytes = Uint8Array.from(data);
    const { view, channel: slot } = writer;
    writeFrm2(view, at, bus, kind, slot, id, flags, dlc, bytes, 0, bytes.length);
    setFrm2TimestampUs(view, at, this.#startUs + Math.round(timeNs / 1000));
    writer.commit();
  }

  /** Milliseconds since the first moment of the bench. */
  get nowMs(): number {
    return (this.clock.unixUs() - this.#startUs) / 1000;
  }

  /** Lets time pass, with everything that waits for it. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    while (this.nowMs < untilMs) {
      this.hubs.bell.ring();
      this.clock.advanceUs(Math.min(10, untilMs - this.nowMs) * 1000);
      await nextTurn();
    }
  }
}
