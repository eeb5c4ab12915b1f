import { float32Text } from '../../base/decimal/float-text.ts';
import type { FloatKind } from '../../base/decimal/nearest-float.ts';

/**
 * The shortest text that reads back as the same float, with an exponent where there would be long
 * rows of zeros otherwise: 0.1, 5e-324.
 */
export const floatText = (value: number, kind: FloatKind): string => {
  if (Object.is(value, -0)) return '-0';
  // Nine digits at the most stay as they are on the way through a double.
  return String(kind === 'float32' ? Number(float32Text(value)) : value);
};
