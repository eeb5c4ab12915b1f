import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundleProgram } from '../testing/bundle-program.ts';
import { SystemClock } from './system-clock.ts';
import { clockSuite } from './testing/clock-suite.ts';

/**
 * Maximum difference between two measured origins; the ages of two threads differ by far more.
 */
const slackUs = 2_000;

describe('SystemClock', () => {
  clockSuite(() => new SystemClock(), slackUs);

  it.each([1, 2, 3, 4])('is not off by a pause of the machine at reading %d', (pausedAt) => {
    // A machine whose time advances with each reading, once by a long step.
    let nowMs = 1000.4;
    let readings = 0;
    const read = (): number => {
      readings += 1;
      nowMs += readings === pausedAt || readings === 96 + pausedAt ? 2 : 0.0005;
      return nowMs;
    };
    const epochMs = 1_700_000_000_000;
    vi.spyOn(performance, 'now').mockImplementation(read);
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(Math.round(read() * 1e6)));
    vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(epochMs + read()));
    onTestFinished(() => void vi.restoreAllMocks());
    const clock = new SystemClock();
    expect(Math.abs(clock.monotonicUs() - nowMs * 1000)).toBeLessThan(10);
    const behindUs = (epochMs + nowMs) * 1000 - clock.unixUs();
    expect(Math.abs(behindUs)).toBeLessThan(10);
    expect(clock.unixBracketUs).toBeLessThan(10);
  });

  it('keeps the anchor it is given, so that stamps of two clocks agree', () => {
    const first = new SystemClock();
    const second = new SystemClock(first.unixOffsetUs);
    expect(second.unixOffsetUs).toBe(first.unixOffsetUs);
    const anchored = new SystemClock(0);
    const before = Math.floor(anchored.monotonicUs());
    expect(anchored.unixUs()).toBeGreaterThanOrEqual(before);
    expect(anchored.unixUs()).toBeLessThanOrEqual(anchored.monotonicUs());
  });

  it('does not call back once cancelled', async () => {
    const clock = new SystemClock();
    const calls: string[] = [];
    clock.after(1, () => calls.push('cancelled')).cancel();
    await new Promise<void>((resolve) => void clock.after(1, resolve));
    expect(calls).toEqual([]);
  });
});

const entry = `
  import { parentPort } from 'node:worker_threads';
  import { SystemClock } from './system-clock.ts';
import { clockSuite } from './testing/clock-suite.ts';
  const clock = new SystemClock();
  parentPort?.on('message', () => parentPort?.postMessage(clock.monotonicUs()));
`;

describe('SystemClock across threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-clock-'));
  let worker: Worker;

  beforeAll(async () => {
    const program = { text: entry, folder: import.meta.dirname };
    worker = new Worker(await bundleProgram(program, join(folder, 'clock.cjs')));
  });

  afterAll(async () => {
    await worker.terminate();
    rmSync(folder, { recursive: true });
  });

  const readThere = async (): Promise<number> => {
    worker.postMessage('read');
    const [reading] = await once(worker, 'message');
    return reading;
  };

  it('has one origin: what is read in between lies in between', async () => {
    const clock = new SystemClock();
    await readThere();
    for (let round = 0; round < 50; round++) {
      const before = clock.monotonicUs();
      const there = await readThere();
      const after = clock.monotonicUs();
      expect(there).toBeGreaterThanOrEqual(before - slackUs);
      expect(there).toBeLessThanOrEqual(after + slackUs);
    }
  });
});
