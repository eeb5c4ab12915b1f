import { beforeEach, describe, expect, it } from 'vitest';
import { stepMs as step, WindowPacer } from './window-pacer.ts';

let now: number;
let alarms: { at: number; run: () => void }[];
let answers: string[];
let taken: ArrayBuffer[];
let pacer: WindowPacer<string>;

/** Lets that time pass. */
const pass = (ms: number): void => {
  now += ms;
  for (const alarm of alarms.filter(({ at }) => at <= now)) {
    alarms.splice(alarms.indexOf(alarm), 1);
    alarm.run();
  }
};

/** Gives back what the answers took. */
const giveBack = (): void => {
  for (const buffer of taken.splice(0)) pacer.give(buffer);
};

const at = (...times: number[]): string[] => times.map((time) => `a at ${time}`);

beforeEach(() => {
  now = 900;
  alarms = [];
  answers = [];
  taken = [];
  pacer = new WindowPacer(
    (question, buffer) => {
      answers.push(`${question} at ${now}`);
      taken.push(buffer);
    },
    { now: () => now, later: (run, ms) => alarms.push({ at: now + ms, run }) },
  );
  pacer.give(new ArrayBuffer(8));
  pacer.ask('a');
  giveBack();
  pass(100);
  answers = [];
});

describe('WindowPacer', () => {
  it('answers again and again, whenever there is news', () => {
    pass(500);
    expect(answers).toEqual([]);
    pacer.tell();
    expect(answers).toEqual(at(1500));
    giveBack();
    pass(500);
    expect(answers).toHaveLength(1);
    pacer.tell();
    expect(answers.at(-1)).toBe('a at 2000');
  });

  it('keeps a distance between answers however fast news comes', () => {
    for (let i = 0; i < 4 * step; i++) {
      pacer.tell();
      giveBack();
      pass(1);
    }
    expect(answers).toEqual(at(...[0, 1, 2, 3, 4].map((steps) => 1000 + steps * step)));
  });

  it('tells of the last news although nothing comes behind it', () => {
    pacer.tell();
    giveBack();
    pacer.tell();
    pass(step - 1);
    expect(answers).toEqual(at(1000));
    pass(1);
    expect(answers).toEqual(at(1000, 1000 + step));
  });

  it('needs no alarm under load, where those come late', () => {
    pacer.tell();
    alarms = [];
    giveBack();
    for (let i = 0; i < step; i++) {
      now += 1;
      pacer.tell();
      alarms = [];
    }
    expect(answers).toEqual(at(1000, 1000 + step));
  });

  it('makes up for an answer that came late', () => {
    const late = 12;
    for (const ms of [0, step + late, step - late, step + late, step - late]) {
      pacer.tell();
      now += ms;
      pacer.tell();
      giveBack();
    }
    const times = [0, step + late, 2 * step, 3 * step + late, 4 * step];
    expect(answers).toEqual(at(...times.map((time) => 1000 + time)));
  });

  it('has nothing to make up for where there was no news', () => {
    pass(500);
    pacer.tell();
    giveBack();
    pacer.tell();
    pass(step - 1);
    expect(answers).toEqual(at(1500));
    pass(1);
    expect(answers).toEqual(at(1500, 1500 + step));
  });

  it('gives no answer without memory for it, and then one with all that came meanwhile', () => {
    pacer.tell();
    for (let i = 0; i < 100; i++) {
      pacer.tell();
      pass(1);
    }
    expect(answers).toEqual(at(1000));
    giveBack();
    expect(answers).toEqual(at(1000, 1100));
  });

  it('answers another question at once, as soon as there is memory for it, and the last alone', () => {
    pacer.ask('b');
    expect(answers).toEqual(['b at 1000']);
    pacer.ask('c');
    pacer.ask('d');
    expect(answers).toHaveLength(1);
    giveBack();
    expect(answers).toEqual(['b at 1000', 'd at 1000']);
    giveBack();
    pass(100);
    expect(answers).toHaveLength(2);
    pacer.tell();
    expect(answers.at(-1)).toBe('d at 1100');
  });

  it('waits no longer than a step after many that could not wait', () => {
    for (let i = 0; i < 50; i++) {
      pacer.ask('urgent');
      giveBack();
    }
    answers = [];
    pacer.tell();
    pass(step);
    expect(answers).toEqual([`urgent at ${1000 + step}`]);
  });
});
