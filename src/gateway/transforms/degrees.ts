/**
 * Angles in degrees. Multiples of 90° and 30° give what they give on paper, other than with π, which
 * no double holds: the cosine of 90° is 0.
 */
const radians = Math.PI / 180;

/** The sine of an angle from −45° to 45°. */
const smallSine = (degrees: number): number => {
  if (Math.abs(degrees) === 30) return Math.sign(degrees) / 2;
  return Math.sin(degrees * radians);
};

const smallCosine = (degrees: number): number => Math.cos(degrees * radians);

/** The sine of an angle that lies so many quarters of a turn behind a small one. */
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

/** Quarters of a turn nearest to an angle below a whole turn. */
const quartersOf = (degrees: number): number => Math.round(degrees / 90);

// 60° is 30° away from 90°: every 30° becomes a small 30°, and sines and cosines change places there.
// Adding 0 makes the one zero of both, which atan2 would tell apart.
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

/** The angle of a direction, above −180° and up to 180°; 0 where there is none. */
export const angleOf = (y: number, x: number): number => {
  const degrees = Math.atan2(y, x) / radians;
  return degrees === -180 ? 180 : degrees;
};

/** The length of a vector. Squares that a double does not hold are avoided, others are as exact as can be. */
export const lengthOf = (x: number, y: number, z: number): number => {
  const squares = x * x + y * y + z * z;
  if (squares > 1e-290 && squares < 1e290) return Math.sqrt(squares);
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (largest === 0) return 0;
  const ratios = (x / largest) ** 2 + (y / largest) ** 2 + (z / largest) ** 2;
  return largest * Math.sqrt(ratios);
};
