import { describe, expect, it } from 'vitest';
import { runProgram } from '../testing/bundle-program.ts';
import { isLong } from '../testing/long.ts';

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
  it.runIf(isLong)('keeps no memory', async () => {
    const printed = await runProgram({ text: program, folder: import.meta.dirname }, [
      '--expose-gc',
    ]);
    expect(Number(printed)).toBeLessThan(100_000);
  });
});
