import { describe, expect, it } from 'vitest';
import { encodeSignal } from './encode-signal.ts';
import { sliderOf } from './signal-slider.ts';
import { aSignal } from './testing/models.ts';

const ends = (given: Parameters<typeof aSignal>[0]) => {
  const slider = sliderOf(aSignal(given));
  return slider && [slider.steps, slider.textAt(0), slider.textAt(slider.steps)];
};

describe('the slider of a signal', () => {
  it.each([
    ['its bits', {}, [255, '0', '255']],
    [
      'its limits',
      { length: 16, factor: '0.25', minimum: '0', maximum: '8000' },
      [1000, '0', '8000'],
    ],
    ['a scale that falls', { factor: '-0.5', offset: '1' }, [255, '-126.5', '1']],
    ['a sign', { kind: 'signed', length: 4 }, [15, '-8', '7']],
    ['64 bits', { length: 64 }, [1000, '0', '18446744073709551615']],
    ['equal limits, which are none', { minimum: '0', maximum: '0' }, [255, '0', '255']],
    [
      'limits of a float',
      { kind: 'float32', length: 32, minimum: '-1', maximum: '1' },
      [1000, '-1', '1'],
    ],
    ['labels and more', { length: 4, values: [{ raw: '15', text: 'Error' }] }, [15, '0', '15']],
    [
      'its widest range',
      {
        ranges: [
          { from: '0', to: '9', factor: '1', offset: '0', unit: '' },
          { from: '10', to: '210', factor: '0.5', offset: '-45', unit: 'degC' },
        ],
      },
      [200, '-40', '60'],
    ],
  ] as const)('goes over the range of %s', (_, given, expected) => {
    expect(ends(given)).toEqual(expected);
  });

  it.each([
    ['a float without limits', { kind: 'float64', length: 64 }],
    ['a factor of 0', { factor: '0' }],
    ['a byte array', { array: 'hex' }],
    [
      'a signal with a label for each value',
      { length: 1, values: ['0', '1'].map((raw) => ({ raw, text: raw })) },
    ],
    ['one value', { minimum: '3', maximum: '3.2' }],
  ] as const)('does not exist for %s', (_, given) => {
    expect(ends(given)).toBeNull();
  });

  it('has values that the signal can have, and finds each again', () => {
    const signal = aSignal({
      length: 12,
      factor: '0.1',
      offset: '-40',
      minimum: '-40',
      maximum: '85',
    });
    const slider = sliderOf(signal);
    for (const position of [0, 1, 499, 500, 1000]) {
      const encoded = encodeSignal(signal, {
        as: 'physical',
        text: slider?.textAt(position) ?? '',
      });
      expect(encoded).toMatchObject({ problem: null, warning: null });
      expect(slider?.positionOf(encoded.raw)).toBeCloseTo(position, -1);
    }
    expect(slider?.positionOf('4095')).toBe(1000);
  });
});
