/** Publishes frames at full speed, through the broker or as one message each. */
import { parentPort, workerData } from 'node:worker_threads';
import { BrokerMemory } from '../../src/broker/broker-memory.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import type { RingHandle } from '../../src/broker/ring-memory.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import { frm2SlotBytes } from '../../src/frame/frm2-layout.ts';
import { fillFrame } from './fill-frame.ts';

export interface WriterOrder {
  /** Without it every frame is posted as a message. */
  readonly broker?: {
    readonly control: SharedArrayBuffer;
    readonly rings: readonly RingHandle[];
    readonly batch: number;
  };
  readonly records: number;
  readonly payload: number;
}

const { broker, records, payload } = workerData as WriterOrder;

const publishAll = ({ control, rings, batch }: NonNullable<WriterOrder['broker']>): void => {
  const publisher = new Publisher(new BrokerMemory(control), rings[0]?.writer ?? 0);
  const writers = rings.map((ring) => new RingWriter(publisher, ring));
  for (let done = 0; done < records; ) {
    for (const writer of writers) {
      const count = Math.min(batch, records - done);
      if (count === 0) break;
      writer.reserve(count);
      for (let at = 0; at < count; at++) {
        fillFrame(writer.view, writer.offsetOf(at), done + at, payload);
      }
      writer.commit();
      done += count;
    }
  }
};

const postAll = (): void => {
  for (let done = 0; done < records; done++) {
    const frame = new Uint8Array(frm2SlotBytes);
    fillFrame(new DataView(frame.buffer), 0, done, payload);
    parentPort?.postMessage(frame);
  }
};

parentPort?.once('message', () => {
  if (broker) publishAll(broker);
  else postAll();
  parentPort?.close();
});
parentPort?.postMessage('ready');
