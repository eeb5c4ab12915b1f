import { Scheduler } from '../../../base/schedule/scheduler.ts';
import {
  steppedAlarm as alarm,
  armed,
  steppedClock as clock,
  now,
  times,
} from '../../../base/testing/stepped-time.ts';
import { BenchSink } from '../../../bench/bench-sink.ts';
import { Outbox } from '../../../bench/outbox/outbox.ts';
import { Broker } from '../../../broker/broker.ts';
import { Publisher } from '../../../broker/publisher.ts';
import { RingWriter } from '../../../broker/ring-writer.ts';
import type { LinChannel } from '../../../drivers/driver-channel.ts';
import { createVirtualDriver } from '../../../drivers/virtual/virtual-driver.ts';
import { frameFlag } from '../../../frame/frm2-layout.ts';
import type { SchedulePlan } from '../../../lin/schedule-plan.ts';
import { ScheduleRun } from '../schedule-run.ts';

const warmUpSlots = 100_000;
const slots = 20_000;
/** Delay of the alarm: a fraction, as a real time has one. */
const lateUs = 37.25;

const onDefect = (thrown: unknown): void => {
  throw thrown;
};
const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
const broker = new Broker();
const publisher = new Publisher(broker.memory, broker.claimWriter());
const driver = createVirtualDriver({ clock, scheduler, addresses: [], broker });

const open = async (port: number, role: 'master' | 'slave') => {
  const handle = broker.openRing({ channel: port, writer: publisher.writer });
  const sink = new BenchSink({ handle, writer: new RingWriter(publisher, handle) }, onDefect);
  const hardware = await driver.open('SIM00001', port, { lin: { role } }, sink);
  const outbox = new Outbox({ hardware, clock, scheduler, onDefect });
  sink.outcomes = outbox;
  return { hardware: hardware as LinChannel, outbox };
};

const read = { enhanced: true, length: 2 };

/** A slot of each kind. */
const plan: SchedulePlan = {
  frames: [{ message: 'Own', id: 1, enhanced: true, data: new Uint8Array(2) }],
  tables: [
    {
      name: 'All',
      isNamed: true,
      fault: null,
      slots: [
        { action: { kind: 'publish', frame: 0 }, lengthUs: 10_000 },
        { action: { kind: 'read', id: 2, ...read }, lengthUs: 10_000 },
        { action: { kind: 'changed', frames: [0] }, lengthUs: 10_000 },
        { action: { kind: 'event', id: 3, ...read, collisionTable: 0 }, lengthUs: 10_000 },
      ],
    },
  ],
};

/** Prints the bytes that a slot on a virtual LIN bus allocates, with the whole way of its frame. */
export const printCost = async (): Promise<void> => {
  const channel = await open(4, 'master');
  const { hardware: slave } = await open(5, 'slave');
  slave.setResponse(2, frameFlag.enhancedChecksum, new Uint8Array(2), 0, 2);
  const run = new ScheduleRun({ channel, plan, table: 0, clock, scheduler });
  const runUntil = (total: number): void => {
    while (run.sent + run.empty < total) {
      times[now] = (times[armed] as number) + lateUs;
      alarm.onRing?.();
    }
  };
  runUntil(warmUpSlots);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  runUntil(warmUpSlots + slots);
  const bytes = process.memoryUsage().heapUsed - before;
  console.log(JSON.stringify({ bytes: bytes / slots, sent: run.sent, missed: run.machine.missed }));
};
