import type { TransformRow } from './project.ts';

type Vector = readonly [number, number, number];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The ellipsoid of WGS 84. */
const semiMajor = 6_378_137;
const flattening = 1 / 298.257223563;
const eccentricity2 = flattening * (2 - flattening);

const earthCentred = ([latitude, longitude, height]: Vector): Vector => {
  const [phi, lambda] = [radians(latitude), radians(longitude)];
  const n = semiMajor / Math.sqrt(1 - eccentricity2 * Math.sin(phi) ** 2);
  return [
    (n + height) * Math.cos(phi) * Math.cos(lambda),
    (n + height) * Math.cos(phi) * Math.sin(lambda),
    (n * (1 - eccentricity2) + height) * Math.sin(phi),
  ];
};

/** By iteration: the latitude of the last step gives the radius of curvature of the next. */
const geodetic = ([x, y, z]: Vector): Vector => {
  const p = Math.hypot(x, y);
  let phi = Math.atan2(z, p * (1 - eccentricity2));
  for (let step = 0; step < 20; step += 1) {
    const n = semiMajor / Math.sqrt(1 - eccentricity2 * Math.sin(phi) ** 2);
    phi = Math.atan2(z + eccentricity2 * n * Math.sin(phi), p);
  }
  const n = semiMajor / Math.sqrt(1 - eccentricity2 * Math.sin(phi) ** 2);
  // Holds at the poles too, where p is 0.
  const height = p * Math.cos(phi) + z * Math.sin(phi) - (semiMajor * semiMajor) / n;
  return [degrees(phi), degrees(Math.atan2(y, x)), height];
};

/** The directions east, north and up at an origin, as vectors from the centre of the earth. */
const axesAt = ([latitude, longitude]: Vector): readonly [Vector, Vector, Vector] => {
  const [phi, lambda] = [radians(latitude), radians(longitude)];
  const [sinPhi, cosPhi] = [Math.sin(phi), Math.cos(phi)];
  const [sinLambda, cosLambda] = [Math.sin(lambda), Math.cos(lambda)];
  return [
    [-sinLambda, cosLambda, 0],
    [-sinPhi * cosLambda, -sinPhi * sinLambda, cosPhi],
    [cosPhi * cosLambda, cosPhi * sinLambda, sinPhi],
  ];
};

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const toEnu = (position: Vector, origin: Vector): Vector => {
  const [from, to] = [earthCentred(origin), earthCentred(position)];
  const difference: Vector = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const [east, north, up] = axesAt(origin);
  return [dot(east, difference), dot(north, difference), dot(up, difference)];
};

const fromEnu = (local: Vector, origin: Vector): Vector => {
  const from = earthCentred(origin);
  const axes = axesAt(origin);
  const along = (axis: 0 | 1 | 2): number =>
    from[axis] + axes[0][axis] * local[0] + axes[1][axis] * local[1] + axes[2][axis] * local[2];
  return geodetic([along(0), along(1), along(2)]);
};

/** The outputs of a coordinate transformation. */
export const coordinates = (transform: TransformRow, inputs: readonly number[]): number[] => {
  const [a = 0, b = 0, c = 0] = inputs;
  const { latitude_deg = 0, longitude_deg = 0, height_m = 0 } = transform.origin ?? {};
  const origin: Vector = [latitude_deg, longitude_deg, height_m];
  switch (transform.function) {
    case 'polar_to_cartesian':
      return [a * Math.cos(radians(b)), a * Math.sin(radians(b))];
    case 'cartesian_to_polar':
      return [Math.hypot(a, b), degrees(Math.atan2(b, a))];
    case 'rotate_2d': {
      const angle = radians(transform.angle_deg ?? 0);
      const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
      return [a * cosine - b * sine, a * sine + b * cosine];
    }
    case 'spherical_to_cartesian': {
      const [azimuth, elevation] = [radians(b), radians(c)];
      return [
        a * Math.cos(elevation) * Math.cos(azimuth),
        a * Math.cos(elevation) * Math.sin(azimuth),
        a * Math.sin(elevation),
      ];
    }
    case 'cartesian_to_spherical':
      return [
        Math.hypot(a, b, c),
        degrees(Math.atan2(b, a)),
        degrees(Math.atan2(c, Math.hypot(a, b))),
      ];
    case 'wgs84_to_enu':
      return [...toEnu([a, b, c], origin)];
    default:
      return [...fromEnu([a, b, c], origin)];
  }
};
