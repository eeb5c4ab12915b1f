import { describe, expect, it } from 'vitest';
import {
  frame,
  millisecondsOf,
  receiving,
  rounds,
  run,
  set,
  snapshot,
  start,
  stop,
} from './small-scripts.ts';

const signal = (id: string, producer: string, more: object = {}) => ({
  id,
  type: 'int64',
  producer,
  ...more,
});

/** Inputs `a` and `b` in messages 0x100 and 0x101, a constant `c` = 5, software `s`, derived `d`. */
const project = (...mappings: readonly object[]) => ({
  ...receiving,
  signals: [
    signal('a', 'input'),
    signal('b', 'input'),
    signal('c', 'constant', { initial: '5' }),
    signal('s', 'software', { type: 'bool' }),
    signal('d', 'derived', { initial: '-1' }),
    signal('e', 'derived'),
  ],
  messages: [
    { ...receiving.messages[0], stale_after_ms: 0 },
    { ...receiving.messages[0], stale_after_ms: 0, id: 'rx2', can_id: 0x101 },
  ],
  bindings: [
    { ...receiving.bindings[0], id: 'a.rx', signal: 'a' },
    { ...receiving.bindings[0], id: 'b.rx', signal: 'b', message: 'rx2' },
  ],
  mappings: mappings.map((mapping, index) => ({ id: `m${index}`, outputs: ['d'], ...mapping })),
});
const a = (ms: number, hex: string) => frame(ms, `${hex}00000000000000`);
const b = (ms: number, hex: string) => frame(ms, `${hex}00000000000000`, { id: 0x101 });
const sum = { inputs: ['a', 'b'], transform: { kind: 'math', function: 'add' } };

it('is identity by default, and good with the time of its input', () => {
  const result = run(project({ inputs: ['a'] }), [start(), a(3, '07'), rounds(5), snapshot(5)]);
  expect(result.state('d')).toBe('7 good');
  expect(millisecondsOf(result.signal('d').observedUs)).toBe(3);
});

it('needs all inputs, and keeps the value and its time without them', () => {
  const result = run(project(sum), [
    ...[start(), snapshot(0), a(1, '01'), b(3, '02'), rounds(4), snapshot(4)],
    ...[stop(5), start(2000), snapshot(2000)],
  ]);
  expect([0, 1, 2].map((place) => result.state('d', place))).toEqual([
    '-1 input_invalid',
    '3 good',
    '-1 input_invalid',
  ]);
  expect(millisecondsOf(result.signal('d', 1).observedUs)).toBe(1);
});

it('comes after the mappings that it depends on, whatever the rows say', () => {
  const chain = project(
    { inputs: ['e'], outputs: ['d'], transform: { kind: 'linear', k: 10 } },
    { inputs: ['a'], outputs: ['e'], transform: { kind: 'linear', b: 1 } },
  );
  const result = run(chain, [start(), a(1, '01'), rounds(2), snapshot(2)]);
  expect([result.state('e'), result.state('d')]).toEqual(['2 good', '20 good']);
});

it('reports what cannot be represented, and keeps the last value', () => {
  const half = project({ inputs: ['a', 'c'], transform: { kind: 'math', function: 'div' } });
  const result = run(half, [
    ...[start(), a(1, '0A'), rounds(2), snapshot(2), a(3, '07'), rounds(4), snapshot(4)],
  ]);
  expect([0, 1].map((place) => result.state('d', place))).toEqual(['2 good', '2 transform_error']);
  expect(millisecondsOf(result.signal('d').observedUs)).toBe(1);
});

describe('freshness', () => {
  it('allows as much skew as given', () => {
    const result = run(project({ ...sum, max_skew_ms: 10 }), [
      ...[start(), a(1, '01'), b(11, '02'), rounds(11), snapshot(11)],
      ...[b(11.001, '03'), rounds(12), snapshot(12)],
    ]);
    expect([0, 1].map((place) => result.state('d', place))).toEqual(['3 good', '3 skew']);
  });

  it('ends with the time to live of the oldest input', () => {
    const result = run(project({ ...sum, ttl_ms: 10 }), [
      ...[start(), a(1, '01'), b(5, '02'), rounds(11), snapshot(11)],
      ...[rounds(11.001), snapshot(11.001), a(12, '05'), rounds(12), snapshot(12)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('d', place));
    expect(states).toEqual(['3 good', '3 expired', '7 good']);
  });

  it('does not concern constants, nor what depends on constants alone', () => {
    const constants = project(
      { inputs: ['c'], outputs: ['e'], transform: { kind: 'linear', k: 2 } },
      {
        inputs: ['e', 'a'],
        transform: { kind: 'math', function: 'add' },
        max_skew_ms: 0,
        ttl_ms: 10,
      },
    );
    const result = run(constants, [start(), a(500, '01'), rounds(505), snapshot(505)]);
    expect(result.signal('e').observedUs).toBeNull();
    expect(result.state('d')).toBe('11 good');
  });
});

describe('select', () => {
  const choice = project({
    inputs: ['s', 'a', 'b'],
    transform: { kind: 'math', function: 'select' },
    max_skew_ms: 10,
  });

  it('needs the condition and the chosen input only', () => {
    const result = run(choice, [
      ...[start(), a(1, '01'), rounds(1), snapshot(1)],
      ...[set(2, 's', '1'), rounds(2), snapshot(2), set(3, 's', '0'), rounds(3), snapshot(3)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('d', place));
    expect(states).toEqual(['-1 input_invalid', '1 good', '1 input_invalid']);
  });

  it('checks the skew of those alone', () => {
    const result = run(choice, [
      ...[start(), a(1, '01'), set(2, 's', '1'), b(90, '02'), rounds(91), snapshot(91)],
      ...[set(92, 's', '1'), rounds(92), snapshot(92), set(93, 's', '0'), rounds(93), snapshot(93)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('d', place));
    expect(states).toEqual(['1 good', '1 skew', '2 good']);
  });
});

describe('a threshold', () => {
  const mapping = {
    inputs: ['a'],
    transform: { kind: 'threshold', threshold: 10, hysteresis: 5 },
  };

  it('begins below at each start', () => {
    const result = run(project(mapping), [
      ...[start(), a(1, '0A'), rounds(1), a(2, '07'), rounds(2), snapshot(2)],
      ...[stop(3), start(2000), a(2001, '07'), rounds(2002), snapshot(2002)],
    ]);
    expect([0, 1].map((place) => result.state('d', place))).toEqual(['1 good', '0 good']);
  });
});

describe('sources', () => {
  it('of software keep what was set over a restart', () => {
    const result = run(project({ inputs: ['a'] }), [
      ...[start(), snapshot(0), set(1, 's', '1'), snapshot(1), rounds(2), snapshot(2)],
      ...[stop(3), start(2000), snapshot(2000)],
    ]);
    const states = [0, 1, 2, 3].map((place) => result.state('s', place));
    expect(states).toEqual(['null initial', 'null initial', '1 good', '1 good']);
    expect(millisecondsOf(result.signal('s').observedUs)).toBe(1);
  });

  it('of software alone can be set', () => {
    const events = [start(), set(1, 'c', '9'), set(1, 'a', '9'), rounds(2), snapshot(2)];
    const result = run(project({ inputs: ['a'] }), events);
    expect([result.state('c'), result.state('a')]).toEqual(['5 good', 'null initial']);
  });

  const waveform = (row: object, type = 'float64') => ({
    signals: [{ id: 'w', type, producer: 'waveform', waveform: row }],
  });
  const sampled = (row: object, times: readonly number[], type?: string): string[] => {
    const result = run(waveform(row, type), [
      start(),
      ...times.flatMap((ms) => [...rounds(ms), snapshot(ms)]),
    ]);
    return times.map((_, place) => {
      const { value, observedUs } = result.signal('w', place);
      return `${value} at ${millisecondsOf(observedUs)}`;
    });
  };

  it('of waveforms take the latest sample on their grid', () => {
    const ramp = { kind: 'ramp', amplitude: 1, period_ms: 80, sample_ms: 10 };
    expect(sampled(ramp, [0, 9.999, 10, 47])).toEqual([
      '-1 at 0',
      '-1 at 0',
      '-0.75 at 10',
      '0 at 40',
    ]);
  });

  it.each([
    ['sine', { offset: 1 }, ['1', '3', '1.0000000000000002', '-1']],
    ['triangle', {}, ['-2', '0', '2', '0']],
    ['square', {}, ['2', '2', '-2', '-2']],
    ['square', { duty: 0.25, offset: 1 }, ['3', '-1', '-1', '-1']],
    ['ramp', { phase: 0.5 }, ['0', '1', '-2', '-1']],
  ])('of a %s have the values of its shape', (kind, more, expected) => {
    const row = { kind, amplitude: 2, period_ms: 40, ...more };
    const found = sampled(row, [0, 10, 20, 30]).map((text) => text.split(' ')[0]);
    expect(found).toEqual(expected);
  });

  it('of steps go round', () => {
    const steps = { kind: 'step', values: ['1', '18446744073709551615'], dwell_ms: 15 };
    expect(sampled(steps, [0, 10, 20, 30], 'uint64')).toEqual([
      '1 at 0',
      '1 at 10',
      '18446744073709551615 at 20',
      '1 at 30',
    ]);
  });
});
