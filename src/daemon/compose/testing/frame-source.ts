/** A thread that publishes frames as fast as possible. */
import { parentPort, workerData } from 'node:worker_threads';
import { BrokerMemory } from '../../../broker/broker-memory.ts';
import { Publisher } from '../../../broker/publisher.ts';
import type { RingHandle } from '../../../broker/ring-memory.ts';
import { RingWriter } from '../../../broker/ring-writer.ts';
import { publishFrames } from '../../../recording/testing/publish-frames.ts';

export interface FrameSourceData {
  readonly memory: SharedArrayBuffer;
  readonly rings: readonly RingHandle[];
  /** Frames on each channel. */
  readonly frames: number;
  readonly timestampUs: number;
}

const { memory, rings, frames, timestampUs } = workerData as FrameSourceData;
const [first] = rings;
const publisher = new Publisher(new BrokerMemory(memory), first?.writer ?? 0);
const writers = rings.map((ring) => new RingWriter(publisher, ring));
for (let frame = 0; frame < frames; frame++) {
  for (const writer of writers) publishFrames(writer, 1, { firstId: frame, timestampUs });
}
parentPort?.postMessage('done');
