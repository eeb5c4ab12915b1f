import type { Transform } from '../project/tables/mappings.ts';
import type { RealFunction } from './transform-program.ts';

/**
 * Angles are in degrees. Multiples of 90° and 30° are exact, unlike with π as a double: the
 * cosine of 90° is 0.
 */
const radians = Math.PI / 180;

const smallSine = (degrees: number): number => {
  if (Math.abs(degrees) === 30) return Math.sign(degrees) / 2;
  return Math.sin(degrees * radians);
};

const smallCosine = (degrees: number): number => Math.cos(degrees * radians);

const sineBehind = (small: number, quarters: number): number => {
  switch (quarters & 3) {
    case 0:
      return smallSine(small);
    case 1:
      return smallCosine(small);
    case 2:
      return -smallSine(small);
    default:
      return -smallCosine(small);
  }
};

const quartersOf = (degrees: number): number => Math.round(degrees / 90);

// 60° is 90° − 30°: every multiple of 30° becomes a small 30°, with sine and cosine swapped.
// Adding 0 turns −0 into 0, which atan2 would distinguish.
export const sineOf = (degrees: number): number => {
  const turned = degrees % 360;
  const quarters = quartersOf(turned);
  return sineBehind(turned - 90 * quarters, quarters) + 0;
};

export const cosineOf = (degrees: number): number => {
  const turned = degrees % 360;
  const quarters = quartersOf(turned);
  return sineBehind(turned - 90 * quarters, quarters + 1) + 0;
};

/** Angle of a direction, above −180° and up to 180°; 0 for a zero vector. */
export const angleOf = (y: number, x: number): number => {
  const degrees = Math.atan2(y, x) / radians;
  return degrees === -180 ? 180 : degrees;
};

const lengthOf = (x: number, y: number, z: number): number => {
  const squares = x * x + y * y + z * z;
  if (squares > 1e-290 && squares < 1e290) return Math.sqrt(squares);
  const max = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (max === 0) return 0;
  const ratios = (x / max) ** 2 + (y / max) ** 2 + (z / max) ** 2;
  return max * Math.sqrt(ratios);
};

/** WGS 84: semi-major axis in meters, and flattening. */
const semiMajor = 6_378_137;

const flattening = 1 / 298.257223563;

const semiMinor = semiMajor * (1 - flattening);

const eccentricity = flattening * (2 - flattening);

const secondEccentricity = eccentricity / (1 - eccentricity);

/** Prime vertical radius of curvature at a latitude. */
const normalRadius = (sine: number): number =>
  semiMajor / Math.sqrt(1 - eccentricity * sine * sine);

export interface Origin {
  readonly latitude_deg: number;
  readonly longitude_deg: number;
  readonly height_m: number;
}

/** Position and tangent plane of a point on the ellipsoid. */
const placeOf = ({ latitude_deg, longitude_deg, height_m }: Origin) => {
  const sine = sineOf(latitude_deg);
  const cosine = cosineOf(latitude_deg);
  const radius = normalRadius(sine);
  return {
    sine,
    cosine,
    longitude: longitude_deg,
    across: (radius + height_m) * cosine,
    along: (radius * (1 - eccentricity) + height_m) * sine,
  };
};

/**
 * Converts latitude, longitude and height to east, north and up. Longitudes are relative to the
 * origin, so that the jump from 180° to −180° has no effect.
 */
const wgs84ToEnu = (origin: Origin): RealFunction => {
  const { sine, cosine, longitude, across, along } = placeOf(origin);
  return (operands, results) => {
    const latitude = operands[0] as number;
    const turn = (operands[1] as number) - longitude;
    const height = operands[2] as number;
    const sineOfLatitude = sineOf(latitude);
    const radius = normalRadius(sineOfLatitude);
    const distance = (radius + height) * cosineOf(latitude);
    const x = distance * cosineOf(turn) - across;
    const z = (radius * (1 - eccentricity) + height) * sineOfLatitude - along;
    results[0] = distance * sineOf(turn);
    results[1] = cosine * z - sine * x;
    results[2] = cosine * x + sine * z;
  };
};

/** More than any position outside the core needs: each step gains at least six digits. */
const maxSteps = 20;

const wrapped = (longitude: number): number => {
  if (longitude > 180) return longitude - 360;
  return longitude <= -180 ? longitude + 360 : longitude;
};

/** The inverse, by Bowring's formula, iterated until it converges. */
const enuToWgs84 = (origin: Origin): RealFunction => {
  const { sine, cosine, longitude, across, along } = placeOf(origin);
  return (operands, results) => {
    const east = operands[0] as number;
    const north = operands[1] as number;
    const up = operands[2] as number;
    const x = across + (cosine * up - sine * north);
    const z = along + (cosine * north + sine * up);
    const distance = lengthOf(x, east, 0);
    // The parametric latitude as a direction. It determines the geodetic latitude.
    let parametricZ = z;
    let parametricX = distance * (1 - flattening);
    let directionZ = 0;
    let directionX = 0;
    for (let step = 0; step < maxSteps; step++) {
      const length = lengthOf(parametricX, parametricZ, 0) || 1;
      const s = parametricZ / length;
      const c = parametricX / length;
      const nextZ = z + secondEccentricity * semiMinor * s * s * s;
      // Closer than 43 km to the center, several solutions exist, none of them beyond a pole.
      const nextX = Math.max(0, distance - eccentricity * semiMajor * c * c * c);
      const isSettled = nextZ === directionZ && nextX === directionX;
      directionZ = nextZ;
      directionX = nextX;
      if (isSettled) break;
      parametricZ = (1 - flattening) * directionZ;
      parametricX = directionX;
    }
    const length = lengthOf(directionX, directionZ, 0) || 1;
    const s = directionZ / length;
    const c = directionX / length;
    results[0] = angleOf(directionZ, directionX);
    results[1] = wrapped(longitude + angleOf(east, x));
    results[2] = distance * c + z * s - semiMajor * Math.sqrt(1 - eccentricity * s * s);
  };
};

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
