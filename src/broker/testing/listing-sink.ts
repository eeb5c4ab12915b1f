import type { Bounds, EndReason } from '../../base/subscription.ts';
import { frm2EventId } from '../../frame/frm2-codec.ts';
import type { EventSink } from '../reader-hub.ts';
import type { Staging } from '../staging.ts';

/** A sink that records deliveries: ids as numbers, everything else as text. */
export class ListingSink implements EventSink {
  readonly kind = 'recv';
  isReady = true;
  readonly seen: (number | string)[] = [];
  /** Called before each record is recorded; returns whether there is space for more. */
  onRecord: (eventId: number) => boolean = () => true;
  onGap: (bounds: Bounds, missed: number | null) => void = () => {};
  onHurry: () => void = () => {};

  item({ view }: Staging, offset: number): boolean {
    const eventId = frm2EventId(view, offset);
    const hasRoom = this.onRecord(eventId);
    this.seen.push(eventId);
    return hasRoom;
  }

  skipped(position: number): void {
    this.seen.push(`passed over up to ${position}`);
  }

  gap(bounds: Bounds, missed: number | null): void {
    const { oldestAvailable, newestAvailable } = bounds;
    this.onGap(bounds, missed);
    this.seen.push(`gap ${oldestAvailable}-${newestAvailable} missed ${missed}`);
  }

  hurry(): void {
    this.onHurry();
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
