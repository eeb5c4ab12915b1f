import { beforeEach, describe, expect, it } from 'vitest';
import { WindowPacer } from './window-pacer.ts';

let now: number;
let alarms: { at: number; run: () => void }[];
let answers: string[];
let pacer: WindowPacer<string>;

/** Advances the time. */
const pass = (ms: number): void => {
  now += ms;
  for (const alarm of alarms.filter(({ at }) => at <= now)) {
    alarms.splice(alarms.indexOf(alarm), 1);
    alarm.run();
  }
};

beforeEach(() => {
  now = 1000;
  alarms = [];
  answers = [];
  pacer = new WindowPacer(
    (question) => answers.push(`${question} at ${now}`),
    (question) => (question === 'slow' ? 100 : 20),
    { now: () => now, later: (run, ms) => alarms.push({ at: now + ms, run }) },
  );
  pacer.ask('first', false);
  pass(0);
  answers = [];
});

describe('WindowPacer', () => {
  it('waits for news, and answers soon after the first', () => {
    pass(500);
    pacer.ask('a', false);
    pass(500);
    expect(answers).toEqual([]);
    pacer.notify();
    pacer.notify();
    pass(0);
    expect(answers).toEqual(['a at 2000']);
    expect(pacer.waiting).toBeNull();
  });

  it('keeps the distance that a question wants, until another is asked', () => {
    for (let i = 0; i < 250; i++) {
      pacer.notify();
      if (pacer.waiting === null) pacer.ask('slow', false);
      pass(1);
    }
    expect(answers).toEqual([1001, 1100, 1200].map((at) => `slow at ${at}`));
    pacer.ask('fast', true);
    expect(answers.at(-1)).toBe('fast at 1250');
  });

  it('keeps a distance between answers however fast news and questions come', () => {
    for (let i = 0; i < 100; i++) {
      pacer.notify();
      if (pacer.waiting === null) pacer.ask('a', false);
      pass(1);
    }
    expect(answers).toEqual([1001, 1020, 1040, 1060, 1080, 1100].map((at) => `a at ${at}`));
  });

  it('makes up for an answer that came late', () => {
    const times: number[] = [];
    for (let i = 0; i < 8; i++) {
      pacer.notify();
      pacer.ask('a', false);
      // Every second alarm is 12 ms late.
      pass((alarms[0]?.at ?? now) - now + (i % 2) * 12);
      times.push(now);
    }
    expect(answers).toEqual(times.map((at) => `a at ${at}`));
    expect((times[6] ?? 0) - (times[0] ?? 0)).toBe(120);
  });

  it('answers a late question at once, with what came meanwhile', () => {
    pacer.notify();
    pass(100);
    expect(answers).toEqual([]);
    pacer.ask('late', false);
    pass(0);
    expect(answers).toEqual(['late at 1100']);
  });

  it('answers one question for each that was asked, the last of those that waited', () => {
    pacer.ask('a', false);
    pacer.ask('b', false);
    pacer.notify();
    pass(50);
    pacer.notify();
    pass(50);
    expect(answers).toEqual(['b at 1050']);
  });

  it('makes no question wait that cannot, and has no second answer for old news', () => {
    pacer.ask('a', false);
    pacer.notify();
    pacer.ask('urgent', true);
    expect(answers).toEqual(['urgent at 1000']);
    pacer.ask('b', false);
    pass(30);
    expect(answers).toHaveLength(1);
  });

  it('waits no longer than a step after many that could not wait', () => {
    for (let i = 0; i < 50; i++) pacer.ask('urgent', true);
    answers = [];
    pacer.notify();
    pacer.ask('a', false);
    pass(20);
    expect(answers).toEqual(['a at 1020']);
  });
});
