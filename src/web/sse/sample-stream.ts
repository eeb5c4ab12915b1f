import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scratch } from '../../base/scratch-pool.ts';
import type { Sample } from '../../signal/live/sample.ts';
import type { SampleOutlet } from '../../signal/live/sample-outlet.ts';
import { SampleBatch, sampleEventText } from './sample-batch.ts';
import { SseStream } from './sse-stream.ts';

/** Sends samples as server-sent events. */
export class SampleStream extends SseStream<SampleBatch> implements SampleOutlet {
  sample(sample: Sample, planId: string): boolean {
    const text = sampleEventText(sample, planId);
    if (this.batch.addEvent(text)) return this.batch.hasRoom;
    this.flush();
    if (this.batch.addEvent(text)) return false;
    throw new BusbarError('internal_error', { message: 'A sample is too large for any batch' });
  }

  protected newBatch(scratch: Scratch): SampleBatch {
    return new SampleBatch(scratch);
  }
}
