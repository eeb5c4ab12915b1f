import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { SessionPool } from '../session/session-pool.ts';
import { ScriptedTransport } from '../session/testing/scripted-transport.ts';
import { fakeScheduler } from '../session/testing/session-rig.ts';
import { parseEndpoint } from '../transport/endpoint-text.ts';
import type { PollResult } from './poll-job.ts';
import { type PollOptions, PollService } from './poll-service.ts';

const deadUnit = 9;

const setUp = () => {
  const clock = new FakeClock();
  const scheduler = fakeScheduler(clock);
  const transport = new ScriptedTransport('tcp');
  const pollTimes: number[] = [];
  let delayMs = 1;
  let value = 0;
  transport.accepts(clock, (link) => {
    link.onWrite = (bytes) => {
      if (bytes[6] === deadUnit) return;
      pollTimes.push(clock.monotonicUs() / 1000);
      const header = Buffer.from(bytes.slice(0, 2)).toString('hex');
      value += 1;
      const word = value.toString(16).padStart(4, '0');
      clock.after(delayMs, () => link.receive(`${header}00000005010302${word}`));
    };
  });
  const pool = new SessionPool({ clock, scheduler, transportTo: () => transport });
  const polls = new PollService({ clock, scheduler, pool });
  const start = (options: Partial<PollOptions> = {}) =>
    polls.start({
      endpoint: parseEndpoint('tcp:127.0.0.1:502'),
      unit: 1,
      table: 'holding',
      address: 0,
      count: 1,
      periodMs: 100,
      onReady: () => undefined,
      ...options,
    });
  return {
    clock,
    scheduler,
    transport,
    pool,
    polls,
    pollTimes,
    start,
    answerAfterMs: (ms: number) => {
      delayMs = ms;
    },
  };
};

describe('PollService', () => {
  it('polls on a grid of absolute times', async () => {
    const { clock, pollTimes, start } = setUp();
    await start();
    clock.advanceUs(1_050_000);
    // The first waits for the connection; the others do not inherit the delay.
    expect(pollTimes).toEqual([1, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  it('lets every one of many polls have its turn, and leaves room for other requests', async () => {
    const { clock, pool, polls, start } = setUp();
    const all = Array.from({ length: 1100 }, () => start({ periodMs: 2000 }));
    const jobs = await Promise.all(all);
    clock.advanceUs(1_000);
    const [session] = pool.sessions();
    expect(session?.queue_length).toBeLessThan(1024);
    clock.advanceUs(1_500_000);
    expect(jobs.filter(({ counts }) => counts.results !== 1 || counts.errors > 0)).toEqual([]);
    clock.advanceUs(2_000_000);
    expect(jobs.filter(({ counts }) => counts.results !== 2 || counts.missed > 0)).toEqual([]);
    for (const job of jobs) polls.stop(job);
  });

  it('hands out every result to a consumer that keeps up', async () => {
    const { clock, start } = setUp();
    const taken: (PollResult | undefined)[] = [];
    const job = await start({ onReady: () => taken.push(job.take()) });
    clock.advanceUs(950_000);
    expect(taken.map((result) => result?.items?.[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(taken.map((result) => result?.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(job.take()).toBeUndefined();
    expect(job.counts).toEqual({ polls: 10, results: 10, errors: 0, missed: 0, coalesced: 0 });
  });

  it('keeps the newest result for a slow consumer and counts those it replaced', async () => {
    const { clock, start } = setUp();
    let calls = 0;
    const job = await start({
      onReady: () => {
        calls += 1;
      },
    });
    clock.advanceUs(950_000);
    expect(calls).toBe(1);
    expect(job.take()).toMatchObject({ sequence: 10, items: Uint16Array.of(10), error: null });
    expect(job.counts).toMatchObject({ results: 10, coalesced: 9 });
    clock.advanceUs(100_000);
    expect(calls).toBe(2);
  });

  it('has one request under way at most, and counts the periods that went by', async () => {
    const { clock, pollTimes, start, answerAfterMs } = setUp();
    answerAfterMs(250);
    const job = await start();
    clock.advanceUs(1_050_000);
    expect(pollTimes).toEqual([1, 300, 600, 900]);
    expect(job.counts).toMatchObject({ polls: 4, results: 3, missed: 7 });
  });

  it('counts the periods that the thread slept through', async () => {
    const { clock, scheduler, start } = setUp();
    const job = await start();
    clock.advanceUs(50_000);
    scheduler
      .createTask('busy', () => {
        clock.advanceUs(330_000);
        return undefined;
      })
      .scheduleAt(60_000);
    clock.advanceUs(50_000);
    clock.advanceUs(0);
    expect(job.counts.missed).toBe(2);
  });

  it('tells failures like results, and goes on', async () => {
    const { clock, transport, start } = setUp();
    const errors: (string | undefined)[] = [];
    const job = await start({ timeoutMs: 50, onReady: () => errors.push(job.take()?.error?.code) });
    clock.advanceUs(10_000);
    transport.last.onWrite = undefined;
    clock.advanceUs(150_000);
    clock.advanceUs(100_000);
    expect(errors).toEqual([undefined, 'modbus_timeout', undefined]);
    expect(job.counts).toMatchObject({ polls: 3, results: 2, errors: 1 });
  });

  it('shares the session with others, and leaves it when it stops', async () => {
    const { clock, transport, polls, pool, scheduler, start } = setUp();
    const [one, two] = [await start(), await start({ address: 5 })];
    clock.advanceUs(250_000);
    expect(transport.links).toHaveLength(1);
    expect(pool.sessions()).toMatchObject([{ users: 2 }]);
    polls.stop(one);
    expect(pool.sessions()).toMatchObject([{ users: 1 }]);
    polls.stopAll();
    expect(polls.jobs).toEqual([]);
    expect(pool.sessions()).toEqual([]);
    expect(scheduler.scheduledTasks).toBe(0);
    expect(two.counts.polls).toBe(3);
  });

  it('may be stopped while its request is under way, and by its consumer', async () => {
    const { clock, polls, pool, start, answerAfterMs } = setUp();
    answerAfterMs(50);
    const job = await start();
    clock.advanceUs(10_000);
    polls.stop(job);
    clock.advanceUs(1_000_000);
    expect(job.take()).toBeUndefined();
    expect(pool.sessions()).toEqual([]);
    const other = await start({ onReady: () => polls.stop(other) });
    clock.advanceUs(1_000_000);
    expect(other.counts.polls).toBe(1);
    expect(pool.sessions()).toEqual([]);
  });

  it('leaves a dead unit alone for longer and longer, so that others keep their periods', async () => {
    const { clock, start } = setUp();
    const dead = await start({ unit: deadUnit, timeoutMs: 250 });
    const healthy = await start({ timeoutMs: 250 });
    clock.advanceUs(4_000_000);
    expect(healthy.counts).toMatchObject({ errors: 0 });
    expect(healthy.counts.missed).toBeLessThan(8);
    expect(dead.counts.missed).toBeGreaterThan(30);
    expect(dead.counts.errors).toBe(2);
  });

  it('asks a unit that backs off at once where a caller begins to poll it', async () => {
    const { clock, start } = setUp();
    const others = await start({ timeoutMs: 250 });
    const dead = await start({ unit: deadUnit, timeoutMs: 250 });
    clock.advanceUs(2_000_000);
    dead.stop();
    const again = await start({ unit: deadUnit, timeoutMs: 250 });
    clock.advanceUs(400_000);
    expect(again.counts).toMatchObject({ polls: 1, errors: 1 });
    expect(others.counts.errors).toBe(0);
  });

  it.each([
    [{ unit: 256 }, 'unit'],
    [{ count: 126 }, 'count'],
    [{ address: -1 }, 'address'],
    [{ periodMs: 0 }, 'period_ms'],
    [{ timeoutMs: Number.NaN }, 'timeout_ms'],
  ])('refuses %j and names %s, before anything is acquired', async (options, field) => {
    const { pool, start } = setUp();
    await expect(start(options)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
    expect(pool.sessions()).toEqual([]);
  });
});
