import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { ThreadActivity } from './thread-activity.ts';

describe('the activity of other threads', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-task-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const put = (thread: string, user: number, system: number, state = 'S'): void => {
    mkdirSync(join(folder, thread), { recursive: true });
    const before = '1 1 1 0 -1 4194304 0 0 0 0';
    const stat = `${thread} (node) worker) ${state} ${before} ${user} ${system} 0 0 20 0`;
    writeFileSync(join(folder, thread, 'stat'), stat);
  };

  it('is there when the time of any of them has grown', () => {
    put('10', 5, 5);
    put('11', 7, 0);
    const activity = new ThreadActivity(folder, '10');
    expect(activity.hasWorked()).toBe(false);
    put('11', 7, 1);
    expect([activity.hasWorked(), activity.hasWorked()]).toEqual([true, false]);
    put('12', 1, 0);
    expect(activity.hasWorked()).toBe(true);
  });

  it('is not that of the thread that asks', () => {
    put('10', 5, 5);
    put('11', 7, 0);
    const activity = new ThreadActivity(folder, '10');
    put('10', 50, 50);
    expect(activity.hasWorked()).toBe(false);
  });

  it('is there while one waits for the disk', () => {
    put('11', 7, 0, 'D');
    const activity = new ThreadActivity(folder, '10');
    expect([activity.hasWorked(), activity.hasWorked()]).toEqual([true, true]);
  });

  it('is not told where the system does not tell it', () => {
    expect(new ThreadActivity(join(folder, 'nowhere'), '10').hasWorked()).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is seen of a thread that is busy', async () => {
    const activity = new ThreadActivity();
    const worker = new Worker('for (;;);', { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    await eventually(() => activity.hasWorked());
  });
});
