import { describe, expect, it } from 'vitest';
import {
  answer,
  endpoint,
  millisecondsOf,
  polling,
  refusal,
  rounds,
  run,
  snapshot,
  start,
  stop,
} from './small-scripts.ts';

const [reg] = polling.modbus_resources;
const [binding] = polling.bindings;

/** The same with a coil 3, polled every 20 ms, as validity bit of the input. */
const marked = {
  ...polling,
  modbus_resources: [
    reg,
    { id: 'bit', endpoint: 'unit', table: 'coil', address: 3, access: 'poll', poll_ms: 20 },
  ],
  bindings: [{ ...binding, validity_bit: 'bit' }],
} as const;
const bit = (ms: number, item: number) =>
  answer(ms, [item], { table: 'coil', address: 3, pollMs: 20 });

describe('polled resources', () => {
  it('are observed when the answer comes', () => {
    const result = run(polling, [
      ...[start(), snapshot(0), answer(3, [5]), rounds(4), snapshot(4)],
      ...[answer(13, [65_535]), rounds(14), snapshot(14)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['7 initial', '5 good', '5 invalid']);
    expect(millisecondsOf(result.signal('input', 1).observedUs)).toBe(3);
  });

  it('grow old after three periods, or after what they say', () => {
    const events = [start(), answer(2, [5]), rounds(31), snapshot(31), rounds(32), snapshot(32)];
    const result = run(polling, events);
    expect([result.state('input', 0), result.state('input', 1)]).toEqual(['5 good', '5 timeout']);
    const withStale = (stale_after_ms: number) => ({
      ...polling,
      modbus_resources: [{ ...reg, stale_after_ms }],
    });
    expect(run(withStale(29), events).state('input', 0)).toBe('5 timeout');
    expect(run(withStale(0), events).state('input')).toBe('5 good');
  });

  it('never seen stay initial where the unit is silent', () => {
    expect(run(polling, [start(), rounds(500), snapshot(500)]).state('input')).toBe('7 initial');
  });

  it('are errors when a unit has refused and they would be too old, until it answers', () => {
    const result = run(polling, [
      ...[start(), refusal(5), rounds(29), snapshot(29), rounds(30), snapshot(30)],
      ...[answer(31, [5]), refusal(41), rounds(60), snapshot(60), rounds(61), snapshot(61)],
      ...[answer(62, [6]), rounds(62), snapshot(62), rounds(92), snapshot(92)],
      ...[refusal(93), rounds(93), snapshot(93)],
    ]);
    const states = [0, 1, 2, 3, 4, 5, 6].map((place) => result.state('input', place));
    expect(states).toEqual([
      ...['7 initial', '7 error', '5 good', '5 error'],
      ...['6 good', '6 timeout', '6 error'],
    ]);
  });

  it('never are errors if they hold for ever', () => {
    const project = { ...polling, modbus_resources: [{ ...reg, stale_after_ms: 0 }] };
    const events = [start(), refusal(5), rounds(5000), snapshot(5000)];
    expect(run(project, events).state('input')).toBe('7 initial');
  });

  it('are disconnected with the link, until the next good answer', () => {
    const result = run(polling, [
      ...[start(), answer(1, [5]), endpoint(2, false, 'unit'), rounds(2), snapshot(2)],
      ...[answer(3, [6]), endpoint(4, true, 'unit'), refusal(40), rounds(40), snapshot(40)],
      ...[answer(41, [8]), rounds(41), snapshot(41)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['5 disconnected', '5 disconnected', '8 good']);
  });

  it('count answers that a newer one replaced before a round', () => {
    const result = run(polling, [
      ...[start(), answer(1, [5]), refusal(2), answer(3, [65_535]), rounds(4), snapshot(4)],
      ...[answer(5, [6]), rounds(5), answer(6, [7]), stop(7), snapshot(7)],
    ]);
    // The value 5 was never seen.
    expect(result.state('input', 0)).toBe('7 invalid');
    expect(result.snapshots.map(({ pollCoalesced }) => pollCoalesced)).toEqual([1, 1]);
    expect(result.state('input', 1)).toBe('6 good');
  });

  it('are valid by the newest known bit, and judged anew when only that is read', () => {
    const result = run(marked, [
      ...[start(), answer(1, [5]), rounds(1), snapshot(1)],
      ...[bit(2, 1), rounds(2), snapshot(2), bit(3, 0), rounds(3), snapshot(3)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['7 invalid', '5 good', '5 invalid']);
    expect(millisecondsOf(result.signal('input').observedUs)).toBe(1);
  });

  it('know no bit from before the link was lost', () => {
    const result = run(marked, [
      ...[start(), bit(1, 1), answer(1, [5]), rounds(1)],
      ...[endpoint(2, false, 'unit'), rounds(2), endpoint(3, true, 'unit')],
      ...[answer(4, [6]), rounds(4), snapshot(4), bit(5, 1), rounds(5), snapshot(5)],
    ]);
    expect([result.state('input', 0), result.state('input', 1)]).toEqual(['5 invalid', '6 good']);
  });

  it('make nothing of a bit alone after the link was lost', () => {
    const result = run(marked, [
      ...[start(), bit(1, 0), answer(1, [5]), rounds(1)],
      ...[endpoint(2, false, 'unit'), rounds(2), endpoint(3, true, 'unit')],
      ...[bit(4, 1), rounds(4), snapshot(4)],
    ]);
    expect(result.state('input')).toBe('7 disconnected');
  });

  it('begin anew with every start', () => {
    const result = run(marked, [
      ...[start(), bit(1, 1), answer(1, [5]), refusal(2), rounds(3), stop(4)],
      ...[start(2000), snapshot(2000), answer(2001, [6]), rounds(2001), snapshot(2001)],
    ]);
    expect([result.state('input', 0), result.state('input', 1)]).toEqual([
      '7 initial',
      '7 invalid',
    ]);
  });
});
