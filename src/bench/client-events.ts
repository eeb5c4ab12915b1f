import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import { ReaderHub, type SubscribeEventsOptions } from '../broker/reader-hub.ts';
import type { Consumer, RetentionRecord } from '../broker/retention-record.ts';
import { RingView } from '../broker/ring-view.ts';
import type { ChannelEntry } from './channel-table.ts';

interface ClientEventsOptions<Caller> {
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly channels: readonly ChannelEntry[];
  readonly follow: (selectors: readonly string[], caller: Caller) => Promise<readonly number[]>;
  readonly onDefect: (thrown: unknown) => void;
}

const notOpen = (selector: string | undefined): BusbarError =>
  new BusbarError('channel_not_open', { details: { channel: selector } });

export class ClientEvents<Caller> {
  readonly hub: ReaderHub;
  readonly #follow: ClientEventsOptions<Caller>['follow'];
  readonly #entries = new Map<number, ChannelEntry>();

  constructor({ memory, bell, clock, channels, follow, onDefect }: ClientEventsOptions<Caller>) {
    this.hub = new ReaderHub({ memory, bell, clock, onDefect });
    this.#follow = follow;
    for (const entry of channels) this.open(entry);
  }

  open(entry: ChannelEntry): void {
    // A thread that started in the meantime already has this channel.
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

  subscribe(options: SubscribeEventsOptions): SubscriptionHandle {
    return this.hub.subscribe(options);
  }

  selectorOf(slot: number): string {
    return this.#entries.get(slot)?.selector ?? '';
  }

  nameOf(slot: number): string | null {
    return this.#entries.get(slot)?.name ?? null;
  }

  /** Resolves selectors to slots. No selectors resolve to null, which means all channels. */
  async resolve(
    selectors: readonly string[] | undefined,
    caller: Caller,
  ): Promise<readonly number[] | null> {
    if (selectors === undefined || selectors.length === 0) return null;
    const slots = await this.#follow(selectors, caller);
    const index = slots.findIndex((slot) => !this.#entries.has(slot));
    if (index >= 0) throw notOpen(selectors[index]);
    return [...new Set(slots)];
  }

  async slotOf(selector: string, caller: Caller): Promise<number> {
    const [slot] = await this.#follow([selector], caller);
    if (slot === undefined || !this.#entries.has(slot)) throw notOpen(selector);
    return slot;
  }

  retention(slot: number, capacity: number, others: readonly Consumer[]): RetentionRecord {
    const entry = this.#entries.get(slot);
    if (!entry) {
      throw new BusbarError('channel_not_found', { details: { channel: String(slot) } });
    }
    const ring = new RingView(entry.ring);
    const published = ring.head;
    const { oldestAvailable, newestAvailable } = this.hub.bounds([slot], capacity);
    const retained = Math.min(published - ring.floor, capacity);
    return {
      capacity,
      retained,
      oldest_event_id: retained > 0 ? oldestAvailable : null,
      newest_event_id: retained > 0 ? newestAvailable : null,
      overwritten: published - retained,
      ring_slots: ring.size,
      consumers: [...this.hub.consumersOf(slot), ...others],
    };
  }
}
