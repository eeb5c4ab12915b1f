import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ThreadStart } from './thread-start.ts';

const second = 1_000_000;

const setUp = () => {
  const clock = new FakeClock();
  const stages: string[] = [];
  const thread = { isBusy: false };
  const start = new ThreadStart({
    thread: 'client',
    clock,
    hasWorked: () => thread.isBusy,
    onStage: (stage) => stages.push(stage),
  });
  let outcome = 'waiting';
  start.wait().then(
    () => {
      outcome = 'ready';
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  const pass = async (seconds: number): Promise<string> => {
    for (let i = 0; i < seconds; i++) clock.advanceUs(second);
    await new Promise(setImmediate);
    return outcome;
  };
  return { clock, start, stages, thread, pass };
};

describe('the start of a thread', () => {
  it('is waited for as long as the thread works, be it for hours', async () => {
    const { start, thread, pass, clock } = setUp();
    thread.isBusy = true;
    expect(await pass(7200)).toBe('waiting');
    start.succeed();
    expect(await pass(0)).toBe('ready');
    expect(clock.pendingTimers).toBe(0);
  });

  it('is given up when the thread has done nothing for a long time, and says where', async () => {
    const { start, pass } = setUp();
    start.reach('loading its client thread');
    expect(await pass(59)).toBe('waiting');
    expect(await pass(2)).toBe(
      'The daemon could not be started: no progress while loading its client thread',
    );
  });

  it('goes on with any sign of life', async () => {
    const { start, thread, pass } = setUp();
    await pass(50);
    start.reach('opening its socket');
    expect(await pass(50)).toBe('waiting');
    thread.isBusy = true;
    await pass(1);
    thread.isBusy = false;
    expect(await pass(50)).toBe('waiting');
    expect(await pass(20)).toContain('opening its socket');
  });

  it('fails at once when the thread dies, and not with another one', async () => {
    const { start, pass } = setUp();
    start.died({ name: 'loader', last_failure: 'out of memory' });
    expect(await pass(0)).toBe('waiting');
    start.died({ name: 'client', last_failure: 'exited with code 1' });
    expect(await pass(0)).toBe(
      'The daemon could not be started: its client thread crashed: exited with code 1',
    );
  });

  it('hears from the thread itself that it cannot serve', async () => {
    const { start, pass } = setUp();
    const error = new BusbarError('daemon_start_failed', { message: 'The socket is taken' });
    start.offer.clientFailed(error.toRecord());
    expect(await pass(0)).toBe('The socket is taken');
  });

  it('tells of every stage', () => {
    const { start, stages } = setUp();
    start.reach('one');
    start.reach('two');
    start.succeed();
    start.reach('one again, of a thread that was revived');
    expect(stages).toEqual(['one', 'two']);
  });
});
