import { describe, expect, it } from 'vitest';
import { CommandClock } from './command-clock.ts';
import { clockSuite } from './testing/clock-suite.ts';

describe('CommandClock', () => {
  clockSuite(() => new CommandClock(), 1);

  it('does not call back once cancelled', async () => {
    const clock = new CommandClock();
    const calls: string[] = [];
    clock.after(1, () => calls.push('cancelled')).cancel();
    await new Promise<void>((resolve) => void clock.after(1, resolve));
    expect(calls).toEqual([]);
  });
});
