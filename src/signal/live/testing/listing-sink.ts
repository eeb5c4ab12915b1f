import type { Bounds } from '../../../base/subscription.ts';
import type { SampleSink } from '../sample-hub.ts';
import type { Sample } from '../sample-record.ts';

/** Writes down what it is given, in short, and takes as much at a time as a test wants. */
export class ListingSink implements SampleSink {
  readonly kind = 'sse';
  readonly log: string[] = [];
  isReady = true;
  /** How many samples it takes before each flush. */
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

  /** What was written down since this was asked last. */
  take(): string[] {
    return this.log.splice(0);
  }
}
