import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { requestFifo } from '../../src/base/native/libc.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';
import { RpcPort } from '../../src/base/threads/rpc-port.ts';
import { BenchSink } from '../../src/bench/bench-sink.ts';
import { Channel } from '../../src/bench/channel.ts';
import { Broker } from '../../src/broker/broker.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import type { Driver } from '../../src/drivers/driver.ts';
import { createVirtualDriver } from '../../src/drivers/virtual/virtual-driver.ts';
import { loaderTraces, type TraceRpc } from '../../src/trace/service/loader-traces.ts';
import type { ReplayRecord } from '../../src/transmit/replay/replay-record.ts';
import { ReplayService } from '../../src/transmit/replay/replay-service.ts';
import type { FoundSendChannel } from '../../src/transmit/send-channel.ts';

const pollMs = 200;
const settings = { bus: 'canfd', bitrate: 1_000_000, dataBitrate: 8_000_000 } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { realtime: { type: 'boolean', default: false } },
});
const [file = '', warmUp] = positionals;

const clock = new SystemClock();
const fail = (thrown: unknown): void => {
  console.error(thrown);
  process.exit(1);
};
const broker = new Broker();
const publisher = new Publisher(broker.memory, broker.claimWriter());

const startScheduler = async (): Promise<Scheduler> => {
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  return new Scheduler({ clock, alarm, onError: fail });
};

const enterRealtime = async (): Promise<string | null> => {
  const outcome = await requestFifo(10);
  return outcome.granted ? null : outcome.reason;
};

const open = async (driver: Driver, scheduler: Scheduler, port: number): Promise<Channel> => {
  const ring = broker.openRing({ channel: port, writer: publisher.writer });
  const sink = new BenchSink({ handle: ring, writer: new RingWriter(publisher, ring) }, fail);
  const hardware = await driver.open('SIM00001', port, settings, sink);
  const identity = {
    slot: port,
    name: null,
    driver: 'virtual',
    sn: 'SIM00001',
    uid: 'sim',
    port,
    number: port + 1,
  };
  return new Channel({ identity, hardware, sink, clock, scheduler, onDefect: fail });
};

const run = async (): Promise<void> => {
  const refusal = values.realtime ? await enterRealtime() : null;
  const scheduler = await startScheduler();
  const driver = createVirtualDriver({ clock, scheduler, addresses: [], broker });
  const loader = new Worker(join(import.meta.dirname, 'loader-worker.mjs'), {
    workerData: dirname(file),
  });
  const calls = new RpcPort<TraceRpc>(loader, {}, fail);
  const channels = new Map<string, Channel>();
  for (const port of [0, 1, 2, 3]) {
    const channel = await open(driver, scheduler, port);
    channels.set(channel.selector, channel);
  }
  const service = new ReplayService({ clock, scheduler, traces: loaderTraces(() => calls.remote) });
  const mapping = {
    can0: 'SIM00001/0',
    can1: 'SIM00001/1',
    can2: 'SIM00001/2',
    can3: 'SIM00001/3',
  };
  const find = async (text: string): Promise<FoundSendChannel> => {
    const channel = channels.get(text);
    if (!channel) throw new TypeError(text);
    return { channel, text, kind: 'serial', resolved: null };
  };
  const replay = async (path: string): Promise<ReplayRecord> => {
    await service.start(
      { file: path, channels: mapping, speed: 1, loop: false, start_offset_us: 0 },
      find,
    );
    while (service.status().state === 'running') await delay(pollMs);
    return service.status();
  };
  const received = (): number =>
    [...channels.values()].reduce((sum, channel) => sum + channel.stats().rx_frames, 0);
  // Not during warm-up, when the code is still being compiled.
  if (warmUp) await replay(warmUp);
  const receivedBefore = received();
  const before = process.cpuUsage();
  const startUs = clock.monotonicUs();
  const record = await replay(file);
  const { user, system } = process.cpuUsage(before);
  const cores = (user + system) / (clock.monotonicUs() - startUs);
  // Frames received on the buses by other nodes than the sender.
  console.log(JSON.stringify({ record, received: received() - receivedBefore, cores, refusal }));
  process.exit();
};

run().catch(fail);
