import { describe, expect, it } from 'vitest';
import { Listeners } from './listeners.ts';

describe('Listeners', () => {
  it('tells all listeners in the order they came, until they stop', () => {
    const heard: string[] = [];
    const listeners = new Listeners<string>(() => undefined);
    const stop = listeners.add((what) => heard.push(`a ${what}`));
    listeners.add((what) => heard.push(`b ${what}`));
    listeners.tell('1');
    stop();
    stop();
    listeners.tell('2');
    expect(heard).toEqual(['a 1', 'b 1', 'b 2']);
  });

  it('does not tell a listener that another one stopped a moment ago', () => {
    const heard: string[] = [];
    const listeners = new Listeners<string>(() => undefined);
    let stopSecond: () => void = () => undefined;
    listeners.add(() => stopSecond());
    stopSecond = listeners.add(() => heard.push('second'));
    listeners.add(() => heard.push('third'));
    listeners.tell('1');
    expect(heard).toEqual(['third']);
  });

  it('tells a listener that came during a round from the next one on', () => {
    let heard = 0;
    const listeners = new Listeners<string>(() => undefined);
    const stop = listeners.add(() => {
      stop();
      listeners.add(() => heard++);
    });
    listeners.tell('1');
    expect(heard).toBe(0);
    listeners.tell('2');
    expect(heard).toBe(1);
  });

  it('tells the others although one throws, and does not keep quiet about it', () => {
    const defects: unknown[] = [];
    let heard = 0;
    const listeners = new Listeners((thrown) => defects.push(thrown));
    const flaw = new RangeError('a listener of little use');
    listeners.add(() => {
      throw flaw;
    });
    listeners.add(() => heard++);
    listeners.tell();
    expect([heard, defects]).toEqual([1, [flaw]]);
  });
});
