import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/fake-clock.ts';
import { Metronome } from './metronome.ts';
import type { MetronomeStart } from './metronome-messages.ts';
import { keepTime } from './metronome-thread.ts';
import { MetronomeWords } from './metronome-words.ts';

/** The bench thread's end of the port: messages wait here until it turns to them. */
class Inbox {
  deliver: (message: unknown) => void = () => {};
  memory: SharedArrayBuffer | undefined;
  readonly #waiting: unknown[] = [];
  mostWaiting = 0;

  post(message: unknown): void {
    this.#waiting.push(message);
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Handles one waiting message, as one turn of the event loop does. */
  turn(): void {
    if (this.#waiting.length > 0) this.deliver(this.#waiting.shift());
  }

  on(_event: 'message', listener: (message: unknown) => void): void {
    this.deliver = listener;
  }

  off(): void {}

  postMessage({ memory }: MetronomeStart): void {
    this.memory = memory;
  }
}

class Ended extends Error {}

/**
 * The metronome's words with the bench thread let in before every one of its steps. Sleeping is
 * simulated: the sleeper wakes when the bench thread has armed something sooner, else at its time.
 */
class SteppedWords extends MetronomeWords {
  readonly #clock: FakeClock;
  readonly #letBenchAct: () => boolean;

  constructor(memory: SharedArrayBuffer, clock: FakeClock, letBenchAct: () => boolean) {
    super(memory);
    this.#clock = clock;
    this.#letBenchAct = letBenchAct;
  }

  override read(): number {
    this.#letBenchAct();
    return super.read();
  }

  override take(readUs: number): boolean {
    this.#letBenchAct();
    return super.take(readUs);
  }

  override raise(): boolean {
    this.#letBenchAct();
    return super.raise();
  }

  override sleep(readUs: number, durationUs: number): void {
    this.#letBenchAct();
    if (super.read() !== readUs) return;
    const wakeUs = this.#clock.monotonicUs() + durationUs;
    let lastUs = readUs;
    while (this.#letBenchAct()) {
      const armedUs = super.read();
      if (armedUs < lastUs) return;
      lastUs = armedUs;
    }
    // The bench thread has nothing left to do now: it waits for a ring, or the story is over.
    if (durationUs === Number.POSITIVE_INFINITY) throw new Ended();
    this.#clock.advanceToUs(Math.max(this.#clock.monotonicUs(), wakeUs));
  }
}

type BenchAct = (bench: Bench) => void;

interface Bench {
  readonly clock: FakeClock;
  readonly metronome: Metronome;
  readonly inbox: Inbox;
}

const armIn =
  (offsetUs: number): BenchAct =>
  ({ clock, metronome }) =>
    metronome.arm(clock.monotonicUs() + offsetUs);
const turn: BenchAct = ({ inbox }) => inbox.turn();
const stop: BenchAct = ({ metronome }) => metronome.stop();
const lag: BenchAct = ({ clock }) => clock.advanceUs(7);

/** Plays the acts, each before the step of the metronome that the schedule names for it. */
const play = (acts: readonly BenchAct[], steps: readonly number[]) => {
  const clock = new FakeClock({ startUs: 1000 });
  const metronome = new Metronome({ clock });
  const inbox = new Inbox();
  let lastArmedUs: number | undefined;
  const arm = metronome.arm.bind(metronome);
  metronome.arm = (atUs) => {
    lastArmedUs = atUs;
    arm(atUs);
  };
  const early: number[] = [];
  metronome.onRing = () => {
    const nowUs = clock.monotonicUs();
    if (lastArmedUs === undefined || nowUs < lastArmedUs) early.push(nowUs);
    lastArmedUs = undefined;
  };
  metronome.attach(inbox);
  inbox.deliver({ exactTimers: true });

  let step = -1;
  let next = 0;
  const bench: Bench = { clock, metronome, inbox };
  const letBenchAct = (): boolean => {
    step++;
    let acted = false;
    for (; next < acts.length && (steps[next] ?? 0) <= step; next++) {
      acts[next]?.(bench);
      acted = true;
    }
    // With its own plans done, the bench thread is free to hear rings.
    if (next === acts.length && !inbox.isEmpty) {
      inbox.turn();
      acted = true;
    }
    return acted || next < acts.length;
  };
  const words = new SteppedWords(inbox.memory as SharedArrayBuffer, clock, letBenchAct);
  let stopped = true;
  try {
    keepTime(words, clock, () => inbox.post(null));
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    stopped = false;
  }
  return { unheard: lastArmedUs, early, mostWaiting: inbox.mostWaiting, stopped };
};

/** All ways to place `acts` in order before the first `steps` steps. */
const placements = (acts: number, steps: number, from = 0): number[][] => {
  if (acts === 0) return [[]];
  const all: number[][] = [];
  for (let step = from; step <= steps; step++) {
    for (const rest of placements(acts - 1, steps, step)) all.push([step, ...rest]);
  }
  return all;
};

const stories: Record<string, BenchAct[]> = {
  'one arm': [armIn(10)],
  'an arm for the past': [armIn(-10)],
  'an earlier arm': [armIn(10), armIn(5)],
  'a later arm': [armIn(5), armIn(10)],
  'the same arm': [armIn(5), armIn(5)],
  'a later and then an earlier arm': [armIn(5), armIn(20), armIn(10)],
  'an arm after the time came, before the ring was heard': [
    armIn(5),
    lag,
    armIn(5),
    turn,
    armIn(9),
  ],
  'three arms for the past, heard in between': [armIn(0), turn, armIn(0), turn, armIn(0)],
  'a ring for a time since replaced': [armIn(0), armIn(30), turn, armIn(20)],
};

describe('a metronome whose owner acts between any two of its steps', () => {
  it.each(Object.entries(stories))('rings for the last arm, never early: %s', (_name, acts) => {
    const schedules = placements(acts.length, 9);
    expect(schedules.length).toBeGreaterThan(9);
    for (const steps of schedules) {
      expect({ steps, ...play(acts, steps) }).toEqual({
        steps,
        unheard: undefined,
        early: [],
        mostWaiting: 1,
        stopped: false,
      });
    }
  });

  it('ends when it is stopped, at whatever step', () => {
    for (const steps of placements(4, 9)) {
      const played = play([armIn(0), lag, armIn(5), stop], steps);
      expect({ steps, stopped: played.stopped, early: played.early }).toEqual({
        steps,
        stopped: true,
        early: [],
      });
    }
  });
});
