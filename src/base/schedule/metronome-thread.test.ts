import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../clock/system-clock.ts';
import { Metronome } from './metronome.ts';
import type { MetronomeReport } from './metronome-messages.ts';
import { Scheduler } from './scheduler.ts';

const entry = `
  import { parentPort } from 'node:worker_threads';
  import { SystemClock } from '../clock/system-clock.ts';
  import { runMetronome } from './metronome-thread.ts';
  if (parentPort) void runMetronome(parentPort, new SystemClock());
`;

/** Numbers that look random and are the same in every run. */
const sequence = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

describe('a metronome in a thread of its own', () => {
  const clock = new SystemClock();
  let folder: string;
  const workers: Worker[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-metronome-'));
    await build({
      stdin: { contents: entry, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      external: ['koffi'],
      outfile: join(folder, 'metronome.cjs'),
      logLevel: 'error',
    });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const startThread = (): Worker => {
    const worker = new Worker(join(folder, 'metronome.cjs'));
    workers.push(worker);
    return worker;
  };

  const ringOf = (metronome: Metronome): Promise<number> =>
    new Promise((resolveRing) => {
      metronome.onRing = () => resolveRing(clock.monotonicUs());
    });

  it('rings exactly once for each of 1000 arms and never early', async () => {
    const metronome = new Metronome({ clock });
    metronome.attach(startThread());
    const random = sequence(7);
    let rings = 0;
    let early = 0;
    await new Promise<void>((done) => {
      let armedUs = 0;
      const arm = (): void => {
        armedUs = clock.monotonicUs() + random() * 1500 - 200;
        metronome.arm(armedUs);
      };
      metronome.onRing = () => {
        rings++;
        if (clock.monotonicUs() < armedUs) early++;
        if (rings < 1000) arm();
        else done();
      };
      arm();
    });
    // A second ring for any of them would be on its way before the one that is awaited here.
    const last = ringOf(metronome);
    const lastUs = clock.monotonicUs() + 2000;
    metronome.arm(lastUs);
    expect(await last).toBeGreaterThanOrEqual(lastUs);
    expect({ rings, early }).toEqual({ rings: 1000, early: 0 });
  }, 30_000);

  it('serves a scheduler whose tasks come and go, none early, none forgotten', async () => {
    const metronome = new Metronome({ clock });
    metronome.attach(startThread());
    const errors: unknown[] = [];
    const scheduler = new Scheduler({ clock, alarm: metronome, onError: (e) => errors.push(e) });
    const random = sequence(11);
    let early = 0;
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) =>
          new Promise<void>((done) => {
            let runs = 0;
            const task = scheduler.createTask(`task ${index}`, (nowUs, dueUs) => {
              if (nowUs < dueUs) early++;
              if (++runs < 100) return nowUs + random() * 2000;
              done();
            });
            task.scheduleAt(clock.monotonicUs() + random() * 2000);
          }),
      ),
    );
    expect({ early, errors, ran: scheduler.lateness.count }).toEqual({
      early: 0,
      errors: [],
      ran: 2000,
    });
  }, 30_000);

  it('wakes for an earlier time than the one it sleeps for', async () => {
    const metronome = new Metronome({ clock });
    const worker = startThread();
    metronome.attach(worker);
    await once(worker, 'message');
    const hourUs = 3_600_000_000;
    metronome.arm(clock.monotonicUs() + hourUs);
    const ring = ringOf(metronome);
    const soonUs = clock.monotonicUs() + 3000;
    metronome.arm(soonUs);
    expect(await ring).toBeGreaterThanOrEqual(soonUs);
  });

  it('rings at the later time when it was put off', async () => {
    const metronome = new Metronome({ clock });
    metronome.attach(startThread());
    const ring = ringOf(metronome);
    const startUs = clock.monotonicUs();
    metronome.arm(startUs + 2000);
    metronome.arm(startUs + 8000);
    expect(await ring).toBeGreaterThanOrEqual(startUs + 8000);
  });

  it('ends its thread when stopped, asleep or not yet started', async () => {
    for (const sleeping of [true, false]) {
      const metronome = new Metronome({ clock });
      const worker = startThread();
      metronome.attach(worker);
      metronome.arm(clock.monotonicUs() + 3_600_000_000);
      if (sleeping) await once(worker, 'message');
      const exit = once(worker, 'exit');
      metronome.stop();
      expect(await exit).toEqual([0]);
    }
  });

  it('keeps the armed time when its thread is killed and another takes over', async () => {
    const metronome = new Metronome({ clock });
    const doomed = startThread();
    metronome.attach(doomed);
    await once(doomed, 'message');
    const ring = ringOf(metronome);
    const atUs = clock.monotonicUs() + 5000;
    metronome.arm(atUs);
    await doomed.terminate();
    metronome.attach(startThread());
    expect(await ring).toBeGreaterThanOrEqual(atUs);
  });

  it.runIf(process.platform === 'linux')('reports what the system granted', async () => {
    const reportOf = (fifoPriority?: number): Promise<MetronomeReport> =>
      new Promise((onReport) => {
        const options = fifoPriority === undefined ? {} : { fifoPriority };
        new Metronome({ clock, ...options, onReport }).attach(startThread());
      });
    expect(await reportOf()).toEqual({ exactTimers: true });
    expect([
      { exactTimers: true, fifo: { granted: true } },
      { exactTimers: true, fifo: { granted: false, reason: 'EPERM' } },
    ]).toContainEqual(await reportOf(5));
    expect(await reportOf(1000)).toEqual({
      exactTimers: true,
      fifo: { granted: false, reason: 'EINVAL' },
    });
  });
});
