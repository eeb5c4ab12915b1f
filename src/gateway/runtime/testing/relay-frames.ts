/**
 * An instance on a virtual CAN FD bus that receives a frame each millisecond and sends two,
 * including the whole path on the bench thread. Prints the bytes allocated per millisecond once
 * V8 has compiled the code.
 */
import { YieldQueue } from '../../../base/clock/yield-queue.ts';
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import {
  steppedAlarm as alarm,
  armed,
  steppedClock as clock,
  now,
  times,
} from '../../../base/testing/stepped-time.ts';
import { BenchSink } from '../../../bench/bench-sink.ts';
import { Channel } from '../../../bench/channel.ts';
import { Broker } from '../../../broker/broker.ts';
import { Publisher } from '../../../broker/publisher.ts';
import { RingWriter } from '../../../broker/ring-writer.ts';
import { createVirtualDriver } from '../../../drivers/virtual/virtual-driver.ts';
import { busyRelay } from '../../engine/testing/busy-relay.ts';
import { buildImage } from '../../image/build-image.ts';
import { StateWriter } from '../../image/image-state.ts';
import { TaskPage } from '../../image/task-page.ts';
import { loadProject } from '../../project/load-project.ts';
import { InstanceRuntime } from '../instance-runtime.ts';
import type { FoundEndpoint } from '../resolve-modbus.ts';
import { sharedModbus } from './shared-modbus.ts';

const warmUpMs = 150_000;
const measuredMs = 20_000;
/**
 * Delay of the alarm: a fraction, since a time that is a small integer would need no allocation.
 */
const lateUs = 37.25;

const onDefect = (thrown: unknown): void => {
  throw thrown;
};
const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
const broker = new Broker();
const publisher = new Publisher(broker.memory, broker.claimWriter());
const driver = createVirtualDriver({ clock, scheduler, addresses: [], broker });

const open = async (port: number): Promise<Channel> => {
  const handle = broker.openRing({ channel: port, writer: publisher.writer });
  const sink = new BenchSink({ handle, writer: new RingWriter(publisher, handle) }, onDefect);
  const settings = { bus: 'canfd', bitrate: 1_000_000, dataBitrate: 8_000_000 } as const;
  const hardware = await driver.open('SIM00001', port, settings, sink);
  const identity = {
    slot: port,
    sn: 'SIM00001',
    uid: 'sim-0000-0001',
    port,
    number: port,
    name: null,
    driver: 'virtual',
  };
  return new Channel({ identity, hardware, sink, clock, scheduler, onDefect });
};

const endpointOf = (channel: Channel): FoundEndpoint => {
  const { selector: text } = channel;
  return {
    id: text,
    network: text,
    role: 'can',
    found: { channel, text, kind: 'network', resolved: text },
  };
};

const run = async (): Promise<void> => {
  const [input, source, output] = await Promise.all([open(0), open(1), open(2), open(3)]);
  const image = buildImage(loadProject(Buffer.from(JSON.stringify(busyRelay()))));
  const runtime = new InstanceRuntime({
    name: 'relay',
    image,
    writer: new StateWriter(image),
    clock,
    scheduler,
    modbus: sharedModbus(clock, scheduler),
    turns: new YieldQueue(),
  });
  await runtime.compile();
  await runtime.connect([input, output].map(endpointOf));
  await runtime.reset();
  runtime.start();
  const lane = source.outbox.open({}, { isUrgent: true });
  const data = new Uint8Array(4);
  const view = new DataView(data.buffer);
  const runUntil = (untilUs: number): void => {
    while ((times[armed] as number) <= untilUs) {
      times[now] = (times[armed] as number) + lateUs;
      alarm.onRing?.();
    }
    if ((times[now] as number) < untilUs) times[now] = untilUs;
  };
  const relay = (count: number): void => {
    for (let frame = 0; frame < count; frame++) {
      view.setUint8(0, frame);
      view.setUint16(1, frame & 0x3fff, true);
      lane.send(0x100, 0, 4, data, 0, 4);
      runUntil((times[now] as number) + 1000);
    }
  };
  const sentSoFar = () => new TaskPage(image, 0, 0).totals.sent;
  relay(warmUpMs);
  globalThis.gc?.();
  relay(measuredMs);
  const before = sentSoFar();
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  relay(measuredMs);
  const bytes = (process.memoryUsage().heapUsed - heap) / measuredMs;
  console.log(JSON.stringify({ bytes, sent: (sentSoFar() - before) / measuredMs }));
};

void run();
