import type { Sample } from '../../signal/live/sample.ts';
import type { SignalSample } from '../../signal/live/sample-record.ts';
import { ChunkBatch } from './chunk-batch.ts';

/** No character of a string takes more bytes. */
const bytesPerCharacter = 3;

/** A sample as a server-sent event. Streams of several plans tell which one it belongs to. */
export const sampleEventText = (sample: Sample, planId: string): string => {
  const record: SignalSample = { plan_id: planId, ...sample };
  return `id: ${sample.sequence}\nevent: sample\ndata: ${JSON.stringify(record)}\n\n`;
};

/** Samples as server-sent events. */
export class SampleBatch extends ChunkBatch {
  /** Writes an event, unless it has no room. */
  addEvent(text: string): boolean {
    const room = text.length * bytesPerCharacter;
    if (!this.fits(room)) return false;
    this.grownTo(this.length + this.scratch.bytes.write(text, this.length), room);
    return true;
  }
}
