import { describe, expect, it } from 'vitest';
import { coordinates } from './coordinates.ts';
import type { SignalType, TransformRow } from './project.ts';
import { runTransform } from './transforms.ts';
import { parseValue, type Value, valueText } from './values.ts';

/** Reads `int64:7`. */
const input = (text: string): Value => {
  const [type, value = ''] = text.split(':');
  return parseValue(type as SignalType, value) ?? 0n;
};

const resultOf = (transform: TransformRow, inputs: string, type: string): string => {
  const values = inputs.split(' ').map(input);
  const [result] = runTransform(transform, values, [type as SignalType], { isAbove: false }) ?? [];
  return result === undefined ? 'transform_error' : valueText(result);
};

describe('identity and linear', () => {
  it.each([
    ['int64:9007199254740993', 'float64', 'transform_error'],
    ['int64:9007199254740992', 'float64', '9007199254740992'],
    ['float64:3.5', 'int64', 'transform_error'],
    ['float64:3', 'uint64', '3'],
    ['int64:-1', 'uint64', 'transform_error'],
    ['int64:2', 'bool', 'transform_error'],
  ])('%s as %s', (value, type, expected) => {
    expect(resultOf({ kind: 'identity' }, value, type)).toBe(expected);
  });

  it('is exact for integers, and in doubles otherwise', () => {
    const twice = { kind: 'linear', k: 2, b: 1 } as const;
    expect(resultOf(twice, 'int64:4611686018427387903', 'int64')).toBe('9223372036854775807');
    expect(resultOf(twice, 'int64:4611686018427387904', 'int64')).toBe('transform_error');
    expect(resultOf({ kind: 'linear', k: 1.8, b: 32 }, 'float64:90', 'float64')).toBe('194');
    expect(resultOf({ kind: 'linear', k: 0.1, b: 0.2 }, 'int64:1', 'float64')).toBe(
      '0.30000000000000004',
    );
    expect(resultOf({ kind: 'linear', k: 0.5 }, 'int64:3', 'int64')).toBe('transform_error');
  });
});

describe('math', () => {
  it.each([
    ['add', 'uint64:18446744073709551615 uint64:1', 'uint64', 'transform_error'],
    ['add', 'int64:9223372036854775807 int64:1', 'uint64', '9223372036854775808'],
    ['add', 'int64:1 float64:0.5 int64:2', 'float64', '3.5'],
    ['mul', 'int64:3037000500 int64:3037000500', 'int64', 'transform_error'],
    ['sub', 'uint64:1 uint64:2', 'int64', '-1'],
    ['div', 'int64:7 int64:2', 'int64', 'transform_error'],
    ['div', 'int64:7 int64:2', 'float64', '3.5'],
    ['div', 'int64:-8 int64:2', 'int64', '-4'],
    ['div', 'int64:1 int64:0', 'float64', 'transform_error'],
    ['div', 'float64:1 float64:0', 'float64', 'transform_error'],
    ['mod', 'int64:-7 int64:3', 'int64', '-1'],
    ['mod', 'float64:-7.5 float64:2', 'float64', '-1.5'],
    ['mod', 'int64:7 int64:0', 'int64', 'transform_error'],
    ['pow', 'int64:3 int64:39', 'int64', '4052555153018976267'],
    ['pow', 'int64:2 int64:64', 'float64', String(2n ** 64n)],
    ['pow', 'int64:3 int64:64', 'float64', 'transform_error'],
    ['pow', 'int64:2 int64:9223372036854775807', 'float64', 'transform_error'],
    ['pow', 'int64:2 int64:-1', 'float64', '0.5'],
    ['pow', 'int64:2 int64:-1', 'int64', 'transform_error'],
    ['pow', 'int64:2 int64:-9223372036854775808', 'float64', '0'],
    ['pow', 'int64:0 int64:-1', 'float64', 'transform_error'],
    ['pow', 'int64:-1 int64:9223372036854775807', 'int64', '-1'],
    ['min', 'int64:9007199254740993 float64:9007199254740992', 'float64', '9007199254740992'],
    ['max', 'int64:9007199254740993 float64:9007199254740992', 'int64', '9007199254740993'],
    ['average', 'int64:1 int64:2', 'int64', 'transform_error'],
    ['average', 'int64:9007199254740993 int64:9007199254740992', 'int64', 'transform_error'],
    ['average', 'int64:9007199254740993 int64:9007199254740992', 'float64', '9007199254740992'],
    ['average', 'int64:1 int64:2', 'float64', '1.5'],
    ['average', 'int64:1 int64:2 int64:6', 'int64', '3'],
    ['abs', 'int64:-9223372036854775808', 'int64', 'transform_error'],
    ['abs', 'int64:-9223372036854775808', 'uint64', '9223372036854775808'],
    ['neg', 'float64:0', 'float64', '0'],
    ['sqrt', 'int64:16', 'int64', '4'],
    ['sqrt', 'int64:9223372030926249001', 'int64', '3037000499'],
    ['sqrt', 'int64:9223372030926249002', 'int64', 'transform_error'],
    ['sqrt', 'int64:-4', 'int64', 'transform_error'],
    ['log10', 'int64:1000', 'int64', '3'],
    ['log10', 'int64:0', 'int64', 'transform_error'],
    ['exp', 'int64:0', 'int64', '1'],
    ['exp', 'int64:40', 'int64', 'transform_error'],
    ['atan2', 'int64:0 int64:3', 'int64', '0'],
    ['atan2', 'int64:0 int64:-3', 'int64', 'transform_error'],
    ['sqrt', 'float64:-1', 'float64', 'transform_error'],
    ['exp', 'float64:1000', 'float64', 'transform_error'],
    ['ln', 'float64:0', 'float64', 'transform_error'],
    ['log10', 'int64:1000', 'float64', String(Math.log10(1000))],
    ['sin', 'float64:0', 'float64', '0'],
    ['cos', 'float64:0', 'int64', '1'],
    ['tan', 'float64:1', 'float64', String(Math.tan(1))],
    ['asin', 'float64:2', 'float64', 'transform_error'],
    ['acos', 'float64:1', 'float64', '0'],
    ['atan', 'float64:1', 'float64', String(Math.PI / 4)],
    ['atan2', 'float64:1 float64:-1', 'float64', String((3 * Math.PI) / 4)],
    ['floor', 'float64:-1.5', 'int64', '-2'],
    ['ceil', 'float64:-0.5', 'float64', '0'],
    ['round', 'float64:2.5', 'int64', '3'],
    ['round', 'float64:-2.5', 'int64', '-3'],
    ['round', 'float64:0.49999999999999994', 'int64', '0'],
    ['and', 'bool:1 bool:1 bool:0', 'bool', '0'],
    ['or', 'bool:0 bool:1', 'bool', '1'],
    ['xor', 'bool:1 bool:1 bool:1', 'bool', '1'],
    ['not', 'bool:0', 'bool', '1'],
    ['select', 'bool:1 int64:5 int64:6', 'int64', '5'],
    ['select', 'bool:0 int64:5 int64:6', 'int64', '6'],
  ])('%s of %s as %s', (name, inputs, type, expected) => {
    expect(resultOf({ kind: 'math', function: name }, inputs, type)).toBe(expected);
  });
});

describe('threshold', () => {
  it('goes back below the hysteresis only', () => {
    const transform = { kind: 'threshold', threshold: 10, hysteresis: 2, above: '7' } as const;
    const memory = { isAbove: false };
    const outputs = [9, 10, 8, 7.9, 9, 10.5].map(
      (x) => runTransform(transform, [x], ['int64'], memory)?.[0],
    );
    expect(outputs).toEqual([0n, 7n, 7n, 0n, 0n, 7n]);
  });

  it('compares wide integers exactly', () => {
    const transform = { kind: 'threshold', threshold: 2 ** 53 } as const;
    const results = [2n ** 53n - 1n, 2n ** 53n].map(
      (x) => runTransform(transform, [x], ['bool'], { isAbove: false })?.[0],
    );
    expect(results).toEqual([0n, 1n]);
  });
});

describe('coordinates', () => {
  const near = (found: readonly number[], expected: readonly number[], digits = 9): void => {
    for (const [place, value] of expected.entries()) {
      expect(found[place]).toBeCloseTo(value, digits);
    }
  };
  const of = (name: string, inputs: readonly number[], more: object = {}): number[] =>
    coordinates({ kind: 'coordinate', function: name, ...more }, inputs);

  it('turn between forms', () => {
    near(of('polar_to_cartesian', [2, 90]), [0, 2]);
    near(of('cartesian_to_polar', [0, 2]), [2, 90]);
    near(of('rotate_2d', [1, 0], { angle_deg: 90 }), [0, 1]);
    near(of('spherical_to_cartesian', [2, 90, 30]), [0, Math.sqrt(3), 1]);
    near(of('cartesian_to_spherical', [0, Math.sqrt(3), 1]), [2, 90, 30]);
  });

  it('know the ellipsoid', () => {
    const origin = { latitude_deg: 0, longitude_deg: 0, height_m: 0 };
    // From the equator: the pole is one semi-minor axis north and one semi-major axis down.
    near(of('wgs84_to_enu', [90, 0, 0], { origin }), [0, 6_356_752.314245, -6_378_137], 6);
    near(of('wgs84_to_enu', [0, 90, 0], { origin }), [6_378_137, 0, -6_378_137], 6);
    near(of('enu_to_wgs84', [0, 0, 100], { origin }), [0, 0, 100], 6);
  });

  it('come back', () => {
    const origin = { latitude_deg: 48.1, longitude_deg: 11.6, height_m: 520 };
    const local = of('wgs84_to_enu', [48.2, 11.5, 600], { origin });
    near(of('enu_to_wgs84', local, { origin }), [48.2, 11.5, 600], 8);
  });
});
