import type { Bounds, EndReason } from '../../../base/subscription.ts';
import type { PduSink } from '../pdu-hub.ts';
import type { StoredPdu } from '../pdu-store.ts';

/** A sink that records deliveries: sequences as numbers, everything else as text. */
export class ListingSink implements PduSink {
  readonly kind = 'sse';
  isReady = true;
  readonly seen: (number | string)[] = [];
  readonly pdus: StoredPdu[] = [];

  item(stored: StoredPdu): boolean {
    this.pdus.push(stored);
    this.seen.push(stored.sequence);
    return this.isReady;
  }

  gap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    this.seen.push(`gap ${oldestAvailable}-${newestAvailable} missed ${missed}`);
  }

  flush(): void {
    this.seen.push('flush');
  }

  end(reason: EndReason): void {
    this.seen.push(`end ${reason}`);
  }

  /** Returns the deliveries since the last call. */
  news(): (number | string)[] {
    return this.seen.splice(0);
  }
}
