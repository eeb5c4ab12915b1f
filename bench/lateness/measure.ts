import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { type FifoOutcome, requestFifo } from '../../src/base/native/libc.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { nextPeriod, skippedPeriods } from '../../src/base/schedule/period.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';

const periodUs = 1000;
/** Ticks until the code is compiled and the load has settled. */
const warmUp = 400;

const { values } = parseArgs({
  options: {
    way: { type: 'string', default: 'scheduler' },
    ticks: { type: 'string', default: '3000' },
    loaded: { type: 'boolean', default: false },
    realtime: { type: 'boolean', default: false },
  },
});

const clock = new SystemClock();
const wanted = Number(values.ticks);
const samples = new Float64Array(wanted);
let ticks = -warmUp;
let missed = 0;

/** Notes the lateness of a tick and returns the next deadline. */
const tick = (nowUs: number, dueUs: number): number => {
  if (ticks >= 0 && ticks < wanted) {
    samples[ticks] = nowUs - dueUs;
    missed += skippedPeriods(dueUs, periodUs, nowUs);
  }
  if (++ticks === wanted) finish();
  return nextPeriod(dueUs, periodUs, nowUs);
};

let realtime: FifoOutcome | undefined;

const finish = (): void => {
  samples.sort();
  const quantile = (share: number): number => samples[Math.ceil(share * wanted) - 1] as number;
  console.log(JSON.stringify({ p50: quantile(0.5), p99: quantile(0.99), missed, realtime }));
  process.exit();
};

const byScheduler = async (): Promise<void> => {
  if (values.realtime) realtime = await requestFifo(10);
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  const onError = (error: unknown): never => {
    throw error;
  };
  const scheduler = new Scheduler({ clock, alarm, onError });
  scheduler.createTask('tick', tick).scheduleAt(clock.monotonicUs() + 100_000);
};

const byTimeout = (): void => {
  let dueUs = clock.monotonicUs() + periodUs;
  const onTimeout = (): void => {
    const nowUs = clock.monotonicUs();
    if (nowUs >= dueUs) dueUs = tick(nowUs, dueUs);
    setTimeout(onTimeout, (dueUs - nowUs) / 1000);
  };
  setTimeout(onTimeout, 1);
};

const byInterval = (): void => {
  let dueUs = clock.monotonicUs() + periodUs;
  setInterval(() => {
    const nowUs = clock.monotonicUs();
    if (nowUs >= dueUs) dueUs = tick(nowUs, dueUs);
  }, periodUs / 1000);
};

if (values.loaded) new Worker(join(import.meta.dirname, 'load.mjs'));
if (values.way === 'timeout') byTimeout();
else if (values.way === 'interval') byInterval();
else void byScheduler();
