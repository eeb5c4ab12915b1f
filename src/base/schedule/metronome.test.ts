import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/fake-clock.ts';
import { Metronome } from './metronome.ts';
import type { MetronomeReport, MetronomeStart } from './metronome-messages.ts';
import { MetronomeWords } from './metronome-words.ts';

/** A worker whose thread is played by the test. */
class PlayedWorker extends EventEmitter<{ message: [unknown] }> {
  start: MetronomeStart | undefined;

  postMessage(start: MetronomeStart): void {
    this.start = start;
  }

  get words(): MetronomeWords {
    return new MetronomeWords(this.start?.memory);
  }

  report(report: MetronomeReport = { exactTimers: true }): void {
    this.emit('message', report);
  }

  /** The armed time has come: what the thread does then. */
  ring(): void {
    const { words } = this;
    if (words.take(words.read()) && words.raise()) this.emit('message', null);
  }
}

const setUp = (options: { fifoPriority?: number } = {}) => {
  const clock = new FakeClock();
  const reports: MetronomeReport[] = [];
  const metronome = new Metronome({
    clock,
    ...options,
    onReport: (report) => reports.push(report),
  });
  const rings: number[] = [];
  metronome.onRing = () => rings.push(clock.monotonicUs());
  return { clock, metronome, reports, rings };
};

describe('Metronome', () => {
  it('shows the thread its deadline in whole microseconds, rounded up', () => {
    const { metronome } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    expect(worker.words.read()).toBe(Number.POSITIVE_INFINITY);
    metronome.arm(1000.25);
    expect(worker.words.read()).toBe(1001);
    metronome.arm(-5);
    expect(worker.words.read()).toBe(0);
  });

  it('passes on what the system granted to the thread, and takes it for no ring', () => {
    const { metronome, reports, rings } = setUp({ fifoPriority: 12 });
    const worker = new PlayedWorker();
    metronome.attach(worker);
    metronome.arm(0);
    expect(worker.start?.fifoPriority).toBe(12);
    worker.report({ exactTimers: true, fifo: { granted: false, reason: 'EPERM' } });
    expect(reports).toEqual([{ exactTimers: true, fifo: { granted: false, reason: 'EPERM' } }]);
    expect(rings).toEqual([]);
  });

  it('asks for no special scheduling unless told to', () => {
    const { metronome } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    expect(worker.start).not.toHaveProperty('fifoPriority');
  });

  it('rings once for an armed time', () => {
    const { metronome, clock, rings } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    worker.report();
    metronome.arm(100);
    clock.advanceToUs(130);
    worker.ring();
    worker.emit('message', null);
    expect(rings).toEqual([130]);
  });

  it('does not pass on a ring that is early by its own clock, but has the thread ring again', () => {
    const { metronome, clock, rings } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    worker.report();
    metronome.arm(100);
    clock.advanceToUs(99);
    worker.ring();
    expect(rings).toEqual([]);
    expect(worker.words.read()).toBe(100);
    clock.advanceToUs(100);
    worker.ring();
    expect(rings).toEqual([100]);
  });

  it('can be disarmed', () => {
    const { metronome, clock, rings } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    worker.report();
    metronome.arm(100);
    metronome.arm(Number.POSITIVE_INFINITY);
    clock.advanceToUs(200);
    worker.ring();
    expect(rings).toEqual([]);
    metronome.arm(300);
    clock.advanceToUs(300);
    worker.ring();
    expect(rings).toEqual([300]);
  });

  it('hands a time armed before any thread was there to the first one', () => {
    const { metronome } = setUp();
    metronome.arm(100);
    const worker = new PlayedWorker();
    metronome.attach(worker);
    expect(worker.words.read()).toBe(100);
  });

  it.each([
    ['while it slept', (_worker: PlayedWorker) => {}],
    ['after it took the deadline', (worker: PlayedWorker) => worker.words.take(100)],
    [
      'before its message was heard',
      (worker: PlayedWorker) => worker.words.take(100) && worker.words.raise(),
    ],
  ])('rings through a new thread when the old one died %s', (_moment, die) => {
    const { metronome, clock, rings } = setUp();
    const dead = new PlayedWorker();
    metronome.attach(dead);
    dead.report();
    metronome.arm(100);
    die(dead);

    const successor = new PlayedWorker();
    metronome.attach(successor);
    successor.report();
    clock.advanceToUs(150);
    successor.ring();
    expect(rings).toEqual([150]);
  });

  it('stops and no longer hears a thread that has been replaced', () => {
    const { metronome, clock, rings } = setUp();
    const old = new PlayedWorker();
    metronome.attach(old);
    old.report();
    metronome.arm(100);
    metronome.attach(new PlayedWorker());
    expect(old.words.read()).toBeLessThan(0);
    clock.advanceToUs(150);
    old.emit('message', null);
    expect(rings).toEqual([]);
    expect(old.listenerCount('message')).toBe(0);
  });

  it('stays silent once stopped, whatever is armed or attached', () => {
    const { metronome, clock, rings } = setUp();
    const worker = new PlayedWorker();
    metronome.attach(worker);
    worker.report();
    metronome.arm(100);
    metronome.stop();
    metronome.arm(50);
    clock.advanceToUs(150);
    worker.emit('message', null);
    expect(worker.words.read()).toBeLessThan(0);

    const late = new PlayedWorker();
    metronome.attach(late);
    expect(late.words.read()).toBeLessThan(0);
    expect(rings).toEqual([]);
  });
});
