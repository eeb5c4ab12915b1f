import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { nextPeriod } from '../../src/base/schedule/period.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';
import { Broker } from '../../src/broker/broker.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import { setFrm2TimestampUs, writeFrm2 } from '../../src/frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../src/frame/frm2-layout.ts';
import { noRecorderStatus, type RecorderStatus } from '../../src/recording/recording-record.ts';
import { plainRecording } from '../../src/recording/recording-request.ts';
import { RecorderThreads } from '../../src/recording/service/recorder-threads.ts';

// A bench thread that publishes CAN FD frames on six channels, with or without two recorders.
const periodUs = 1000;
const channelCount = 6;
/** Until the code is compiled. */
const warmUpMs = 1500;
/** Recorder threads have this niceness. */
const recorderNiceness = 3;
/** Lengths of CAN FD and classic payloads, as on a vehicle bus. */
const lengths = [8, 8, 16, 8, 64, 8, 32, 8];
const dlcs = new Map(
  [...lengths].map((length) => [length, { 8: 8, 16: 10, 32: 13, 64: 15 }[length]]),
);

const { values } = parseArgs({
  options: {
    project: { type: 'string', default: '.' },
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '4' },
    formats: { type: 'string', default: '' },
  },
});
const formats = values.formats.split(',').filter(Boolean) as ('blf' | 'mf4')[];
const perTick = (Number(values.rate) * periodUs) / 1e6;

const fail = (thrown: unknown): never => {
  console.error(thrown);
  process.exit(1);
};
const clock = new SystemClock();
const broker = new Broker();
const publisher = new Publisher(broker.memory, broker.claimWriter());
const channels = Array.from({ length: channelCount }, (_, slot) => {
  const ring = broker.openRing({ channel: slot, writer: publisher.writer });
  const writer = new RingWriter(publisher, ring);
  return { slot, selector: `SIM00001/${slot}`, name: null, number: slot + 1, ring, writer };
});
const threads = new RecorderThreads({
  broker,
  clock,
  projectRoot: values.project,
  unixOffsetUs: clock.unixOffsetUs,
  startRecorder: (data) =>
    new Worker(join(import.meta.dirname, 'recorder.mjs'), {
      workerData: { ...data, realtime: false },
    }),
  entries: () => channels.map(({ writer: _, ...channel }) => channel),
  onDefect: fail,
});

const payload = new Uint8Array(64).map((_, at) => at);
let published = 0;
let isMeasured = false;
const lateness: number[] = [];

const publish = (): void => {
  const { writer, slot } = channels[published % channelCount] as (typeof channels)[number];
  const length = lengths[published % lengths.length] as number;
  payload[0] = published & 0xff;
  const at = writer.reserve();
  const { view } = writer;
  writeFrm2(
    view,
    at,
    busCode.canfd,
    eventKindCode.rx_frame,
    slot,
    0x100 + (published % 0x200),
    frameFlag.fd | frameFlag.brs,
    dlcs.get(length) as number,
    payload,
    0,
    length,
  );
  setFrm2TimestampUs(view, at, clock.unixUs());
  writer.commit();
  published += 1;
};

const tick = (nowUs: number, dueUs: number): number => {
  if (isMeasured) lateness.push(nowUs - dueUs);
  const nextUs = nextPeriod(dueUs, periodUs, nowUs);
  // What a late tick skipped is published too: the rate stays the same.
  const frames = (perTick * (nextUs - dueUs)) / periodUs;
  for (let frame = 0; frame < frames; frame++) publish();
  return nextUs;
};

/** Processor time of the threads with the niceness of recorders, in seconds. */
const recorderSeconds = (): number => {
  let ticks = 0;
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[16]) === recorderNiceness) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
};

const measure = async (): Promise<void> => {
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  const scheduler = new Scheduler({ clock, alarm, onError: fail });
  const opened = formats.map((format) =>
    threads.open(format, {
      ...noRecorderStatus,
      state: 'running',
      file: `bench.${format}`,
      format,
    }),
  );
  const sessions = await Promise.all(opened);
  await Promise.all(
    sessions.map((session, at) => {
      const format = formats[at] as 'blf' | 'mf4';
      const file = `bench_{n}.${format}`;
      return session.begin(plainRecording({ name: format, bench: 'rig', file, format }));
    }),
  );
  const task = scheduler.createTask('publish', tick);
  task.scheduleAt(clock.monotonicUs() + 10_000);
  await delay(warmUpMs);
  const [beforeUs, before] = [clock.monotonicUs(), recorderSeconds()];
  isMeasured = true;
  await delay(Number(values.seconds) * 1000);
  isMeasured = false;
  const seconds = (clock.monotonicUs() - beforeUs) / 1e6;
  const cores = formats.length === 0 ? 0 : (recorderSeconds() - before) / seconds / formats.length;
  task.cancel();
  const records: RecorderStatus[] = await Promise.all(sessions.map((each) => each.finish()));
  lateness.sort((one, other) => one - other);
  const quantile = (share: number): number =>
    lateness[Math.ceil(share * lateness.length) - 1] as number;
  const results = records.map(({ state, format, frames, missed, bytes, files }) => ({
    ...{ state, format, frames, missed, bytes },
    file: files[0]?.file,
  }));
  const late = { p50: quantile(0.5), p99: quantile(0.99) };
  console.log(JSON.stringify({ published, cores, ...late, results }));
  process.exit();
};

void measure().catch(fail);
