import type { Sample, SampleBounds } from '../../signal/live/sample.ts';
import type {
  SampleEndReason,
  SampleOutlet as SignalOutlet,
} from '../../signal/live/sample-outlet.ts';
import { LimitedStream } from './limited-stream.ts';

/** Sends samples to a caller of the CLI, one message each. */
export class SampleOutlet extends LimitedStream<SampleEndReason> implements SignalOutlet {
  sample(sample: Sample, planId: string): boolean {
    this.sink.message({ plan_id: planId, ...sample });
    this.delivered++;
    return !this.isComplete && this.sink.isReady;
  }

  gap(bounds: SampleBounds, missed: number | null): void {
    this.tellGap(bounds, missed);
  }

  /** Samples are on their way already. */
  protected sendRest(): void {}
}
