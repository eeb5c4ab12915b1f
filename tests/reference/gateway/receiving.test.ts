import { describe, expect, it } from 'vitest';
import {
  endpoint,
  frame,
  millisecondsOf,
  receiving,
  rounds,
  run,
  snapshot,
  start,
} from './small-scripts.ts';

/** The received message with another codec, signal or binding. */
const withCodec = (codec: object, signal: object = {}, binding: object = {}) => ({
  ...receiving,
  signals: [{ ...receiving.signals[0], ...signal }],
  codecs: [{ ...receiving.codecs[0], ...codec }],
  bindings: [{ ...receiving.bindings[0], ...binding }],
});

const stateAfter = (project: object, hex: string): string =>
  run(project, [start(), frame(1, hex), rounds(2), snapshot(2)]).state('input');

describe('frames', () => {
  it('count when identifier and format are those of a message', () => {
    const events = [
      start(),
      frame(1, '0100000000000000', { id: 0x101 }),
      frame(1, '0200000000000000', { extended: true }),
      frame(1, '0300000000000000', { completion: true }),
      frame(1, '0400000000000000', { error: true }),
      frame(1, '', { remote: true }),
      frame(1, '05000000000000'),
    ];
    const result = run(receiving, [...events, rounds(2), snapshot(2)]);
    expect(result.state('input')).toBe('null initial');
    expect(result.snapshots[0]?.rejected).toEqual({ remote: 1, short: 1, e2e: 0 });
  });

  it('may be longer than the message', () => {
    expect(stateAfter(receiving, 'FE00000000000000AA')).toBe('-2 good');
  });

  it('take effect in the next round, observed when they came', () => {
    const events = [start(), frame(1, '0700000000000000'), snapshot(1), rounds(5), snapshot(5)];
    const result = run(receiving, events);
    expect(result.state('input', 0)).toBe('null initial');
    expect(result.state('input', 1)).toBe('7 good');
    expect(millisecondsOf(result.signal('input').observedUs)).toBe(1);
  });
});

describe('time-outs', () => {
  it('make an input invalid at their end, not before', () => {
    const events = [start(), frame(1, '0700000000000000'), rounds(2)];
    const late = [rounds(100.999), snapshot(100.999), rounds(101), snapshot(101)];
    const result = run(receiving, [...events, ...late]);
    expect(result.state('input', 0)).toBe('7 good');
    expect(result.state('input', 1)).toBe('7 timeout');
  });

  it('never come where 0 is given, nor to what was never observed', () => {
    const [message] = receiving.messages;
    const project = { ...receiving, messages: [{ ...message, stale_after_ms: 0 }] };
    const events = [start(), frame(1, '0700000000000000'), rounds(9000), snapshot(9000)];
    expect(run(project, events).state('input')).toBe('7 good');
    expect(run(receiving, [start(), rounds(9000), snapshot(9000)]).state('input')).toBe(
      'null initial',
    );
  });
});

describe('a lost channel', () => {
  it('disconnects inputs until they are observed again', () => {
    const result = run(receiving, [
      start(),
      ...[frame(1, '0700000000000000'), endpoint(2, false), rounds(3), snapshot(3)],
      ...[endpoint(4, true), rounds(5), snapshot(5)],
      ...[frame(6, '0800000000000000'), rounds(7), snapshot(7)],
    ]);
    expect([0, 1, 2].map((place) => result.state('input', place))).toEqual([
      '7 disconnected',
      '7 disconnected',
      '8 good',
    ]);
  });

  it('disconnects inputs that were never observed', () => {
    const result = run(receiving, [start(), endpoint(2, false), rounds(3), snapshot(3)]);
    expect(result.state('input')).toBe('null disconnected');
  });
});

describe('decoding', () => {
  it.each([
    ['scales exactly', { factor: 0.1, raw: 'unsigned' }, 'float64', '03', '0.3 good'],
    ['adds the offset', { offset: -40, raw: 'unsigned' }, 'float64', '82', '90 good'],
    ['has no fraction for integers', { factor: 0.5 }, 'int64', '03', 'null error'],
    ['has no negative uint64', {}, 'uint64', 'FF', 'null error'],
    ['has 0 and 1 for bool', {}, 'bool', '02', 'null error'],
    [
      'knows special raws first',
      { special: [{ raw: '3', state: 'not_available' }], raw_max: '2' },
      'int64',
      '03',
      'null not_available',
    ],
    ['knows the invalid raw', { invalid_raw: '3' }, 'int64', '03', 'null invalid'],
    [
      'lets special say more',
      { invalid_raw: '3', special: [{ raw: '3', state: 'error' }] },
      'int64',
      '03',
      'null error',
    ],
    ['has limits', { raw_max: '2' }, 'int64', '03', 'null error'],
  ])('%s', (_, codec, type, byte, expected) => {
    expect(stateAfter(withCodec(codec, { type }), `${byte}00000000000000`)).toBe(expected);
  });

  it('reads floats, but no infinity', () => {
    const float = { raw: 'float32', bit_length: 32 };
    const project = withCodec(float, { type: 'float64' });
    expect(stateAfter(project, '0000C03F00000000')).toBe('1.5 good');
    expect(stateAfter(project, '0000807F00000000')).toBe('null error');
    const scaled = withCodec({ ...float, factor: 10 }, { type: 'float64' });
    expect(stateAfter(scaled, 'CDCCCC3D00000000')).toBe('1.0000000149011612 good');
  });

  it('takes raws that the project names for the nearest that the wire has', () => {
    const float = { raw: 'float32', bit_length: 32, raw_max: '0.1' };
    const special = { ...float, special: [{ raw: '0.1', state: 'not_available' }] };
    expect(stateAfter(withCodec(float, { type: 'float64' }), 'CDCCCC3D00000000')).toBe(
      '0.10000000149011612 good',
    );
    expect(stateAfter(withCodec(special, { type: 'float64' }), 'CDCCCC3D00000000')).toBe(
      'null not_available',
    );
  });

  it('reads Motorola fields', () => {
    const codec = { raw: 'unsigned', bit_length: 12, byte_order: 'motorola' };
    const project = withCodec(codec, {}, { start_bit: 11 });
    expect(stateAfter(project, '00FABC0000000000')).toBe('2748 good');
  });

  it('believes the validity bit', () => {
    const project = withCodec({}, {}, { validity_bit: 8 });
    expect(stateAfter(project, '0700000000000000')).toBe('null invalid');
    expect(stateAfter(project, '0701000000000000')).toBe('7 good');
  });

  it('keeps the value of what is not one, and its time-out goes on', () => {
    const project = withCodec({ invalid_raw: '3' }, { initial: '20' });
    const result = run(project, [
      ...[start(), snapshot(0), frame(1, '0700000000000000'), rounds(1)],
      ...[frame(90, '0300000000000000'), rounds(150), snapshot(150), rounds(190), snapshot(190)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['20 initial', '7 invalid', '7 timeout']);
  });
});

describe('pages', () => {
  const project = {
    ...receiving,
    signals: ['page', 'inner', 'a', 'b', 'c'].map((id) => ({ ...receiving.signals[0], id })),
    bindings: [
      { id: 'page.rx', signal: 'page', start_bit: 0 },
      { id: 'a.rx', signal: 'a', start_bit: 8, mux: { selector: 'page.rx', values: ['0', '4-7'] } },
      {
        id: 'inner.rx',
        signal: 'inner',
        start_bit: 16,
        mux: { selector: 'page.rx', values: ['1'] },
      },
      { id: 'b.rx', signal: 'b', start_bit: 8, mux: { selector: 'inner.rx', values: ['2'] } },
      { id: 'c.rx', signal: 'c', start_bit: 8, mux: { selector: 'inner.rx', values: ['0'] } },
    ].map((row) => ({ direction: 'rx', message: 'rx', codec: 's8', ...row })),
  };

  it('are those of the selector in the same frame, also one within another', () => {
    const result = run(project, [
      ...[start(), frame(1, '0511 02 0000000000'), frame(2, '0122 02 0000000000'), rounds(3)],
      snapshot(3),
    ]);
    expect(['page', 'inner', 'a', 'b', 'c'].map((id) => result.state(id))).toEqual([
      '1 good',
      '2 good',
      '17 good',
      '34 good',
      'null initial',
    ]);
  });

  it('are not there where the page of their selector is not', () => {
    const events = [start(), frame(1, '0511 02 0000000000'), rounds(3), snapshot(3)];
    const result = run(project, events);
    expect([result.state('inner'), result.state('b')]).toEqual(['null initial', 'null initial']);
  });

  it('get stale one by one', () => {
    const result = run(project, [
      ...[start(), frame(1, '0511000000000000'), frame(80, '0122020000000000')],
      ...[rounds(110), snapshot(110)],
    ]);
    expect([result.state('a'), result.state('b')]).toEqual(['17 timeout', '34 good']);
  });
});
