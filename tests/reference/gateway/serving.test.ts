import { describe, expect, it } from 'vitest';
import {
  clientWrite,
  endpoint,
  millisecondsOf,
  rounds,
  run,
  serving,
  set,
  snapshot,
  start,
  stop,
} from './small-scripts.ts';

const flagIn = (id: string, bit_offset: number) =>
  ({
    id,
    endpoint: 'server',
    table: 'holding',
    address: 5,
    bit_offset,
    access: 'external',
  }) as const;
const signal = (id: string) => ({ id, type: 'bool', producer: 'input', initial: '1' }) as const;
const bind = (id: string) =>
  ({ id: `${id}.rx`, signal: id, direction: 'rx', resource: id, codec: 'flag' }) as const;

/** Two bits of the holding register 5. */
const bits = {
  ...serving,
  signals: [signal('a'), signal('b')],
  modbus_resources: [flagIn('a', 0), flagIn('b', 9)],
  bindings: [bind('a'), bind('b')],
};

describe('servers', () => {
  it('begin with initial values, and have what clients write at once', () => {
    const result = run(serving, [
      ...[start(), snapshot(0), clientWrite(1, 0, [3, 0]), snapshot(1), rounds(2), snapshot(2)],
    ]);
    const items = [0, 1, 2].map((place) => [
      ...[result.item('holding', 0, place), result.item('holding', 1, place)],
      result.item('input', 8, place),
    ]);
    expect(result.answers).toEqual([0]);
    // CDAB: the low word comes first. The mirror of an invalid signal is its invalid raw value.
    expect(items).toEqual([
      [2, 1, 65_535],
      [3, 0, 65_535],
      [3, 0, 3],
    ]);
    expect(result.state('setpoint')).toBe('3 good');
    expect(millisecondsOf(result.signal('setpoint').observedUs)).toBe(1);
  });

  it('begin with the raw for invalid signals where the codec has one', () => {
    const codecs = serving.codecs.map((codec) => ({ ...codec, invalid_raw: '9' }));
    const result = run({ ...serving, codecs }, [start(), snapshot(0)]);
    expect(result.item('holding', 0)).toBe(9);
    expect(result.state('setpoint')).toBe('65538 initial');
  });

  it('show external bindings with the mirrors', () => {
    const result = run(serving, [
      ...[start(), snapshot(0), clientWrite(1, 0, [0, 1]), rounds(2), snapshot(2)],
    ]);
    expect(result.signal('setpoint', 0).bindings).toEqual([
      { id: 'setpoint.rx', raw: '65538', valid: false, error: null },
      { id: 'setpoint.tx', raw: '65535', valid: false, error: null },
    ]);
    expect(result.signal('setpoint', 1).bindings).toEqual([
      { id: 'setpoint.rx', raw: '65536', valid: true, error: null },
      { id: 'setpoint.tx', raw: '65535', valid: false, error: 'out_of_range' },
    ]);
  });

  it('refuse what is not theirs with 02 and what does not fit with 03, and keep what they have', () => {
    const invalid = { raw: '200', state: 'invalid' };
    const limited = {
      ...serving,
      signals: [{ ...serving.signals[0], initial: '20' }],
      codecs: serving.codecs.map((codec) =>
        codec.id === 'u32' ? { ...codec, raw_max: '100', special: [invalid] } : codec,
      ),
    };
    const result = run(limited, [
      start(),
      ...[clientWrite(1, 0, [1]), clientWrite(2, 1, [1]), clientWrite(3, 1, [1, 1])],
      ...[clientWrite(4, 8, [1]), clientWrite(5, 0, [0], 'coil'), clientWrite(6, 0, [101, 0])],
      ...[rounds(7), snapshot(7), clientWrite(8, 0, [200, 0]), rounds(8), snapshot(8)],
    ]);
    expect(result.answers).toEqual([3, 3, 2, 2, 2, 3, 0]);
    expect(result.item('holding', 0, 0)).toBe(20);
    expect(result.state('setpoint', 0)).toBe('20 initial');
    expect(result.state('setpoint', 1)).toBe('20 invalid');
  });

  it('take bits of a word together, and none that nothing declares', () => {
    const result = run(bits, [
      ...[start(), snapshot(0), clientWrite(1, 5, [0x8200]), rounds(1), snapshot(1)],
    ]);
    expect([0, 1].map((place) => result.item('holding', 5, place))).toEqual([0x0201, 0x0200]);
    expect([result.state('a'), result.state('b')]).toEqual(['0 good', '1 good']);
  });

  it('count what was written again before a round', () => {
    const result = run(bits, [
      ...[start(), clientWrite(1, 5, [1]), clientWrite(2, 5, [0]), rounds(3), snapshot(3)],
    ]);
    expect(result.snapshots[0]?.pollCoalesced).toBe(2);
    expect(millisecondsOf(result.signal('a').observedUs)).toBe(2);
  });

  it('know no client while their port is lost', () => {
    const result = run(serving, [
      ...[start(), clientWrite(1, 0, [3, 0]), rounds(1), endpoint(2, false, 'server'), rounds(2)],
      ...[clientWrite(3, 0, [4, 0]), snapshot(3), endpoint(4, true, 'server'), rounds(4)],
      ...[clientWrite(5, 0, [5, 0]), rounds(5), snapshot(5)],
    ]);
    expect(result.answers).toEqual([0, 0]);
    expect([result.state('setpoint', 0), result.state('setpoint', 1)]).toEqual([
      '3 disconnected',
      '5 good',
    ]);
  });

  it('have what is written age only if a resource says so', () => {
    const [external, mirror] = serving.modbus_resources;
    const aging = {
      ...serving,
      modbus_resources: [{ ...external, stale_after_ms: 20 }, mirror],
    };
    const events = [start(), clientWrite(1, 0, [3, 0]), rounds(1, 21), snapshot(21)];
    expect(run(serving, events).state('setpoint')).toBe('3 good');
    expect(run(aging, events).state('setpoint')).toBe('3 timeout');
  });

  it('begin anew with every start, and have nothing between', () => {
    const result = run(serving, [
      ...[start(), clientWrite(1, 0, [3, 0]), rounds(1), stop(2), set(3, 'setpoint', '1')],
      ...[clientWrite(4, 0, [4, 0]), snapshot(4), start(2000), snapshot(2000)],
    ]);
    expect(result.snapshots[0]?.registers).toEqual([]);
    expect(result.item('holding', 0, 1)).toBe(2);
    expect(result.state('setpoint')).toBe('65538 initial');
  });
});
