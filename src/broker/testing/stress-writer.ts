/** A writer thread of the stress test. */
import { parentPort, workerData } from 'node:worker_threads';
import { BrokerMemory } from '../broker-memory.ts';
import { Publisher } from '../publisher.ts';
import { RingWriter } from '../ring-writer.ts';
import { publishSamples } from './sample-records.ts';
import { passPoint } from './stop-point.ts';
import type { RingSettings, WriterStart } from './stress-settings.ts';

const { control, writer, plan, rings, startAt, anywhereAfter } = workerData as WriterStart;
const publisher = new Publisher(new BrokerMemory(control), writer);
const nap = new Int32Array(new SharedArrayBuffer(4));

const tasks = plan.rings.map((ringPlan, index) => {
  const handle = rings[index];
  if (!handle) throw new Error('A ring is missing');
  return { plan: ringPlan, writer: new RingWriter(publisher, handle) };
});

const growWhenDue = (ringWriter: RingWriter, { grow = [], records }: RingSettings): void => {
  const done = ringWriter.published - startAt;
  grow.forEach((slots, index) => {
    if (done >= ((index + 1) * records) / (grow.length + 1)) ringWriter.grow(slots);
  });
};

let publications = 0;

const pauseWithinRecord = (): void => {
  passPoint('fill');
  if (plan.pauseEvery && publications % plan.pauseEvery === 0) Atomics.wait(nap, 0, 0, 0.2);
};

for (let isBusy = true; isBusy; ) {
  isBusy = false;
  for (const task of tasks) {
    const left = startAt + task.plan.records - task.writer.published;
    if (left === 0) continue;
    isBusy = true;
    growWhenDue(task.writer, task.plan);
    publishSamples(
      task.writer,
      Math.min(plan.batch, task.writer.maxBatch, left),
      pauseWithinRecord,
    );
    publications++;
    if (publications === anywhereAfter) parentPort?.postMessage('kill me');
  }
}
parentPort?.postMessage('done');
