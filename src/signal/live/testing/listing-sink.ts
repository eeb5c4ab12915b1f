import type { Bounds } from '../../../base/subscription.ts';
import type { SampleSink } from '../sample-hub.ts';
import type { Sample } from '../sample-record.ts';

/** Records deliveries in short form, and accepts as many at a time as the test sets. */
export class ListingSink implements SampleSink {
  readonly kind = 'sse';
  readonly log: string[] = [];
  isReady = true;
  /** Number of samples accepted before each flush. */
  room = Number.POSITIVE_INFINITY;
  #taken = 0;

  item({ sequence, signal, raw }: Sample, planId: string): boolean {
    this.log.push(`${planId} ${sequence} ${signal}=${raw}`);
    return ++this.#taken < this.room;
  }

  gap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    this.log.push(`gap ${oldestAvailable}..${newestAvailable} missed ${missed}`);
  }

  flush(): void {
    this.#taken = 0;
    this.log.push('flush');
  }

  end(reason: string): void {
    this.log.push(`end ${reason}`);
  }

  /** Returns the deliveries since the last call. */
  take(): string[] {
    return this.log.splice(0);
  }
}
