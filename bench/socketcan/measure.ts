// Cost of kernel frames, run inside the machine: node measure.mjs <what> [numbers…]; without
// arguments it runs the others and prints their results.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
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
import { SocketCanDriver } from '../../src/drivers/socketcan/socketcan-driver.ts';
import { TxRing } from '../../src/drivers/socketcan/tx-ring.ts';
import { frm2TimestampUs } from '../../src/frame/frm2-codec.ts';
import { engineFlags, keepCompiledCode } from '../../src/link/engine-flags.ts';

const network = 'vcan0';
const floodFrames = 8_000;
const sendFrames = 8_000;
const peerSendFrames = 4_000;
const warmUpFrames = 20_000;
const warmUpRounds = 8;
/** Much longer than a full buffer needs to drain. */
const rampSeconds = 4;
const rampStep = Math.SQRT2;
const rampFrom = 500;
const rampTo = 64_000;
/** Default receive buffer of a socket; the option sets half of it. */
const commonBuffer = 212_992;
const silenceMs = 1_500;
/** Interval between checks for new frames. */
const tickMs = 50;

/** Counts a burst, prints it, and starts over. */
const pythonReceiver = `
import time, can
bus = can.Bus(interface='socketcan', channel='${network}')
print('ready', flush=True)
while bus.recv() is not None:
    begun = time.process_time(); count = 1
    while bus.recv(${silenceMs / 1000}) is not None: count += 1
    us = 1e6 * (time.process_time() - begun) / count
    print('{"count":%d,"us":%f}' % (count, us), flush=True)
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
  readonly us: number;
  readonly seconds?: number;
}

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const say = (figure: object): void => {
  process.stdout.write(`${JSON.stringify(figure)}\n`, () => process.exit(0));
};

const openChannel = async (receiveBuffer = defaultReceiveBuffer) => {
  // Flags of the loaded bench thread.
  keepCompiledCode();
  const clock = new SystemClock();
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  const onError = (error: unknown): never => {
    throw error;
  };
  const scheduler = new Scheduler({ clock, alarm, onError });
  const broker = new Broker();
  const context = { clock, scheduler, addresses: [], broker };
  const driver = new SocketCanDriver(context, undefined, receiveBuffer);
  const publisher = new Publisher(broker.memory, broker.claimWriter());
  const handle = broker.openRing({ channel: 0, writer: publisher.writer, slots: defaultRingSlots });
  const sink = new BenchSink({ handle, writer: new RingWriter(publisher, handle) }, onError);
  const channel = await driver.open(network, 0, {}, sink);
  if (channel.bus === 'lin') throw new TypeError(`${network} is no LIN port`);
  return { channel, sink, scheduler, clock };
};

/** Counts a burst, prints it, and starts over. */
const receive = async (receiveBuffer: number): Promise<void> => {
  const { channel, sink } = await openChannel(receiveBuffer);
  let count = 0;
  let begun = 0;
  let counted = 0;
  let overruns = 0;
  sink.frames.add(() => {
    if (count === 0) begun = cpuUs();
    count += 1;
  });
  let quietMs = 0;
  let spentUs = 0;
  setInterval(() => {
    const isQuiet = count > 0 && count === counted;
    counted = count;
    // Idle time of the process is not part of the cost.
    if (!isQuiet) spentUs = cpuUs() - begun;
    quietMs = isQuiet ? quietMs + tickMs : 0;
    if (quietMs < silenceMs) return;
    const us = spentUs / count;
    const before = overruns;
    ({ overruns } = channel.stats());
    console.log(JSON.stringify({ count, us, lost: overruns - before }));
    count = 0;
  }, tickMs);
  console.log('ready');
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

/** A read-only socket, read as on a separate thread. */
const openSocket = async () => {
  const calls = await loadCanCalls();
  const index = Number(readFileSync(`/sys/class/net/${network}/ifindex`, 'utf8'));
  const options = { calls, name: network, index, fd: false, filters: undefined };
  return { calls, socket: new RawSocket({ ...options, receiveBuffer: defaultReceiveBuffer }) };
};

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
  console.log(`            read by a separate thread: ${percentiles(there)}`);
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

/** A program whose last line is a result; `onReady` is called when it listens. */
const figureOf = (command: readonly string[], onReady?: () => void): Promise<Figure> =>
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

/** Flags of the daemon. */
const ours = (...args: (string | number)[]): string[] => [
  process.execPath,
  ...engineFlags,
  process.argv[1] ?? '',
  ...args.map(String),
];
/** A program that prints a result for each burst. */
class Receiver {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(command: readonly string[]) {
    const [name = '', ...args] = command;
    this.#child = spawn(name, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  async listens(): Promise<void> {
    const { value } = await this.#lines.next();
    if (value !== 'ready') throw new Error(`A receiver said ${value}`);
  }

  /** Share of the frames that it received, and the actual send rate. */
  async figure(rate: number, count: number): Promise<Figure & { readonly rate: number }> {
    const { seconds = 1 } = await figureOf(ours('source', rate, count / rate));
    const { value } = await this.#lines.next();
    return { ...JSON.parse(value ?? ''), rate: Math.round(count / seconds) };
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

const listening = async <T>(
  command: readonly string[],
  measure: (receiver: Receiver) => Promise<T>,
): Promise<T> => {
  const receiver = new Receiver(command);
  try {
    await receiver.listens();
    return await measure(receiver);
  } finally {
    receiver.stop();
  }
};

const unlimited = 1_000_000;

const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
};
const tickUs = 10_000;

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

const candump = async (rate: number, count: number): Promise<Figure> => {
  const file = '/tmp/candump.txt';
  const child = spawn('sh', ['-c', `exec candump ${network} > ${file}`], {});
  const pid = child.pid ?? 0;
  await new Promise((resolve) => setTimeout(resolve, silenceMs));
  const before = ticksOf(pid);
  await figureOf(ours('source', rate, count / rate));
  for (let last = -1; last !== ticksOf(pid); ) {
    last = ticksOf(pid);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const ticks = ticksOf(pid) - before;
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  return { count: linesOf(file), us: (ticks * tickUs) / Math.max(1, linesOf(file)) };
};

/** The lowest rate at which a receiver misses a frame; undefined if it misses none. */
const firstLoss = async (name: string, receiver: Receiver, from: number) => {
  let best = 0;
  for (let wanted = from; wanted <= rampTo; wanted *= rampStep) {
    const count = Math.round(wanted * rampSeconds);
    const { rate, count: received } = await receiver.figure(Math.round(wanted), count);
    console.log(`  ${name}: ${rate} frames/s, ${count - received} lost`);
    if (received < count) return { best, lossAt: rate };
    if (rate < 0.8 * wanted) break;
    best = rate;
  }
  return { best, lossAt: undefined };
};

/** Prints a result and its limit. */
const reported = (name: string, figure: number, peer: number, limit: number): boolean => {
  const ratio = figure / peer;
  const numbers = `${figure.toFixed(1)} µs a frame, ${peer.toFixed(1)}`;
  console.log(`${name.padEnd(32)} ${numbers}: ${ratio.toFixed(3)} (limit ${limit})`);
  return ratio <= limit;
};

const python = (program: string, ...args: string[]) => ['/usr/bin/python3', '-c', program, ...args];

/** The median of three, because other guests disturb some runs. */
const middleOf = async (measure: () => Promise<Figure>): Promise<Figure> => {
  const figures: Figure[] = [];
  for (let round = 0; round < 3; round++) figures.push(await measure());
  return figures.sort((one, other) => one.us - other.us)[1] as Figure;
};

const warmUp = async (receiver: Receiver): Promise<void> => {
  for (let round = 0; round < warmUpRounds; round++) {
    await receiver.figure(unlimited, warmUpFrames);
  }
};

const received = async (): Promise<boolean> => {
  const own = await listening(ours('receive', defaultReceiveBuffer), async (receiver) => {
    await warmUp(receiver);
    return middleOf(() => receiver.figure(unlimited, warmUpFrames));
  });
  const dumped = await middleOf(() => candump(unlimited, floodFrames));
  const py = await listening(python(pythonReceiver), async (receiver) => {
    await receiver.figure(unlimited, floodFrames);
    return middleOf(() => receiver.figure(unlimited, floodFrames));
  });
  console.log(
    `  of ${floodFrames} together: ${own.count} here, ${dumped.count} candump, ${py.count} python-can`,
  );
  const isHalf = reported('received, candump', own.us, dumped.us, 0.5);
  const isTenth = reported('received, python-can', own.us, py.us, 0.1);
  return isHalf && isTenth;
};

const sent = async (): Promise<boolean> => {
  const own = await figureOf(ours('send', sendFrames, warmUpRounds * warmUpFrames));
  const py = await figureOf(python(pythonSender, String(peerSendFrames)));
  return reported('sent, python-can', own.us, py.us, 0.5);
};

/** Both use the same kernel buffer, so that losses are due to slow reading. */
const losses = async (): Promise<boolean> => {
  const py = await listening(python(pythonReceiver), (receiver) =>
    firstLoss('python-can', receiver, rampFrom),
  );
  const peer = py.lossAt ?? Number.POSITIVE_INFINITY;
  const own = await listening(ours('receive', commonBuffer / 2), async (receiver) => {
    await warmUp(receiver);
    return firstLoss('here', receiver, Math.min(peer * rampStep, rampTo));
  });
  const reached = own.lossAt ?? own.best;
  const how = own.lossAt === undefined ? 'none up to' : 'first at';
  const times = reached / peer;
  console.log(
    `losses, python-can               ${how} ${reached} frames/s, ${peer}: ${times.toFixed(1)} times (limit 2)`,
  );
  return times >= 2;
};

const latencies = async (): Promise<boolean> => {
  const steady = 400;
  await figureOf(ours('latency', steady), () => void figureOf(ours('source', 100, steady / 100)));
  return true;
};

const parts = { received, sent, losses, latencies };

const all = async (names: readonly string[]): Promise<void> => {
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    if (!(await measure())) process.exitCode = 1;
  }
};

const [, , what, ...numbers] = process.argv;
const [first = 0, second = 0] = numbers.map(Number);
if (!isMainThread) await readInThread();
else if (what === 'latency') await latency(first);
else if (what === 'receive') await receive(first);
else if (what === 'send') await send(first, second);
else if (what === 'source') await source(first, second);
else await all(process.argv.slice(2));
