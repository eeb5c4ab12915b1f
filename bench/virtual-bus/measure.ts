import { FakeClock } from '../../src/base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../src/base/schedule/testing/fake-alarm.ts';
import { BenchSink } from '../../src/bench/bench-sink.ts';
import { Broker } from '../../src/broker/broker.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { createVirtualDriver } from '../../src/drivers/virtual/virtual-driver.ts';
import { frameFlag } from '../../src/frame/frm2-layout.ts';

const [framesPerSecond = 1000, busSeconds = 10] = process.argv.slice(2).map(Number);
const clock = new FakeClock();
const scheduler = new Scheduler({
  clock,
  alarm: new FakeAlarm(clock),
  onError: (error) => {
    throw error;
  },
});
const broker = new Broker();
const driver = createVirtualDriver({ clock, scheduler, addresses: [], broker });
const publisher = new Publisher(broker.memory, broker.claimWriter());
const settings = { bus: 'canfd', bitrate: 1_000_000, dataBitrate: 8_000_000 } as const;

const open = async (port: number): Promise<CanChannel> => {
  const ring = broker.openRing({ channel: port, writer: publisher.writer });
  const sink = new BenchSink(
    { handle: ring, writer: new RingWriter(publisher, ring) },
    (thrown) => {
      throw thrown;
    },
  );
  return (await driver.open('SIM00001', port, settings, sink)) as CanChannel;
};

const run = async (): Promise<void> => {
  const senders = [await open(0), await open(2)];
  const receivers = [await open(1), await open(3)];
  const data = Uint8Array.from({ length: 8 }, (_, index) => index);
  const flags = frameFlag.fd | frameFlag.brs;
  const periodUs = (2 * 1e6) / framesPerSecond;
  for (const [index, channel] of senders.entries()) {
    const task = scheduler.createTask('sender', (_nowUs, dueUs) => {
      channel.send(0x100 + index, flags, 8, data, 0, 8);
      return dueUs + periodUs;
    });
    task.scheduleAt(clock.monotonicUs() + periodUs);
  }
  clock.advanceUs(1e6);
  const before = process.cpuUsage();
  const counted = receivers.map((channel) => channel.stats().rxFrames);
  clock.advanceUs(busSeconds * 1e6);
  const { user, system } = process.cpuUsage(before);
  const frames = receivers.reduce(
    (sum, channel, index) => sum + channel.stats().rxFrames - (counted[index] ?? 0),
    0,
  );
  console.log(JSON.stringify({ frames, cpuSeconds: (user + system) / 1e6, busSeconds }));
};

void run();
