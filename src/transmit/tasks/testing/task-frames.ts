import type { Clock } from '../../../base/clock/clock.ts';
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import {
  steppedAlarm as alarm,
  armed,
  now,
  steppedClock,
  times,
} from '../../../base/testing/stepped-time.ts';
import { BenchSink } from '../../../bench/bench-sink.ts';
import { Outbox } from '../../../bench/outbox/outbox.ts';
import { Broker } from '../../../broker/broker.ts';
import { Publisher } from '../../../broker/publisher.ts';
import { RingWriter } from '../../../broker/ring-writer.ts';
import { createVirtualDriver } from '../../../drivers/virtual/virtual-driver.ts';
import { loadCodec } from '../../../e2e/testing/load-codec.ts';
import type { CanFrame } from '../../../frame/frame.ts';
import { CyclicTask } from '../cyclic-task.ts';
import { ChannelTasks } from '../cyclic-tasks.ts';
import { OwnedBits } from '../owned-bits.ts';

const warmUpFrames = 200_000;
const frames = 20_000;
const periodUs = 1000;
/**
 * Delay of the alarm: a fraction, since a time that is a small integer would need no allocation.
 */
const lateUs = 37.25;

let readings = 0;
const clock: Clock = {
  ...steppedClock,
  monotonicUs: () => {
    readings += 1;
    return times[now] as number;
  },
};
const onDefect = (thrown: unknown): void => {
  throw thrown;
};
const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
const broker = new Broker();
const publisher = new Publisher(broker.memory, broker.claimWriter());
const driver = createVirtualDriver({ clock, scheduler, addresses: [], broker });

const open = async (port: number): Promise<Outbox> => {
  const handle = broker.openRing({ channel: port, writer: publisher.writer });
  const sink = new BenchSink({ handle, writer: new RingWriter(publisher, handle) }, onDefect);
  const settings = { bus: 'canfd', bitrate: 1_000_000, dataBitrate: 8_000_000 } as const;
  const hardware = await driver.open('SIM00001', port, settings, sink);
  const outbox = new Outbox({ hardware, clock, scheduler, onDefect });
  sink.outcomes = outbox;
  return outbox;
};

/** What a task by name writes into each of its frames. */
const ownedBits = (): OwnedBits =>
  new OwnedBits({
    counter: { place: { startBit: 24, length: 4, byteOrder: 'intel' }, max: 14n },
    e2e: loadCodec({ profile: '1A', data_id: 0x0123 }, 8),
    length: 8,
  });

/**
 * A task of one millisecond on a virtual CAN FD bus, with the whole path of a frame on the bench
 * thread. Prints the cost of a frame once V8 has compiled the code: bytes, and clock readings.
 */
export const printCost = async (kind: 'by frame' | 'by name'): Promise<void> => {
  const outbox = await open(0);
  await open(1);
  const frame: CanFrame = {
    bus: 'canfd',
    id: 0x123,
    extended: false,
    remote: false,
    fd: true,
    brs: true,
    esi: false,
    error: false,
    dlc: 8,
    data: new Uint8Array(8),
  };
  let sent = 0;
  const owner = {
    settled: () => {
      sent += 1;
    },
  };
  const lane = outbox.open(owner, { isUrgent: true });
  const isNamed = kind === 'by name';
  const plan = { periodUs, count: 0, pattern: isNamed ? 'fixed' : 'increment_data' } as const;
  const owned = isNamed ? ownedBits() : undefined;
  const startUs = (times[now] as number) + periodUs;
  const tasks = new ChannelTasks(clock, scheduler);
  tasks.add(new CyclicTask({ lane, frame, plan, startUs, seed: 1, owned }));
  const sendUntil = (total: number): void => {
    while (sent < total) {
      times[now] = (times[armed] as number) + lateUs;
      alarm.onRing?.();
    }
  };
  sendUntil(warmUpFrames);
  globalThis.gc?.();
  readings = 0;
  const before = process.memoryUsage().heapUsed;
  sendUntil(warmUpFrames + frames);
  const bytes = process.memoryUsage().heapUsed - before;
  console.log(JSON.stringify({ bytes: bytes / frames, readings: readings / frames }));
};
