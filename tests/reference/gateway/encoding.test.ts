import { describe, expect, it } from 'vitest';
import {
  frame,
  outcome,
  receiving,
  rounds,
  run,
  sending,
  set,
  snapshot,
  start,
  stop,
} from './small-scripts.ts';

const [codec] = sending.codecs;
const [binding] = sending.bindings;
const [message] = sending.messages;

/** The sent message with another codec, signal or binding. */
const withCodec = (own: object, signal: object = {}, other: object = {}) => ({
  ...sending,
  signals: [{ ...sending.signals[0], ...signal }],
  codecs: [{ ...codec, ...own }],
  bindings: [{ ...binding, ...other }],
});

describe('encoding', () => {
  const encoded = (project: object, value: string): string => {
    const result = run(project, [start(), set(1, 'value', value), rounds(1), snapshot(1)]);
    const [entry] = result.signal('value').bindings;
    return `${entry?.raw} ${entry?.error ?? (entry?.valid ? 'valid' : 'invalid')}`;
  };

  it.each([
    ['rounds halves away from zero', { factor: 2 }, {}, '-3', '-2 valid'],
    ['divides exactly', { factor: 0.1, bit_length: 16 }, { type: 'float64' }, '0.3', '3 valid'],
    ['keeps the last raw of what is too large', {}, {}, '128', '1 out_of_range'],
    ['has limits', { raw_max: '5' }, {}, '6', '1 out_of_range'],
    [
      'keeps off reserved raws',
      { special: [{ raw: '7', state: 'error' }] },
      {},
      '7',
      '1 reserved_code',
    ],
    ['sends the invalid raw instead', { invalid_raw: '-128' }, {}, '128', '-128 out_of_range'],
    ['keeps off the invalid raw', { invalid_raw: '-128' }, {}, '-128', '-128 reserved_code'],
    ['lets no count change on a float wire', { raw: 'float32' }, {}, '16777217', '1 inexact'],
    [
      'rounds fractions on a float wire',
      { raw: 'float32' },
      { type: 'float64' },
      '0.1',
      '0.1 valid',
    ],
    [
      'has no float beyond the largest',
      { raw: 'float32' },
      { type: 'float64' },
      '1e39',
      '1 out_of_range',
    ],
    [
      'looks at the range before the exactness',
      { raw: 'float32', raw_max: '9' },
      {},
      '16777217',
      '1 out_of_range',
    ],
  ])('%s', (_, own, signal, value, expected) => {
    const wide = { ...withCodec(own, signal), messages: [{ ...message, length: 8 }] };
    expect(encoded(wide, value)).toBe(expected);
  });

  it('clears an error with the next success', () => {
    const result = run(sending, [
      ...[start(), set(1, 'value', '128'), rounds(1), set(2, 'value', '9'), rounds(2), snapshot(2)],
    ]);
    expect(result.signal('value').bindings[0]).toEqual({
      ...{ id: 'value.tx', raw: '9', valid: true, error: null },
    });
    expect(result.state('value')).toBe('9 good');
  });

  it.each([
    ['its initial value', { initial: '3' }, {}, '0300'],
    ['zero without one', {}, {}, '0000'],
    ['zero where the initial value cannot be encoded', { initial: '500' }, {}, '0000'],
    ['the invalid raw where there is one', { initial: '3' }, { invalid_raw: '-1' }, 'ff00'],
  ])('of an input that was never observed is %s', (_, signal, own, bytes) => {
    const project = {
      ...sending,
      signals: [{ id: 'value', type: 'int64', producer: 'input', ...signal }],
      codecs: [{ ...codec, ...own }],
      messages: [...sending.messages, ...receiving.messages],
      bindings: [binding, { ...receiving.bindings[0], signal: 'value' }],
    };
    expect(run(project, [start()]).frames).toEqual([`0: ${bytes}`]);
  });

  it('begins anew at each start', () => {
    const project = {
      ...sending,
      signals: [{ id: 'value', type: 'int64', producer: 'input', initial: '3' }],
      codecs: [
        { ...codec, special: [{ raw: '5', state: 'error' }] },
        { ...codec, id: 'rx' },
      ],
      messages: [...sending.messages, ...receiving.messages],
      bindings: [binding, { ...receiving.bindings[0], codec: 'rx', signal: 'value' }],
    };
    const result = run(project, [
      ...[
        start(),
        frame(1, '0700000000000000'),
        rounds(1),
        frame(2, '0500000000000000'),
        rounds(2),
      ],
      ...[snapshot(2), stop(3), start(2000), snapshot(2000)],
    ]);
    expect([0, 1].map((place) => result.signal('value', place).bindings[0])).toEqual([
      { id: 'value.tx', raw: '7', valid: false, error: 'reserved_code' },
      { id: 'value.tx', raw: '3', valid: false, error: null },
    ]);
  });

  it('goes on with the last encodable value of a lost input, and clears its validity bit', () => {
    const project = {
      ...sending,
      signals: [{ id: 'value', type: 'int64', producer: 'input' }],
      messages: [...sending.messages, ...receiving.messages],
      bindings: [
        { ...binding, validity_bit: 15 },
        { ...receiving.bindings[0], signal: 'value' },
      ],
    };
    const result = run(project, [
      ...[start(), outcome(1), frame(2, '0700000000000000'), rounds(10), outcome(11)],
      ...[rounds(105), snapshot(105)],
    ]);
    expect(result.frames).toEqual(['0: 0000', '10: 0780', '105: 0700']);
    expect(result.state('value')).toBe('7 timeout');
  });
});

describe('pages', () => {
  const row = (id: string, more: object) => ({ ...binding, id, signal: id, ...more });
  const project = (policy: string) => ({
    ...sending,
    signals: ['page', 'a', 'b'].map((id) => ({ ...sending.signals[0], id })),
    messages: [{ ...message, fill: 0xee }],
    bindings: [
      row('page', { codec: 's4', start_bit: 0 }),
      row('a', { start_bit: 8, mux: { selector: 'page', values: ['1'] } }),
      row('b', { codec: 's4', start_bit: 8, mux: { selector: 'page', values: ['2-3'] } }),
    ],
    codecs: [codec, { ...codec, id: 's4', bit_length: 4 }],
    tx_tasks: [{ id: 'task', message: 'tx', policy }],
  });

  it('are filled where nothing is active', () => {
    const result = run(project('periodic'), [
      ...[start(), outcome(1), set(2, 'page', '2'), rounds(10), outcome(11)],
      ...[set(12, 'page', '5'), rounds(20)],
    ]);
    expect(result.frames).toEqual(['0: e101', '10: e2e1', '20: e5ee']);
  });

  it('that are not sent change nothing', () => {
    const result = run(project('on_change'), [
      ...[start(), outcome(1), set(2, 'b', '7'), rounds(3), set(4, 'page', '2'), rounds(5)],
    ]);
    expect(result.frames).toEqual(['0: e101', '5: e2e7']);
  });
});
