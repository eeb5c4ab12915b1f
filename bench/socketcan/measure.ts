// What frames of the kernel cost, in the machine: node measure.mjs <what> [numbers…]; without a word it
// is the program that runs the others and prints what they say.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';
import { BenchSink } from '../../src/bench/bench-sink.ts';
import { Broker } from '../../src/broker/broker.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import { defaultRingSlots } from '../../src/broker/ring-memory.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import { loadCanCalls } from '../../src/drivers/socketcan/can-calls.ts';
import { defaultReceiveBuffer, RawSocket } from '../../src/drivers/socketcan/raw-socket.ts';
import { createSocketCanDriver } from '../../src/drivers/socketcan/socketcan-driver.ts';
import { TxRing } from '../../src/drivers/socketcan/tx-ring.ts';
import { frm2TimestampUs } from '../../src/frame/frm2-codec.ts';

const network = 'vcan0';
const frames = 12_000;
const sendFrames = 8_000;
const peerFrames = 4_000;
/** Compiling takes an emulated processor long, and is done once. */
const warmUpFrames = 20_000;
const rampSeconds = 3;
/** Programs start slowly there. */
const patienceMs = 30_000;
const rates = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

const pythonReceiver = `
import sys, time, can
bus = can.Bus(interface='socketcan', channel='${network}')
print('ready', flush=True)
wanted = int(sys.argv[1]); count = 0; begun = None
while count < wanted:
    message = bus.recv(30.0 if count == 0 else 4.0)
    if message is None: break
    if begun is None: begun = time.process_time()
    count += 1
print('{"count":%d,"us":%f}' % (count, 1e6 * (time.process_time() - (begun or 0)) / max(1, count)))
`;
const pythonSender = `
import sys, time, can
bus = can.Bus(interface='socketcan', channel='${network}')
message = can.Message(arbitration_id=0x123, is_extended_id=False, data=bytes(8))
count = int(sys.argv[1]); begun = time.process_time()
for _ in range(count): bus.send(message)
print('{"count":%d,"us":%f}' % (count, 1e6 * (time.process_time() - begun) / count))
`;

interface Figure {
  readonly count: number;
  /** Processor time of a frame. */
  readonly us: number;
  readonly lost?: number;
}

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const say = (figure: object): void => {
  process.stdout.write(`${JSON.stringify(figure)}\n`, () => process.exit(0));
};

const openChannel = async () => {
  const clock = new SystemClock();
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  const onError = (error: unknown): never => {
    throw error;
  };
  const scheduler = new Scheduler({ clock, alarm, onError });
  const broker = new Broker();
  const driver = createSocketCanDriver({ clock, scheduler, addresses: [], broker });
  const publisher = new Publisher(broker.memory, broker.claimWriter());
  const handle = broker.openRing({ channel: 0, writer: publisher.writer, slots: defaultRingSlots });
  const sink = new BenchSink({ handle, writer: new RingWriter(publisher, handle) }, onError);
  const channel = await driver.open(network, 0, {}, sink);
  if (channel.bus === 'lin') throw new TypeError(`${network} is no LIN port`);
  return { channel, sink, scheduler, clock };
};

const receive = async (wanted: number, unmeasured: number): Promise<void> => {
  const { channel, sink } = await openChannel();
  let count = 0;
  let begun = 0;
  let last = performance.now();
  sink.frames.add(() => {
    if (count === unmeasured) begun = cpuUs();
    count += 1;
    last = performance.now();
  });
  console.log('ready');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const patience = count === 0 ? patienceMs : 4_000;
    if (count < wanted && performance.now() - last < patience) continue;
    const us = (cpuUs() - begun) / Math.max(1, count - unmeasured);
    say({ count, us, lost: channel.stats().overruns });
    return;
  }
};

const send = async (measured: number, unmeasured: number): Promise<void> => {
  const count = measured + unmeasured;
  const { channel, sink } = await openChannel();
  const data = new Uint8Array(8);
  let handed = 0;
  let begun = cpuUs();
  const feed = (): void => {
    while (handed < count && channel.send(0x123, 0, 8, data, 0, 8) === 'accepted') handed += 1;
  };
  let sent = 0;
  const done = new Promise<void>((resolve) => {
    sink.sentFrames.add(() => {
      sent += 1;
      if (sent === unmeasured) begun = cpuUs();
      if (handed < count && sent % 64 === 0) feed();
      if (sent === count) resolve();
    });
  });
  feed();
  await done;
  say({ count, us: (cpuUs() - begun) / measured });
};

/** Sends at a rate, in bursts of a few milliseconds. */
const source = async (rate: number, seconds: number): Promise<void> => {
  const calls = await loadCanCalls();
  const index = Number(readFileSync(`/sys/class/net/${network}/ifindex`, 'utf8'));
  const options = { calls, name: network, index, fd: false, receiveBuffer: 4096 };
  const socket = new RawSocket({ ...options, filters: Uint32Array.of(0x7ff, 0x7ff) });
  const ring = new TxRing((buffer) => calls.addressOf(buffer), 256);
  const data = new Uint8Array(8);
  for (let i = 0; i < 256; i++) ring.push(0x123, 0, 8, data, 0, 8);
  const total = rate * seconds;
  const begun = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * rate));
    const now = socket.send(ring.runAddress, Math.min(256, due - sent));
    if (due > sent && now !== undefined) sent += now;
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
  say({ count: total, seconds: (performance.now() - begun) / 1000 });
};

const percentiles = (values: number[]): string => {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)} µs`;
};

/** A socket that is only read, as a thread of its own would read it. */
const openSocket = async () => {
  const calls = await loadCanCalls();
  const index = Number(readFileSync(`/sys/class/net/${network}/ifindex`, 'utf8'));
  const options = { calls, name: network, index, fd: false, filters: undefined };
  return { calls, socket: new RawSocket({ ...options, receiveBuffer: defaultReceiveBuffer }) };
};

/** From the kernel to a listener of the bench thread, beside how late its own tasks are. */
const latency = async (wanted: number): Promise<void> => {
  const { sink, scheduler, clock } = await openChannel();
  const { calls } = await openSocket();
  const worker = new Worker(process.argv[1] ?? '');
  const here: number[] = [];
  const there: number[] = [];
  const tasks: number[] = [];
  await new Promise((resolve) => worker.once('message', resolve));
  worker.on('message', (kernelUs: number) => there.push(calls.systemTimeUs() - kernelUs));
  sink.frames.add((view, at) => here.push(clock.unixUs() - frm2TimestampUs(view, at)));
  const task = scheduler.createTask('measure', (nowUs, dueUs) => {
    tasks.push(nowUs - dueUs);
    return nowUs + 5_000;
  });
  task.scheduleAt(clock.monotonicUs());
  console.log('ready');
  while (there.length < wanted) await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(`latency     read on the bench thread: ${percentiles(here)}`);
  console.log(`            read by a thread that tells it: ${percentiles(there)}`);
  console.log(`            tasks of the bench thread: ${percentiles(tasks)}`);
  say({ count: wanted, us: 0 });
};

const readInThread = async (): Promise<void> => {
  const { socket } = await openSocket();
  const { batch } = socket;
  socket.watch(() => {
    const count = socket.receive() ?? 0;
    for (let i = 0; i < count; i++) {
      batch.look(i);
      parentPort?.postMessage(batch.kernelUs);
    }
  });
  parentPort?.postMessage(0);
};

/** A program whose last line is a figure; `onReady` is called when it says that it listens. */
const figureOf = (
  command: readonly string[],
  onReady?: () => void,
): Promise<Figure & { readonly seconds?: number }> =>
  new Promise((resolve, reject) => {
    const [name = '', ...args] = command;
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const wasReady = output.includes('ready');
      output += text;
      if (!wasReady && output.includes('ready')) onReady?.();
      for (const line of text.split('\n')) if (/^(latency| {4})/.test(line)) console.log(line);
    });
    child.on('close', () => {
      const line = output.trim().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve(JSON.parse(line));
      else reject(new Error(`${command.join(' ').slice(0, 60)} said ${line}`));
    });
  });

const python = '/usr/bin/python3';
const ours = (...args: (string | number)[]): string[] => [
  process.execPath,
  process.argv[1] ?? '',
  ...args.map(String),
];
const flood = (count: number) => figureOf(ours('source', 1_000_000, count / 1_000_000));

const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
};
const tickUs = 10_000;

const candump = async (count: number): Promise<Figure> => {
  const child = spawn('sh', ['-c', `exec candump ${network} > /tmp/candump.txt`], {});
  const pid = child.pid ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const before = ticksOf(pid);
  await flood(count);
  for (let last = -1; last !== ticksOf(pid); ) {
    last = ticksOf(pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const ticks = ticksOf(pid) - before;
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  const lines = readFileSync('/tmp/candump.txt', 'utf8').split('\n').length - 1;
  return { count: lines, us: (ticks * tickUs) / Math.max(1, lines), lost: count - lines };
};

const received = async (command: readonly string[], count: number): Promise<Figure> => {
  let flooding: Promise<unknown> = Promise.resolve();
  const figure = await figureOf(command, () => {
    flooding = flood(count);
  });
  await flooding;
  return figure;
};

/** The lowest of the rates at which a receiver misses a frame, and the highest before. */
const firstLoss = async (name: string, command: (count: number) => readonly string[]) => {
  let best = 0;
  for (const rate of rates) {
    const count = rate * rampSeconds;
    let sending: Promise<Figure & { readonly seconds?: number }> | undefined;
    const figure = await figureOf(command(count), () => {
      sending = figureOf(ours('source', rate, rampSeconds));
    });
    const { seconds = rampSeconds } = (await sending) ?? {};
    const reached = Math.round(count / seconds);
    const lost = count - figure.count;
    console.log(`  ${name}: ${reached} frames/s, ${lost} lost`);
    if (lost > 0) return { best, lossAt: reached };
    best = reached;
    // The source itself can do no more.
    if (reached < 0.8 * rate) break;
  }
  return { best, lossAt: undefined };
};

const all = async (): Promise<void> => {
  const rx = await received(
    ours('receive', frames + warmUpFrames, warmUpFrames),
    frames + warmUpFrames,
  );
  const dumped = await candump(peerFrames);
  const py = await received([python, '-c', pythonReceiver, String(peerFrames)], peerFrames);
  console.log(
    `received    ${rx.us.toFixed(0)} µs a frame (${rx.count} of ${frames + warmUpFrames})`,
  );
  console.log(
    `candump     ${dumped.us.toFixed(0)} µs (${dumped.count}), ratio ${(rx.us / dumped.us).toFixed(2)}`,
  );
  console.log(
    `python-can  ${py.us.toFixed(0)} µs (${py.count}), ratio ${(rx.us / py.us).toFixed(3)}`,
  );
  const tx = await figureOf(ours('send', sendFrames, warmUpFrames));
  const pyTx = await figureOf([python, '-c', pythonSender, String(peerFrames)]);
  console.log(`sent        ${tx.us.toFixed(0)} µs a frame`);
  console.log(`python-can  ${pyTx.us.toFixed(0)} µs, ratio ${(tx.us / pyTx.us).toFixed(2)}`);
  const steady = 400;
  await figureOf(ours('latency', steady), () => void figureOf(ours('source', 100, steady / 100)));
  const pyLoss = await firstLoss('python-can', (count) => [
    python,
    '-c',
    pythonReceiver,
    String(count),
  ]);
  const ourLoss = await firstLoss('ours', (count) => ours('receive', count, 0));
  const reached = ourLoss.lossAt ?? ourLoss.best;
  const factor = pyLoss.lossAt === undefined ? Number.NaN : reached / pyLoss.lossAt;
  const how = ourLoss.lossAt === undefined ? 'none up to' : 'first at';
  console.log(
    `losses      ${how} ${reached} frames/s, python-can's at ${pyLoss.lossAt}: ${factor.toFixed(1)} times`,
  );
  const holds =
    rx.us <= dumped.us / 2 && rx.us <= py.us / 10 && tx.us <= pyTx.us / 2 && factor >= 2;
  if (!holds) process.exitCode = 1;
};

const [, , what, ...numbers] = process.argv;
const [first = 0, second = 0] = numbers.map(Number);
if (!isMainThread) await readInThread();
else if (what === 'latency') await latency(first);
else if (what === 'receive') await receive(first, second);
else if (what === 'send') await send(first, second);
else if (what === 'source') await source(first, second);
else await all();
