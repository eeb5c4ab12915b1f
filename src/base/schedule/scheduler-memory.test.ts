import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const program = `
  import { nextPeriod } from './period.ts';
  import { Scheduler } from './scheduler.ts';

  const times = new Float64Array(2);
  const [NOW, ARMED] = [0, 1];
  let runs = 0;
  const alarm = { onRing: undefined, arm: (atUs) => { times[ARMED] = atUs; } };
  const scheduler = new Scheduler({
    clock: { monotonicUs: () => times[NOW] },
    alarm,
    onError: (error) => { throw error; },
  });
  for (let index = 0; index < 50; index++) {
    const periodUs = 1000 + 7 * index;
    const task = scheduler.createTask('periodic', (now, due) => {
      runs++;
      return nextPeriod(due, periodUs, now);
    });
    task.scheduleAt(index + 0.5);
  }
  const runUntil = (total) => {
    while (runs < total) {
      times[NOW] = times[ARMED] + 3.25;
      alarm.onRing();
    }
  };
  const heapUsed = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  runUntil(200_000);
  const before = heapUsed();
  runUntil(1_200_000);
  console.log(heapUsed() - before);
`;

describe('Scheduler over a million runs', () => {
  it('keeps no memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-scheduler-'));
    try {
      const outfile = join(folder, 'memory.cjs');
      await build({
        stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'js' },
        bundle: true,
        format: 'cjs',
        platform: 'node',
        outfile,
        logLevel: 'error',
      });
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', outfile]);
      expect(Number(stdout)).toBeLessThan(100_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 30_000);
});
