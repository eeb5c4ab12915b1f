import type { Transform } from '../project/tables/mappings.ts';
import { angleOf, cosineOf, lengthOf, sineOf } from './degrees.ts';
import { enuToWgs84, wgs84ToEnu } from './ellipsoid.ts';
import type { RealFunction } from './real-program.ts';

type Coordinate = Extract<Transform, { kind: 'coordinate' }>;

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;

const polarToCartesian: RealFunction = (operands, results) => {
  const radius = at(operands, 0);
  const angle = at(operands, 1);
  results[0] = radius * cosineOf(angle);
  results[1] = radius * sineOf(angle);
};

const cartesianToPolar: RealFunction = (operands, results) => {
  const x = at(operands, 0);
  const y = at(operands, 1);
  results[0] = lengthOf(x, y, 0);
  results[1] = angleOf(y, x);
};

const rotation = (degrees: number): RealFunction => {
  const sine = sineOf(degrees);
  const cosine = cosineOf(degrees);
  return (operands, results) => {
    const x = at(operands, 0);
    const y = at(operands, 1);
    results[0] = x * cosine - y * sine;
    results[1] = x * sine + y * cosine;
  };
};

const sphericalToCartesian: RealFunction = (operands, results) => {
  const radius = at(operands, 0);
  const azimuth = at(operands, 1);
  const elevation = at(operands, 2);
  const level = radius * cosineOf(elevation);
  results[0] = level * cosineOf(azimuth);
  results[1] = level * sineOf(azimuth);
  results[2] = radius * sineOf(elevation);
};

const cartesianToSpherical: RealFunction = (operands, results) => {
  const x = at(operands, 0);
  const y = at(operands, 1);
  const z = at(operands, 2);
  results[0] = lengthOf(x, y, z);
  results[1] = angleOf(y, x);
  results[2] = angleOf(z, lengthOf(x, y, 0));
};

/** Other coordinates of a place or a vector. */
export const coordinateFunction = (transform: Coordinate): RealFunction => {
  switch (transform.function) {
    case 'polar_to_cartesian':
      return polarToCartesian;
    case 'cartesian_to_polar':
      return cartesianToPolar;
    case 'spherical_to_cartesian':
      return sphericalToCartesian;
    case 'cartesian_to_spherical':
      return cartesianToSpherical;
    case 'rotate_2d':
      return rotation(transform.angle_deg);
    case 'wgs84_to_enu':
      return wgs84ToEnu(transform.origin);
    case 'enu_to_wgs84':
      return enuToWgs84(transform.origin);
  }
};
