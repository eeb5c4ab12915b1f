import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Supervisor, type ThreadReport } from './supervisor.ts';

class FakeThread extends EventEmitter {
  async terminate(): Promise<number> {
    this.emit('exit', 1);
    return 1;
  }
}

const setUp = () => {
  const clock = new FakeClock();
  const deaths: ThreadReport[] = [];
  const started: FakeThread[] = [];
  let gone = 0;
  const supervisor = new Supervisor({ clock, onDeath: (report) => deaths.push(report) });
  supervisor.add('loader', {
    start: () => {
      const thread = new FakeThread();
      started.push(thread);
      return thread;
    },
    onGone: () => {
      gone += 1;
    },
  });
  const newest = () => started.at(-1) as FakeThread;
  return { clock, deaths, started, supervisor, newest, gone: () => gone };
};

describe('Supervisor', () => {
  it('reports a thread as running once it is up', () => {
    const { supervisor, newest } = setUp();
    expect(supervisor.reports[0]?.state).toBe('starting');
    newest().emit('online');
    expect(supervisor.reports[0]?.state).toBe('running');
  });

  it.each(['online', 'exit'])('has settled once a thread is first heard of: %s', async (event) => {
    const { supervisor, newest } = setUp();
    let hasSettled = false;
    const settled = supervisor.settled().then(() => {
      hasSettled = true;
    });
    await Promise.resolve();
    expect(hasSettled).toBe(false);
    newest().emit(event, 1);
    await settled;
  });

  it('starts a dead thread anew and tells how it died', () => {
    const { clock, deaths, started, supervisor, newest, gone } = setUp();
    newest().emit('online');
    newest().emit('error', new TypeError('boom'));
    newest().emit('exit', 1);
    expect(gone()).toBe(1);
    expect(deaths).toEqual([
      { name: 'loader', state: 'restarting', restarts: 1, last_failure: 'TypeError: boom' },
    ]);
    clock.advanceUs(50_000);
    newest().emit('online');
    expect(started).toHaveLength(2);
    expect(supervisor.reports[0]).toMatchObject({ state: 'running', restarts: 1 });
  });

  it('retries a thread that keeps dying ever more slowly', () => {
    const { clock, started, newest } = setUp();
    const gaps: number[] = [];
    for (let death = 0; death < 9; death++) {
      const before = clock.monotonicUs();
      const count = started.length;
      newest().emit('exit', 1);
      while (started.length === count) clock.advanceUs(50_000);
      gaps.push((clock.monotonicUs() - before) / 1000);
    }
    expect(gaps).toEqual([50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('does not revive a thread that it stopped itself', async () => {
    const { clock, deaths, started, supervisor } = setUp();
    await supervisor.stop();
    clock.advanceUs(60_000_000);
    expect(started).toHaveLength(1);
    expect(deaths).toEqual([]);
    expect(supervisor.reports[0]?.state).toBe('stopped');
  });
});
