import { describe, expect, it } from 'vitest';
import { Listeners } from './listeners.ts';

describe('Listeners', () => {
  it('tells all listeners in the order they came, until they stop', () => {
    const received: string[] = [];
    const listeners = new Listeners<string>(() => undefined);
    const stop = listeners.add((what) => received.push(`a ${what}`));
    listeners.add((what) => received.push(`b ${what}`));
    listeners.report('1');
    stop();
    stop();
    listeners.report('2');
    expect(received).toEqual(['a 1', 'b 1', 'b 2']);
  });

  it('does not tell a listener that another one stopped a moment ago', () => {
    const received: string[] = [];
    const listeners = new Listeners<string>(() => undefined);
    let stopSecond: () => void = () => undefined;
    listeners.add(() => stopSecond());
    stopSecond = listeners.add(() => received.push('second'));
    listeners.add(() => received.push('third'));
    listeners.report('1');
    expect(received).toEqual(['third']);
  });

  it('tells a listener that came during a round from the next one on', () => {
    let received = 0;
    const listeners = new Listeners<string>(() => undefined);
    const stop = listeners.add(() => {
      stop();
      listeners.add(() => received++);
    });
    listeners.report('1');
    expect(received).toBe(0);
    listeners.report('2');
    expect(received).toBe(1);
  });

  it('tells the others although one throws, and does not keep quiet about it', () => {
    const defects: unknown[] = [];
    let received = 0;
    const listeners = new Listeners((thrown) => defects.push(thrown));
    const error = new RangeError('a listener of little use');
    listeners.add(() => {
      throw error;
    });
    listeners.add(() => received++);
    listeners.report();
    expect([received, defects]).toEqual([1, [error]]);
  });
});
