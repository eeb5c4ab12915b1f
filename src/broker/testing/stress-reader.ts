/** A reader thread of the stress test. */
import { parentPort, workerData } from 'node:worker_threads';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { BrokerMemory } from '../broker-memory.ts';
import { Doorbell } from '../doorbell.ts';
import { MergedReader } from '../merged-reader.ts';
import { DeliveryLoop } from '../reader-hub.ts';
import { wholeRing } from '../ring-cursor.ts';
import { RingReader } from '../ring-reader.ts';
import { RingView } from '../ring-view.ts';
import { StagingPool } from '../staging.ts';
import { Ledger } from './ledger.ts';
import type { ReaderReport, ReaderStart } from './stress-settings.ts';

const { control, reader: number, plan, rings, records, startAt } = workerData as ReaderStart;
const target = records.reduce((sum, count) => sum + count, 0);
const memory = new BrokerMemory(control);
const bell = new Doorbell(memory, number);
const staging = new StagingPool();
const nap = new Int32Array(new SharedArrayBuffer(4));
const capacity = plan.capacity ?? wholeRing;

const views = new Map(rings.map((ring) => [ring.channel, new RingView(ring)]));
const ledger = new Ledger({
  isLost: (channel, sequence) => {
    const view = views.get(channel);
    view?.refresh();
    return view !== undefined && sequence <= Math.max(view.low, view.head - capacity);
  },
});
for (const { channel } of rings) ledger.expect(channel, startAt + 1);

const openReader = (): RingReader | MergedReader => {
  const [first] = rings;
  return first && rings.length === 1
    ? new RingReader({ memory, ring: first, capacity, staging })
    : new MergedReader({ memory, rings, capacity, staging });
};

let reader = openReader();
let passes = 0;

const resume = (): void => {
  const { position } = reader;
  reader = openReader();
  // Position 0 requests all available records, so it advances without having expired.
  if (reader.seek(position).position !== position) ledger.allowJump();
};

/** An expired cursor may have skipped the rest of a channel, which no later record shows. */
const settleFinishedChannels = (): void => {
  rings.forEach(({ channel }, index) => {
    const end = startAt + (records[index] ?? 0);
    if (views.get(channel)?.head === end) ledger.settle(channel, end);
  });
};

/** Runs one pass; returns whether another may be needed immediately. */
const pass = (): boolean => {
  const delivered = reader.pass(ledger, plan.limit);
  passes++;
  if (plan.resumeEvery && passes % plan.resumeEvery === 0) resume();
  if (reader.hasBacklog) return true;
  settleFinishedChannels();
  return delivered > 0;
};

const isOver = (): boolean => ledger.errors.length > 0 || ledger.accounted >= target;

const report = (): void => {
  if (ledger.accounted > target) ledger.error(`accounted for ${ledger.accounted} of ${target}`);
  const { errors, delivered, lost } = ledger;
  parentPort?.postMessage({
    name: plan.name,
    errors,
    delivered,
    lost,
  } satisfies ReaderReport);
};

const runBlocking = (): void => {
  while (!isOver()) {
    if (pass()) {
      Atomics.wait(nap, 0, 0, plan.slowMs ?? 0.02);
      continue;
    }
    bell.arm(reader.writers);
    if (!pass() && !isOver()) bell.block();
    bell.disarm();
  }
  report();
};

const runOnEventLoop = (): void => {
  // Waiting on a bell does not keep a thread alive; a client thread has its sockets for that.
  parentPort?.ref();
  const loop = new DeliveryLoop({
    clock: new SystemClock(),
    bell,
    writers: () => reader.writers,
    pass: () => {
      const hasMore = pass();
      if (!isOver()) return hasMore;
      loop.stop();
      report();
      parentPort?.unref();
      return false;
    },
  });
  loop.start();
};

parentPort?.postMessage('ready');
if (plan.isAsync) runOnEventLoop();
else runBlocking();
