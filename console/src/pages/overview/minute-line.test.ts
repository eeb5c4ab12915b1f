import { describe, expect, it } from 'vitest';
import { minuteLine, wordsOf } from './minute-line.ts';

const range = { fromUs: 0, toUs: 240 };
const points = (values: readonly number[], breaks: readonly number[] = []) => ({
  times: values.map((_, at) => at * 120),
  values: [...values],
  breaks: values.map((_, at) => breaks.includes(at)),
  invalid: [],
  low: Math.min(...values.filter(Number.isFinite)),
  high: Math.max(...values.filter(Number.isFinite)),
});

describe('minuteLine', () => {
  it('goes from the lowest value at the foot to the highest at the head', () => {
    expect(minuteLine(points([0, 10, 5]), range, false)).toBe('M0.0 38.0h0.1L120.0 2.0L240.0 20.0');
  });

  it('holds each value until the next one', () => {
    expect(minuteLine(points([0, 1]), range, true)).toBe('M0.0 38.0h0.1H120.0V2.0');
  });

  it('draws a value that never changes in the middle', () => {
    expect(minuteLine(points([7, 7]), range, false)).toBe('M0.0 20.0h0.1L120.0 20.0');
  });

  it('leaves a hole where samples are missing, or are no numbers', () => {
    expect(minuteLine(points([0, 1], [1]), range, false)).toBe('M0.0 38.0h0.1M120.0 2.0h0.1');
    expect(minuteLine(points([0, Number.NaN, 1]), range, false)).toBe(
      'M0.0 38.0h0.1M240.0 2.0h0.1',
    );
  });
});

describe('wordsOf', () => {
  it.each([
    ['RearLeftDoor', 'Rear left door'],
    ['WheelSpeedFL', 'Wheel speed FL'],
    ['coolant_temp', 'coolant temp'],
    ['Gear', 'Gear'],
  ])('of %s is %s', (name, words) => expect(wordsOf(name)).toBe(words));
});
