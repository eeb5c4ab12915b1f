import type { Clock, Timer } from '../../base/clock/clock.ts';
import {
  type Cursor,
  type Lost,
  RoundRobin,
  type Sink,
  type Subscription,
  type SubscriptionHandle,
  type Visitor,
} from '../../base/subscription.ts';
import type { PduStore, StoredPdu } from './pdu-store.ts';

export type PduSink = Sink<StoredPdu, number>;

class PduCursor implements Cursor<StoredPdu, number> {
  readonly #store: PduStore;
  position: number;

  constructor(store: PduStore, after: number | null) {
    this.#store = store;
    const { oldestAvailable, newestAvailable } = store.bounds;
    if (after === null) this.position = newestAvailable;
    else this.position = after === 0 || store.isExpired(after) ? oldestAvailable - 1 : after;
  }

  get hasBacklog(): boolean {
    return this.position < this.#store.newest;
  }

  get hasLost(): boolean {
    return this.position < this.#store.bounds.oldestAvailable - 1;
  }

  skipLost(): Lost {
    const { bounds } = this.#store;
    const missed = Math.max(0, bounds.oldestAvailable - 1 - this.position);
    this.position += missed;
    return { bounds, missed };
  }

  pass(visitor: Visitor<StoredPdu, number>, limit: number): number {
    let delivered = 0;
    while (delivered < limit && this.hasBacklog && !this.hasLost) {
      const stored = this.#store.get(this.position + 1) as StoredPdu;
      this.position += 1;
      delivered += 1;
      if (!visitor.item(stored, stored.sequence)) break;
    }
    return delivered;
  }
}

const yieldMs = 1;

export interface SubscribePdus {
  /** Sequence to continue after: 0 for the oldest available PDU, null for new ones. */
  readonly after: number | null;
  readonly accepts: (stored: StoredPdu) => boolean;
  readonly sink: PduSink;
}

/** All subscriptions to PDUs. */
export class PduHub {
  readonly #store: PduStore;
  readonly #clock: Clock;
  readonly #robin: RoundRobin<StoredPdu, number, PduCursor>;
  #timer: Timer | undefined;

  constructor(store: PduStore, clock: Clock, onDefect: (thrown: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#robin = new RoundRobin({
      slice: 64,
      perPass: 512,
      onResume: (subscription) => this.#resume(subscription),
      onDefect,
    });
  }

  get streams(): number {
    return this.#robin.subscriptions.length;
  }

  subscribe({ after, accepts, sink }: SubscribePdus): SubscriptionHandle {
    const subscription = this.#robin.subscribe({
      cursor: new PduCursor(this.#store, after),
      sink,
      startsAfterGap: after !== null && this.#store.isExpired(after),
      accepts,
    });
    subscription.resume();
    return subscription;
  }

  wake(): void {
    this.#robin.serveAll();
    this.#holdIfBehind();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#robin.endAll('shut_down');
  }

  #resume(subscription: Subscription<StoredPdu, number, PduCursor>): void {
    this.#robin.drain(subscription);
    this.#holdIfBehind();
  }

  #holdIfBehind(): void {
    if (this.#timer || !this.#robin.subscriptions.some(({ isBehind }) => isBehind)) return;
    this.#timer = this.#clock.after(yieldMs, () => {
      this.#timer = undefined;
      this.wake();
    });
  }
}
