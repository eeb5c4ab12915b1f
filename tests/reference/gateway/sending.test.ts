import { describe, expect, it } from 'vitest';
import {
  accepts,
  endpoint,
  frame,
  millisecondsOf,
  outcome,
  receiving,
  rounds,
  run,
  sending,
  sendingChanges,
  set,
  snapshot,
  start,
  stop,
} from './small-scripts.ts';

describe('periodic tasks', () => {
  it('send at the start, then on the grid', () => {
    const events = [start(), outcome(1), rounds(9.999), rounds(10), outcome(11), rounds(20.5)];
    const result = run(sending, [...events, snapshot(21)]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '10', '20.5']);
    expect(result.task()).toMatchObject({ lastLatenessUs: 500, maxLatenessUs: 500, late: 0 });
  });

  it('send once after a stall', () => {
    const events = [start(), outcome(1), rounds(47), outcome(48), rounds(50), snapshot(50)];
    const result = run(sending, events);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '47', '50']);
    const expected = { missed: 3, late: 1, lastLatenessUs: 0, maxLatenessUs: 7000 };
    expect(result.task()).toMatchObject(expected);
  });

  it('have one frame in flight', () => {
    const events = [start(), rounds(10, 25, 30), outcome(31), rounds(35, 40), snapshot(40)];
    const result = run(sending, events);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '40']);
    expect(result.task()).toMatchObject({ missed: 3, accepted: 2, sent: 1, pending: 1 });
  });

  it('lose an opportunity that is refused', () => {
    const result = run(sending, [
      ...[start(), outcome(1), accepts(2, false), rounds(10), snapshot(10)],
      ...[accepts(11, true), rounds(12, 20), snapshot(20), outcome(21), snapshot(21)],
    ]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '20']);
    const refused = { accepted: 1, failed: 0, missed: 0, error: 'bus_off' };
    expect(result.task(0)).toMatchObject(refused);
    expect(result.task(1).error).toBe('bus_off');
    expect(result.task(2).error).toBeNull();
  });

  it('are told of a lost channel and go on by themselves', () => {
    const result = run(sending, [
      ...[start(), outcome(1), endpoint(2, false), rounds(3), snapshot(3), rounds(10)],
      ...[endpoint(15, true), rounds(20), outcome(21), snapshot(21)],
    ]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '20']);
    expect(result.task(0).error).toBe('channel_not_open');
    expect(result.task(1)).toMatchObject({ error: null, accepted: 2, sent: 2 });
  });

  it('count what was replaced before it was accepted', () => {
    const values = [set(1, 'value', '2'), ...rounds(1), set(2, 'value', '3'), set(2, 'value', '4')];
    const result = run(sending, [
      start(),
      ...values,
      rounds(3),
      outcome(4),
      rounds(10),
      snapshot(10),
    ]);
    expect(result.frames).toEqual(['0: 0100', '10: 0400']);
    expect(result.task().coalesced).toBe(1);
  });

  it('count what was refused and then replaced', () => {
    const events = [accepts(0, false), start(), set(1, 'value', '2'), rounds(1), snapshot(1)];
    expect(run(sending, events).task().coalesced).toBe(1);
  });

  it('measure the age of valid values only', () => {
    const project = {
      ...sending,
      signals: [...sending.signals, { id: 'input', type: 'int64', producer: 'input' }],
      messages: [...sending.messages, { ...receiving.messages[0], stale_after_ms: 5 }],
      bindings: [
        ...sending.bindings,
        ...receiving.bindings,
        { ...sending.bindings[0], id: 'input.tx', signal: 'input', start_bit: 8 },
      ],
    };
    const result = run(project, [
      ...[start(), outcome(1), frame(2, '0700000000000000'), rounds(3), set(4, 'value', '2')],
      ...[rounds(10), snapshot(10)],
    ]);
    expect(result.task().sourceAge).toMatchObject({ count: 2, max: 6000 });
  });

  it('measure ages and waits', () => {
    const result = run(sending, [
      ...[start(), outcome(0.3), set(4, 'value', '2'), rounds(10), outcome(12), snapshot(12)],
    ]);
    const { sourceAge, completionWait } = result.task();
    expect(sourceAge).toEqual({ count: 2, max: 6000, window: 2, p50: 0, p95: 6000, p99: 6000 });
    expect(completionWait).toEqual({
      count: 2,
      max: 2000,
      window: 2,
      p50: 300,
      p95: 2000,
      p99: 2000,
    });
  });
});

describe('tasks on change', () => {
  it('send the first value, then changes', () => {
    const events = [start(), outcome(1), rounds(2), set(3, 'value', '2'), rounds(4, 5)];
    expect(run(sendingChanges(), events).frames).toEqual(['0: 0100', '4: 0200']);
  });

  it('wait for the first valid value', () => {
    const signals = [{ id: 'value', type: 'int64', producer: 'software' }];
    const project = { ...sendingChanges(), signals };
    const result = run(project, [start(), rounds(1), set(2, 'value', '0'), rounds(3), snapshot(3)]);
    expect(result.frames).toEqual(['3: 0000']);
    expect(result.task().coalesced).toBe(0);
  });

  it('see a change of validity', () => {
    const events = [start(), outcome(1), set(2, 'value', '200'), rounds(3)];
    expect(run(sendingChanges(), events).frames).toEqual(['0: 0100', '3: 0100']);
  });

  it('keep their distance', () => {
    const result = run(sendingChanges(20), [
      ...[
        start(),
        outcome(1),
        set(2, 'value', '2'),
        rounds(3),
        set(4, 'value', '3'),
        rounds(19.999),
      ],
      ...[rounds(20), snapshot(20)],
    ]);
    expect(result.frames).toEqual(['0: 0100', '20: 0300']);
    expect(result.task().coalesced).toBe(1);
  });

  it('send nothing when a value comes back before it could be sent', () => {
    const events = [start(), outcome(1), set(2, 'value', '2'), rounds(3), set(4, 'value', '1')];
    const result = run(sendingChanges(20), [...events, rounds(5, 30), snapshot(30)]);
    expect(result.frames).toEqual(['0: 0100']);
    expect(result.task().coalesced).toBe(1);
  });

  it.each([
    [0, ['0', '100']],
    [300, ['0', '300']],
  ])('with a distance of %i ms send a failed state again', (distance, times) => {
    const events = [start(), outcome(0, false), rounds(50, 99.999, 100, 299.999, 300)];
    const result = run(sendingChanges(distance), [...events, snapshot(300)]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(times);
    expect(result.task()).toMatchObject({ failed: 1, error: 'tx_failed', accepted: 2 });
  });

  it('do not wait for a retry of an earlier run', () => {
    const events = [start(), outcome(1, false), stop(5), start(2000)];
    expect(run(sendingChanges(5000), events).frames).toEqual(['0: 0100', '2000: 0100']);
  });

  it('send a refused state when the way is free', () => {
    const result = run(sendingChanges(), [
      ...[
        accepts(0, false),
        start(),
        rounds(50),
        accepts(60, true),
        rounds(99, 100),
        snapshot(100),
      ],
    ]);
    expect(result.frames).toEqual(['100: 0100']);
    expect(result.task()).toMatchObject({ accepted: 1, coalesced: 0, generated: 1 });
  });
});

describe('stop', () => {
  it('takes outcomes for a second, after which nothing is known any more', () => {
    const events = [start(), stop(5), outcome(1004.999, false), snapshot(1004.999)];
    expect(run(sending, events).task()).toMatchObject({ failed: 1, pending: 0, unconfirmed: 0 });
    const late = [start(), stop(5), snapshot(1004), outcome(1005), snapshot(1005)];
    const result = run(sending, late);
    expect(result.task(0)).toMatchObject({ pending: 1, unconfirmed: 0 });
    expect(result.task(1)).toMatchObject({ sent: 0, pending: 1, unconfirmed: 1 });
  });

  it('keeps what was set last', () => {
    const events = [
      start(),
      set(1, 'value', '7'),
      stop(2),
      snapshot(2),
      start(2000),
      snapshot(2000),
    ];
    const result = run(sending, events);
    expect([0, 1].map((place) => result.state('value', place))).toEqual(['7 good', '7 good']);
    expect(millisecondsOf(result.signal('value').observedUs)).toBe(1);
    expect(result.frames.at(-1)).toBe('2000: 0700');
  });

  it('takes what is set while nothing runs', () => {
    const events = [start(), stop(1), set(2, 'value', '9'), snapshot(2), start(2000)];
    const result = run(sending, events);
    expect(result.signal('value')).toMatchObject({ value: '9', bindings: [{ raw: '9' }] });
    expect(result.frames.at(-1)).toBe('2000: 0900');
  });

  it('keeps statistics, and the grid begins anew', () => {
    const events = [start(), stop(5), rounds(10), start(2003), outcome(2004), rounds(2010, 2013)];
    const result = run(sending, [...events, snapshot(2013)]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '2003', '2013']);
    const expected = { accepted: 3, sent: 1, pending: 2, unconfirmed: 1, missed: 0 };
    expect(result.task()).toMatchObject(expected);
  });
});
