import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scratch } from '../../base/scratch-pool.ts';
import type { Sample } from '../../signal/live/sample.ts';
import type { SampleOutlet } from '../../signal/live/sample-outlet.ts';
import type { SignalSample } from '../../signal/live/sample-record.ts';
import { ChunkBatch } from './chunk-batch.ts';
import { SseStream } from './sse-stream.ts';

/** No character of a string takes more bytes. */
const bytesPerCharacter = 3;

/** A sample as a server-sent event. Streams of several plans tell which one it belongs to. */
const sampleEventText = (sample: Sample, planId: string): string => {
  const record: SignalSample = { plan_id: planId, ...sample };
  return `id: ${sample.sequence}\nevent: sample\ndata: ${JSON.stringify(record)}\n\n`;
};

/** Samples as server-sent events. */
class SampleBatch extends ChunkBatch {
  /** Writes an event, unless it has no room. */
  addEvent(text: string): boolean {
    const room = text.length * bytesPerCharacter;
    if (!this.fits(room)) return false;
    this.grownTo(this.length + this.scratch.bytes.write(text, this.length), room);
    return true;
  }
}

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
