import { describe, expect, it } from 'vitest';
import type { SignalType, Waveform } from '../project/tables/signals.ts';
import { valueText } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { compileWaveform } from './compile-waveform.ts';
import { valueIn } from './testing/run-transform.ts';

const samples = (waveform: Waveform, type: SignalType, timesMs: readonly number[]) => {
  const program = compileWaveform(waveform, type);
  const out = new Slots(1);
  return timesMs.map((ms) =>
    program.sample(ms * 1000, out) ? valueText(valueIn(out, 0, type)) : null,
  );
};

const periodic = { amplitude: 2, offset: 1, period_ms: 100, phase: 0, sample_ms: 10 };

describe('a waveform', () => {
  it('steps through its values, each of them exact', () => {
    const values = ['18446744073709551615', '0', '9007199254740993'];
    const waveform = { kind: 'step', values, dwell_ms: 50, sample_ms: 10 } as const;
    expect(samples(waveform, 'uint64', [0, 49.999, 50, 100, 149, 150])).toEqual([
      values[0],
      values[0],
      values[1],
      values[2],
      values[2],
      values[0],
    ]);
    const signs = { ...waveform, values: ['-9223372036854775808', '-1'] };
    expect(samples(signs, 'int64', [0, 50])).toEqual(signs.values);
    expect(samples({ ...waveform, values: ['0.1', '-0'] }, 'float64', [0, 50])).toEqual([
      '0.1',
      '0',
    ]);
  });

  it('finds its step after a very long time', () => {
    const waveform: Waveform = { kind: 'step', values: ['0', '1'], dwell_ms: 3, sample_ms: 1 };
    const steps = 2_000_000_000_001;
    expect(samples(waveform, 'bool', [3 * steps - 0.001, 3 * steps])).toEqual(['0', '1']);
  });

  it('swings like a sine', () => {
    const sine = samples({ kind: 'sine', ...periodic }, 'float64', [0, 25, 50, 75, 100]);
    [1, 3, 1, -1, 1].forEach((value, place) => {
      expect(Number(sine[place])).toBeCloseTo(value, 12);
    });
  });

  it('rises and falls like a triangle', () => {
    const triangle = { kind: 'triangle', ...periodic } as const;
    expect(samples(triangle, 'float64', [0, 25, 50, 75, 100])).toEqual(['-1', '1', '3', '1', '-1']);
  });

  it('rises like a ramp', () => {
    const ramp = { kind: 'ramp', ...periodic } as const;
    expect(samples(ramp, 'float64', [0, 25, 50, 75, 100])).toEqual(['-1', '0', '1', '2', '-1']);
  });

  it('is up for its duty, else down', () => {
    const square = { kind: 'square', ...periodic, duty: 0.25 } as const;
    expect(samples(square, 'float64', [0, 24, 25, 99, 100])).toEqual(['3', '3', '-1', '-1', '3']);
    expect(samples({ ...square, duty: 0 }, 'float64', [0, 50])).toEqual(['-1', '-1']);
    expect(samples({ ...square, duty: 1 }, 'float64', [0, 99])).toEqual(['3', '3']);
  });

  it('begins where its phase says', () => {
    const ramp = { kind: 'ramp', ...periodic } as const;
    expect(samples({ ...ramp, phase: 0.75 }, 'float64', [0, 25])).toEqual(['2', '-1']);
    expect(samples({ ...ramp, phase: 1 }, 'float64', [0])).toEqual(['-1']);
  });

  it('gives an integer whole values only', () => {
    const ramp = { kind: 'ramp', ...periodic } as const;
    expect(samples(ramp, 'int64', [0, 10, 25])).toEqual(['-1', null, '0']);
    expect(samples(ramp, 'uint64', [0, 75])).toEqual([null, '2']);
  });
});
