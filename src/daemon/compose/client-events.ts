import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { ChannelEntry } from '../../bench/channel-table.ts';
import { BrokerMemory } from '../../broker/broker-memory.ts';
import { Doorbell } from '../../broker/doorbell.ts';
import { PolledBell } from '../../broker/polled-bell.ts';
import { type Consumer, ReaderHub } from '../../broker/reader-hub.ts';
import { retentionOf } from '../../broker/retention.ts';
import { type Caller, plainCaller } from '../../operations/dispatcher.ts';
import type { BenchOffer, ClientThreadData } from './thread-contracts.ts';

interface ClientEventsOptions {
  readonly broker: ClientThreadData['broker'];
  readonly realtime: boolean;
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly onDefect: (thrown: unknown) => void;
}

/** What the client thread knows of channels: their rings, and all cursors into them. */
export class ClientEvents {
  readonly hub: ReaderHub;
  readonly #bench: Remote<BenchOffer>;
  readonly #entries = new Map<number, ChannelEntry>();

  constructor({ broker, realtime, clock, bench, onDefect }: ClientEventsOptions) {
    const memory = new BrokerMemory(broker.memory);
    const bell = realtime ? new PolledBell(clock) : new Doorbell(memory, broker.reader);
    this.hub = new ReaderHub({ memory, bell, clock, onDefect });
    this.#bench = bench;
    for (const entry of broker.channels) this.open(entry);
  }

  open(entry: ChannelEntry): void {
    // A thread that was started meanwhile has been told of it already.
    if (this.#entries.has(entry.slot)) return;
    this.#entries.set(entry.slot, entry);
    this.hub.addRing(entry.ring);
  }

  close(slot: number): void {
    if (!this.#entries.delete(slot)) return;
    this.hub.removeRing(slot);
  }

  get channels(): readonly ChannelEntry[] {
    return [...this.#entries.values()];
  }

  selectorOf(slot: number): string {
    return this.#entries.get(slot)?.selector ?? '';
  }

  /** Slots of the channels that selectors name; null, which is all, where none are named. */
  async resolve(
    selectors: readonly string[] | undefined,
    caller: Caller,
  ): Promise<readonly number[] | null> {
    if (selectors === undefined || selectors.length === 0) return null;
    const slots = await this.#bench.followChannels(selectors, plainCaller(caller));
    const index = slots.findIndex((slot) => !this.#entries.has(slot));
    if (index >= 0) {
      // It was closed on the way here.
      throw new BusbarError('channel_not_open', { details: { channel: selectors[index] } });
    }
    return [...new Set(slots)];
  }

  /** Makes every channel keep so many events for clients. */
  async keep(capacity: number): Promise<void> {
    await this.#bench.growHistory(capacity);
  }

  /** What the broker keeps of a channel, and for whom; `others` are not in this thread. */
  retention(slot: number, capacity: number, others: readonly Consumer[]) {
    const entry = this.#entries.get(slot);
    if (!entry) {
      throw new BusbarError('channel_not_found', { details: { channel: String(slot) } });
    }
    return retentionOf({ hub: this.hub, ring: entry.ring, capacity, others });
  }
}
