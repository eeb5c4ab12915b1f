import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadProject } from '../project/load-project.ts';
import { EngineRig } from './testing/engine-rig.ts';
import { type Rows, relayProject } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const soft = (id: string, initial: string, type = 'int64') => ({
  id,
  type,
  producer: 'software',
  initial,
});
const derived = (id: string, type = 'int64') => ({ id, type, producer: 'derived' });

const started = (changes: Rows): EngineRig => new EngineRig(relayProject(changes)).start();

describe('a mapping', () => {
  it(rule('identity', 'hands its input on where it names no transformation, time and all'), () => {
    const rig = started({});
    rig.observe('Engine', '2a 00', 3 * ms);
    expect(rig.signal('shown')).toMatchObject({
      value: '42',
      quality: 'good',
      observed_us: 3 * ms,
    });
  });

  it(
    rule(
      'built-in transforms',
      'computes linear, threshold, mathematical and coordinate functions',
    ),
    () => {
      const rig = started({
        signals: [
          soft('x', '3', 'float64'),
          soft('y', '4', 'float64'),
          ...['scaled', 'above', 'sum', 'radius', 'angle'].map((id) => derived(id, 'float64')),
        ],
        mappings: [
          {
            id: 'scale',
            inputs: ['x'],
            outputs: ['scaled'],
            transform: { kind: 'linear', k: 1.5, b: 0.1 },
          },
          {
            id: 'limit',
            inputs: ['x'],
            outputs: ['above'],
            transform: { kind: 'threshold', threshold: 3, hysteresis: 1 },
          },
          {
            id: 'add',
            inputs: ['x', 'y'],
            outputs: ['sum'],
            transform: { kind: 'math', function: 'add' },
          },
          {
            id: 'polar',
            inputs: ['x', 'y'],
            outputs: ['radius', 'angle'],
            transform: { kind: 'coordinate', function: 'cartesian_to_polar' },
          },
        ],
      });
      const value = (id: string) => rig.signal(id).value;
      expect(['scaled', 'above', 'sum', 'radius'].map(value)).toEqual(['4.6', '1', '7', '5']);
      expect(Number(value('angle'))).toBeCloseTo(53.130102354, 8);
      // Hysteresis: the value counts as above until it falls below 2.
      const seen = ['2', '1.9', '2.5', '3'].map((x) => {
        rig.set('x', x);
        rig.run(rig.nowUs + 1);
        return value('above');
      });
      expect(seen).toEqual(['1', '0', '0', '1']);
    },
  );

  it(
    rule('exact integers', 'computes integers beyond 53 bits exactly, and refuses what is none'),
    () => {
      const rig = started({
        signals: [
          soft('a', '9007199254740993', 'uint64'),
          soft('b', '2', 'uint64'),
          derived('product', 'uint64'),
          derived('quotient', 'uint64'),
        ],
        mappings: [
          {
            id: 'mul',
            inputs: ['a', 'b'],
            outputs: ['product'],
            transform: { kind: 'math', function: 'mul' },
          },
          {
            id: 'div',
            inputs: ['a', 'b'],
            outputs: ['quotient'],
            transform: { kind: 'math', function: 'div' },
          },
        ],
      });
      expect(rig.signal('product')).toMatchObject({ value: '18014398509481986', quality: 'good' });
      expect(rig.signal('quotient')).toMatchObject({ value: null, quality: 'transform_error' });
      rig.set('a', '18446744073709551614');
      rig.run(1);
      expect(rig.signal('quotient')).toMatchObject({
        value: '9223372036854775807',
        quality: 'good',
      });
      expect(rig.signal('product')).toMatchObject({
        value: '18014398509481986',
        valid: false,
        quality: 'transform_error',
        observed_us: 0,
        error: { code: 'transform_error' },
      });
    },
  );

  it(rule('exact float64', 'makes a double of integers only if it is the same number'), () => {
    const rig = started({
      signals: [soft('a', '4503599627370496'), derived('double', 'float64')],
      mappings: [
        {
          id: 'twice',
          inputs: ['a'],
          outputs: ['double'],
          transform: { kind: 'linear', k: 2, b: 1 },
        },
      ],
    });
    expect(rig.signal('double')).toMatchObject({ value: null, quality: 'transform_error' });
    rig.set('a', '4503599627370495');
    rig.run(1);
    expect(rig.signal('double')).toMatchObject({ value: '9007199254740991', quality: 'good' });
    rig.set('a', '4503599627370496');
    rig.run(2);
    expect(rig.signal('double')).toMatchObject({
      value: '9007199254740991',
      quality: 'transform_error',
    });
  });

  it(rule('exact parameters', 'has no whole parameter that a double cannot hold'), () => {
    const text = JSON.stringify(
      relayProject({ mappings: [{ id: 'show', transform: { kind: 'linear', k: 123, b: 0 } }] }),
    );
    const load = (k: string) => {
      try {
        loadProject(Buffer.from(text.replace('123', k)));
        return null;
      } catch (thrown) {
        return BusbarError.from(thrown).details.problems;
      }
    };
    expect(load('9007199254740992')).toBeNull();
    expect(load('9007199254740993')).toMatchObject([
      { table: 'mappings', row: 'show', field: 'transform.k' },
    ]);
  });

  it('has no result as long as an input has none, and says so', () => {
    const rig = started({
      signals: [{ id: 'a', type: 'int64', producer: 'software' }, derived('b')],
      mappings: [{ id: 'copy', inputs: ['a'], outputs: ['b'] }],
    });
    expect(rig.signal('b')).toMatchObject({ value: null, valid: false, quality: 'input_invalid' });
    rig.set('a', '-3', 4);
    rig.run(5);
    expect(rig.signal('b')).toMatchObject({ value: '-3', quality: 'good', observed_us: 4 });
  });

  it('asks a selection only for the condition and what it chooses', () => {
    const rig = started({
      signals: [
        soft('which', '0', 'bool'),
        { id: 'a', type: 'int64', producer: 'software' },
        soft('b', '8'),
        derived('chosen'),
      ],
      mappings: [
        {
          id: 'choose',
          inputs: ['which', 'a', 'b'],
          outputs: ['chosen'],
          transform: { kind: 'math', function: 'select' },
        },
      ],
    });
    expect(rig.signal('chosen')).toMatchObject({ value: '8', quality: 'good' });
    rig.set('which', '1');
    rig.run(1);
    expect(rig.signal('chosen')).toMatchObject({ value: '8', quality: 'input_invalid' });
  });
});

describe('the age of a derived value', () => {
  const sum = { kind: 'math', function: 'add' };

  it(
    rule(
      'source freshness',
      'is that of its oldest source, through chains, and decides skew and expiry',
    ),
    () => {
      const rig = started({
        signals: [
          soft('offset', '1', 'uint64'),
          derived('moved', 'uint64'),
          derived('both', 'uint64'),
        ],
        mappings: [
          {
            id: 'move',
            inputs: ['speed', 'offset'],
            outputs: ['moved'],
            transform: sum,
            max_skew_ms: 50,
          },
          {
            id: 'both',
            inputs: ['moved', 'offset'],
            outputs: ['both'],
            transform: sum,
            ttl_ms: 100,
          },
        ],
      });
      rig.observe('Engine', '05 00', 50 * ms);
      expect(rig.signal('both')).toMatchObject({ value: '7', quality: 'good', observed_us: 0 });
      rig.observe('Engine', '06 00', 50 * ms + 1);
      expect(rig.signal('moved')).toMatchObject({ value: '6', quality: 'skew', observed_us: 0 });
      rig.set('offset', '2', 60 * ms);
      rig.run(60 * ms);
      expect(rig.signal('both')).toMatchObject({
        value: '10',
        quality: 'good',
        observed_us: 50 * ms + 1,
      });
      rig.runUntil(150 * ms + 1);
      expect(rig.signal('both').quality).toBe('good');
      rig.runUntil(150 * ms + 2);
      expect(rig.signal('both')).toMatchObject({
        value: '10',
        quality: 'expired',
        observed_us: 50 * ms + 1,
      });
      expect(rig.signal('moved').quality).toBe('good');
    },
  );

  it(
    rule(
      'constant chains',
      'is none if all is constant: nothing expires and nothing is too far apart',
    ),
    () => {
      const rig = started({
        signals: [
          { id: 'c', type: 'uint64', producer: 'constant', initial: '100' },
          derived('d', 'uint64'),
          derived('e', 'uint64'),
        ],
        mappings: [
          {
            id: 'chain',
            inputs: ['c', 'c'],
            outputs: ['d'],
            transform: sum,
            ttl_ms: 1,
            max_skew_ms: 1,
          },
          {
            id: 'mix',
            inputs: ['speed', 'd'],
            outputs: ['e'],
            transform: sum,
            ttl_ms: 10,
            max_skew_ms: 1,
          },
        ],
      });
      rig.runUntil(5000 * ms);
      expect(rig.signal('d')).toMatchObject({ value: '200', quality: 'good', observed_us: null });
      rig.observe('Engine', '05 00');
      expect(rig.signal('e')).toMatchObject({
        value: '205',
        quality: 'good',
        observed_us: 5000 * ms,
      });
      rig.runUntil(5011 * ms);
      expect(rig.signal('e').quality).toBe('expired');
    },
  );
});

describe('a signal', () => {
  it(rule('one writer', 'can be set if it belongs to software, and otherwise not'), () => {
    const rig = started({
      signals: [
        soft('setpoint', '1'),
        { id: 'fixed', type: 'int64', producer: 'constant', initial: '1' },
        {
          id: 'wave',
          type: 'float64',
          producer: 'waveform',
          waveform: { kind: 'sine', amplitude: 1, offset: 0, period_ms: 100 },
        },
      ],
    });
    rig.set('setpoint', '-9', 5);
    rig.run(6);
    expect(rig.signal('setpoint')).toMatchObject({ value: '-9', quality: 'good', observed_us: 5 });
    for (const id of ['speed', 'shown', 'fixed', 'wave']) {
      const before = rig.signal(id);
      expect(() => rig.set(id, '1'), id).toThrow(
        expect.objectContaining({ code: 'signal_not_writable' }),
      );
      expect(rig.signal(id)).toEqual(before);
    }
  });

  it('that is a waveform is observed on its grid, the latest sample after a pause', () => {
    const rig = started({
      signals: [
        {
          id: 'steps',
          type: 'uint64',
          producer: 'waveform',
          waveform: { kind: 'step', values: ['1', '2', '3'], dwell_ms: 20, sample_ms: 10 },
        },
      ],
    });
    expect(rig.signal('steps')).toMatchObject({ value: '1', quality: 'good', observed_us: 0 });
    rig.run(45 * ms);
    expect(rig.signal('steps')).toMatchObject({ value: '3', observed_us: 40 * ms });
    rig.runUntil(60 * ms);
    expect(rig.signal('steps')).toMatchObject({ value: '1', observed_us: 60 * ms });
  });
});
