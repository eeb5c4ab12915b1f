/** Measures the broker in this process; prints one JSON object. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Broker } from '../../src/broker/broker.ts';
import { Doorbell } from '../../src/broker/doorbell.ts';
import { MergedReader } from '../../src/broker/merged-reader.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import type { RecordVisitor } from '../../src/broker/ring-cursor.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import { fillFrame } from './fill-frame.ts';
import type { WriterOrder } from './writer-thread.ts';

/** Rounds, of which the best and the median are printed. */
const rounds = 15;

interface Spread {
  readonly best: number;
  readonly middle: number;
}

const spreadOf = (values: number[], isHigherBetter: boolean): Spread => {
  const sorted = values.toSorted((one, other) => (isHigherBetter ? other - one : one - other));
  return { best: sorted[0] ?? 0, middle: sorted[Math.floor(sorted.length / 2)] ?? 0 };
};

class Counter implements RecordVisitor {
  delivered = 0;
  lost = 0;

  item(): boolean {
    this.delivered++;
    return true;
  }

  gap(_channel: number, first: number, last: number): void {
    this.lost += last - first + 1;
  }
}

const publishRecords = (
  writer: RingWriter,
  records: number,
  batch: number,
  payload: number,
): void => {
  for (let done = 0; done < records; done += batch) {
    writer.reserve(batch);
    for (let at = 0; at < batch; at++) {
      fillFrame(writer.view, writer.offsetOf(at), done + at, payload);
    }
    writer.commit();
  }
};

const openWriters = (rings: number) => {
  const broker = new Broker();
  const writer = broker.claimWriter();
  const publisher = new Publisher(broker.memory, writer);
  const writers = Array.from(
    { length: rings },
    (_, channel) => new RingWriter(publisher, broker.openRing({ channel, writer })),
  );
  return { broker, writers };
};

const measurePublish = (batch: number, payload: number): Spread => {
  const { writers } = openWriters(1);
  const [writer] = writers;
  if (!writer) throw new Error('There is one writer');
  const records = 96_000;
  publishRecords(writer, records, batch, payload);
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    publishRecords(writer, records, batch, payload);
    return ((performance.now() - start) * 1e6) / records;
  });
  return spreadOf(times, false);
};

/** Records per second from six full rings, in bursts of a given length. */
const measureMergedRead = (burst: number): Spread => {
  const { broker, writers } = openWriters(6);
  for (let done = 0; done < 28_000; done += burst) {
    for (const writer of writers) publishRecords(writer, burst, burst, 8);
  }
  const reader = new MergedReader({ memory: broker.memory, rings: broker.rings });
  const visitor = new Counter();
  const rates = Array.from({ length: rounds }, () => {
    reader.seek(0);
    const start = performance.now();
    const delivered = reader.pass(visitor);
    return delivered / ((performance.now() - start) / 1000);
  });
  return spreadOf(rates, true);
};

const startWriter = async (order: WriterOrder): Promise<Worker> => {
  const worker = new Worker(join(import.meta.dirname, 'writer-thread.mjs'), { workerData: order });
  await once(worker, 'message');
  return worker;
};

/** Frames per second from writer threads to this one, each with its own rings. */
const measureTransfer = async (threads: number, ringsEach: number, batch: number) => {
  const records = 600_000;
  const broker = new Broker();
  const memory = broker.memory;
  const workers = await Promise.all(
    Array.from({ length: threads }, (_, thread) => {
      const writer = broker.claimWriter();
      const rings = Array.from({ length: ringsEach }, (_unused, ring) =>
        broker.openRing({ channel: thread * ringsEach + ring, writer }),
      );
      const share = { control: memory.buffer, rings, batch };
      return startWriter({ broker: share, records: records / threads, payload: 8 });
    }),
  );
  const reader = new MergedReader({ memory, rings: broker.rings });
  const bell = new Doorbell(memory, broker.claimReader());
  const counter = new Counter();
  const start = performance.now();
  for (const worker of workers) worker.postMessage('go');
  while (counter.delivered + counter.lost < records) {
    if (reader.pass(counter) > 0 || reader.hasBacklog) continue;
    bell.arm(reader.writers);
    // A writer that stops before the end has lost records.
    if (reader.pass(counter) === 0 && !reader.hasBacklog && !bell.block(3000)) break;
    bell.disarm();
  }
  const seconds = (performance.now() - start) / 1000;
  const { delivered, lost } = counter;
  return { rate: delivered / seconds, lost, unaccounted: records - delivered - lost };
};

const measurePostMessage = async () => {
  const records = 60_000;
  const worker = await startWriter({ records, payload: 8 });
  let received = 0;
  const start = performance.now();
  await new Promise<void>((resolve) => {
    worker.on('message', () => {
      received++;
      if (received === records) resolve();
    });
    worker.postMessage('go');
  });
  return { rate: received / ((performance.now() - start) / 1000) };
};

const results = {
  publish: [
    { name: '8 bytes', ...measurePublish(1, 8) },
    { name: '64 bytes', ...measurePublish(1, 64) },
    { name: '8 bytes, batches of 16', ...measurePublish(16, 8) },
    { name: '64 bytes, batches of 16', ...measurePublish(16, 64) },
  ],
  mergedRead: [
    { name: '6 rings, one by one', ...measureMergedRead(1) },
    { name: '6 rings, bursts of 16', ...measureMergedRead(16) },
  ],
  transfer: [
    { name: '1 writer, 1 ring', ...(await measureTransfer(1, 1, 1)) },
    { name: '1 writer, 1 ring, batches of 16', ...(await measureTransfer(1, 1, 16)) },
    { name: '3 writers, 6 rings', ...(await measureTransfer(3, 2, 1)) },
  ],
  postMessage: await measurePostMessage(),
};
console.log(JSON.stringify(results));
