import type { Sample, SampleBounds } from '../../signal/live/sample.ts';
import type { SampleEndReason, SampleOutlet } from '../../signal/live/sample-outlet.ts';
import type { SignalSample } from '../../signal/live/sample-record.ts';
import { LimitedStream } from './limited-stream.ts';

/** Sends samples to a caller of the CLI, one message each. */
export class WatchedSampleOutlet extends LimitedStream<SampleEndReason> implements SampleOutlet {
  sample(sample: Sample, planId: string): boolean {
    const record: SignalSample = { plan_id: planId, ...sample };
    this.sink.message(record);
    this.delivered++;
    return !this.isComplete && this.sink.isReady;
  }

  gap(bounds: SampleBounds, missed: number | null): void {
    this.tellGap(bounds, missed);
  }

  /** Samples are on their way already. */
  protected sendRest(): void {}
}
