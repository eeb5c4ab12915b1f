import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { Slots } from '../values/slots.ts';
import { compileTransform } from './compile-transform.ts';
import { angleOf, cosineOf, type Origin, sineOf } from './coordinates.ts';
import { type BuiltIn, runTransform } from './testing/run-transform.ts';

const floats = (count: number): SignalType[] => Array.from({ length: count }, () => 'float64');

/** Results of a transformation as doubles. */
const transformed = (transform: BuiltIn, values: readonly number[]): number[] => {
  const types = floats(values.length);
  const program = compileTransform(transform, types, types);
  const inputs = new Slots(values.length);
  for (const [slot, value] of values.entries()) inputs.setNumber(slot, value);
  const outputs = new Slots(values.length);
  expect(program.run(inputs, outputs)).toBe(true);
  return [...outputs.numbers];
};

const plain = (
  name:
    | 'polar_to_cartesian'
    | 'cartesian_to_polar'
    | 'spherical_to_cartesian'
    | 'cartesian_to_spherical',
): BuiltIn => ({ kind: 'coordinate', function: name });
const rotate = (angle_deg: number): BuiltIn => ({
  kind: 'coordinate',
  function: 'rotate_2d',
  angle_deg,
});
const earth = (name: 'wgs84_to_enu' | 'enu_to_wgs84', origin: Origin): BuiltIn => ({
  kind: 'coordinate',
  function: name,
  origin,
});
const at = (latitude_deg: number, longitude_deg: number, height_m: number): Origin => ({
  latitude_deg,
  longitude_deg,
  height_m,
});

const expectClose = (found: readonly number[], wanted: readonly number[], within: number): void => {
  wanted.forEach((value, place) => {
    expect(Math.abs((found[place] ?? Number.NaN) - value)).toBeLessThanOrEqual(within);
  });
};

describe('angles in degrees', () => {
  it('are exact where they are on paper', () => {
    const sines = [0, 0.5, 1, 0.5, 0, -0.5, -1, -0.5];
    [0, 30, 90, 150, 180, 210, 270, 330].forEach((angle, place) => {
      for (const turns of [-720, -360, 0, 360, 3600]) {
        expect(sineOf(angle + turns)).toBe(sines[place]);
        expect(cosineOf(angle + turns - 90)).toBe(sines[place]);
      }
    });
    const directions = [
      [0, 1, 0],
      [1, 1, 45],
      [1, 0, 90],
      [1, -1, 135],
      [0, -1, 180],
      [-1, -1, -135],
      [-1, 0, -90],
      [-1, 1, -45],
    ] as const;
    for (const [y, x, angle] of directions) expect(angleOf(y, x)).toBe(angle);
  });

  it('are those of radians everywhere else', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (angle) => {
        expect(sineOf(angle)).toBeCloseTo(Math.sin((angle * Math.PI) / 180), 12);
        expect(cosineOf(angle)).toBeCloseTo(Math.cos((angle * Math.PI) / 180), 12);
      }),
      { seed: 1, numRuns: cases(200, 1000) },
    );
  });
});

describe('coordinates in a plane and in space', () => {
  it.each([
    [plain('polar_to_cartesian'), '5 90', '0 5'],
    [plain('polar_to_cartesian'), '4 -60', '2 -3.4641016151377544'],
    [plain('polar_to_cartesian'), '-2 180', '2 0'],
    [plain('cartesian_to_polar'), '3 4', '5 53.13010235415598'],
    [plain('cartesian_to_polar'), '-1 0', '1 180'],
    [plain('cartesian_to_polar'), '-1 -0', '1 180'],
    [plain('cartesian_to_polar'), '0 0', '0 0'],
    [plain('cartesian_to_polar'), '0 -2', '2 -90'],
    [plain('cartesian_to_polar'), '3e300 4e300', `${5e300} 53.13010235415598`],
    [plain('cartesian_to_polar'), '3e-300 4e-300', `${5e-300} 53.13010235415598`],
    [rotate(90), '2 3', '-3 2'],
    [rotate(-180), '2 3', '-2 -3'],
    [rotate(0), '2 -0', '2 0'],
    [plain('spherical_to_cartesian'), '2 90 0', '0 2 0'],
    [plain('spherical_to_cartesian'), '2 45 90', '0 0 2'],
    [plain('spherical_to_cartesian'), '4 180 30', '-3.4641016151377544 0 2'],
    [plain('cartesian_to_spherical'), '2 3 6', '7 56.309932474020215 58.99728086'],
    [plain('cartesian_to_spherical'), '0 0 -1', '1 0 -90'],
  ])('%o of %s is %s', (transform, values, expected) => {
    const found = transformed(transform, values.split(' ').map(Number));
    const wanted = expected.split(' ').map(Number);
    wanted.forEach((value, place) => {
      if (String(value).length < 5) expect(found[place]).toBe(value);
      else expect((found[place] ?? 0) / value).toBeCloseTo(1, 9);
    });
  });

  it('are integers where they are whole, else an error', () => {
    const integers: SignalType[] = ['int64', 'int64'];
    const run = (transform: BuiltIn, values: string[]) =>
      runTransform(transform, integers, values, integers);
    expect(run(plain('polar_to_cartesian'), ['5', '90'])).toEqual(['0', '5']);
    expect(run(plain('polar_to_cartesian'), ['5', '45'])).toBeNull();
    expect(run(rotate(180), ['7', '-3'])).toEqual(['-7', '3']);
    expect(
      runTransform(plain('cartesian_to_polar'), integers, ['3', '4'], ['int64', 'float64'])?.[0],
    ).toBe('5');
  });

  it('are no integers where they only look like it', () => {
    const integers: SignalType[] = ['int64', 'int64'];
    const outputs: SignalType[] = ['int64', 'float64'];
    const lengthOfVector = (x: string, y: string) =>
      runTransform(plain('cartesian_to_polar'), integers, [x, y], outputs)?.[0];
    expect(lengthOfVector('94906267', '0')).toBe('94906267');
    expect(lengthOfVector('94906267', '1')).toBeUndefined();
    expect(lengthOfVector('3000000000000000', '4000000000000000')).toBe('5000000000000000');
    const beyond = ['1152921504606846976', '33'];
    expect(runTransform(plain('polar_to_cartesian'), integers, beyond, integers)).toBeNull();
  });

  it('are an error beyond the largest double', () => {
    const types = floats(2);
    expect(runTransform(rotate(45), types, ['1.7e308', '-1.7e308'], types)).toBeNull();
  });

  it('come back as they were', () => {
    const size = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(size, size, size, (x, y, z) => {
        const polar = transformed(plain('cartesian_to_polar'), [x, y]);
        expectClose(transformed(plain('polar_to_cartesian'), polar), [x, y], 1e-9);
        const spherical = transformed(plain('cartesian_to_spherical'), [x, y, z]);
        expectClose(transformed(plain('spherical_to_cartesian'), spherical), [x, y, z], 1e-9);
        const turned = transformed(rotate(33), [x, y]);
        expectClose(transformed(rotate(-33), turned), [x, y], 1e-9);
      }),
      { seed: 2, numRuns: cases(200, 1000) },
    );
  });
});

describe('places on the earth', () => {
  // At the centre of the earth, up is X, east is Y and north is Z of the earth-centred
  // coordinates.
  const centre = at(0, 0, -6_378_137);

  it.each([
    // Semi-axes of the ellipsoid, as published.
    [[0, 0, 0], [0, 0, 6_378_137], 0],
    [[0, 90, 0], [6_378_137, 0, 0], 0],
    [[90, 0, 0], [0, 6_356_752.314245, 0], 1e-6],
    [[-90, 45, 100], [0, -6_356_852.314245, 0], 1e-6],
    // A station near Los Angeles in S. P. Drake, Converting GPS coordinates to navigation coordinates.
    [[34.00000048, -117.3335693, 251.702], [-4_702_442.7, 3_546_587.4, -2_430_601.8], 0.1],
  ])('%j lie at %j of the centre', (place, expected, within) => {
    expectClose(transformed(earth('wgs84_to_enu', centre), place), expected, within);
  });

  it('has the Matterhorn where the manual of geodetic2enu sees it from Zermatt', () => {
    const zermatt = at(46.017, 7.75, 1673);
    const enu = transformed(earth('wgs84_to_enu', zermatt), [45.976, 7.658, 4531]);
    expectClose(enu, [-7134.8, -4556.3, 2852.4], 0.05);
    expectClose(transformed(earth('enu_to_wgs84', zermatt), enu), [45.976, 7.658, 4531], 1e-8);
  });

  it('has its origin at 0, everywhere', () => {
    for (const origin of [at(0, 0, 0), at(90, 17, 5), at(-90, 0, 0), at(48.1, -180, -400)]) {
      const { latitude_deg, longitude_deg, height_m } = origin;
      const place = [latitude_deg, longitude_deg, height_m];
      expect(transformed(earth('wgs84_to_enu', origin), place)).toEqual([0, 0, 0]);
      const back = transformed(earth('enu_to_wgs84', origin), [0, 0, 0]);
      const longitude = longitude_deg === -180 ? 180 : longitude_deg;
      expectClose(back, [latitude_deg, longitude, height_m], 1e-8);
    }
  });

  it('knows no edge where longitudes begin anew', () => {
    const origin = at(10, 179.999, 0);
    const [east = 0] = transformed(earth('wgs84_to_enu', origin), [10, -179.999, 0]);
    expect(east).toBeCloseTo(219.3, 0);
    const [, longitude = 0] = transformed(earth('enu_to_wgs84', origin), [east, 0, 0]);
    expect(longitude).toBeCloseTo(-179.999, 9);
  });

  it('goes over the pole', () => {
    const origin = at(89.999, 20, 0);
    const [, north = 0] = transformed(earth('wgs84_to_enu', origin), [89.999, -160, 0]);
    const [latitude = 0, longitude = 0] = transformed(earth('enu_to_wgs84', origin), [0, north, 0]);
    expect(latitude).toBeCloseTo(89.999, 7);
    expect(longitude).toBeCloseTo(-160, 7);
  });

  it('comes back to a billionth of a degree, from the deepest sea to far satellites', () => {
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const longitude = fc.double({ min: -179.999, max: 180, noNaN: true });
    const height = fc.oneof(
      fc.double({ min: -11_000, max: 50_000, noNaN: true }),
      fc.double({ min: -3e6, max: 4e7, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.tuple(latitude, longitude, height),
        fc.tuple(latitude, longitude, height),
        ([lat0, lon0, h0], [lat, lon, h]) => {
          const origin = at(lat0, lon0, h0);
          const enu = transformed(earth('wgs84_to_enu', origin), [lat, lon, h]);
          const back = transformed(earth('enu_to_wgs84', origin), enu);
          expect(Math.abs((back[0] ?? 0) - lat)).toBeLessThan(1e-9);
          // Near a pole a metre is many degrees of longitude.
          const turn = Math.abs((back[1] ?? 0) - lon) % 360;
          const apart = Math.min(turn, 360 - turn) * cosineOf(lat);
          expect(apart).toBeLessThan(1e-9);
          expect(Math.abs((back[2] ?? 0) - h)).toBeLessThan(1e-6);
        },
      ),
      { seed: 3, numRuns: cases(600, 3000) },
    );
  });

  it('has an answer in the middle of the earth', () => {
    fc.assert(
      fc.property(
        fc.tuple(...[-5e4, -5e4, -5e4].map((min) => fc.double({ min, max: 5e4, noNaN: true }))),
        ([east = 0, north = 0, up = 0]) => {
          const found = transformed(earth('enu_to_wgs84', centre), [east, north, up]);
          expect(Math.abs(found[0] ?? 999)).toBeLessThanOrEqual(90);
          expect(found[2]).toBeLessThan(-6_000_000);
        },
      ),
      { seed: 4, numRuns: cases(100, 500) },
    );
    expect(transformed(earth('enu_to_wgs84', centre), [0, 0, 0])).toEqual([0, 0, -6_378_137]);
  });
});
