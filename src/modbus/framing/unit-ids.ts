import { invalidArgument } from '../../base/errors/busbar-error.ts';

/**
 * Units of an endpoint. In serial frames 0 is broadcast, and units above the range are reserved.
 */
const unitRanges = {
  tcp: { minimum: 0, maximum: 255 },
  'rtu-tcp': { minimum: 1, maximum: 247 },
  rtu: { minimum: 1, maximum: 247 },
  ascii: { minimum: 1, maximum: 247 },
} as const;

export const unitRange = (
  kind: keyof typeof unitRanges,
): { readonly minimum: number; readonly maximum: number } => unitRanges[kind];

export const requireUnit = (kind: keyof typeof unitRanges, unit: number): number => {
  const { minimum, maximum } = unitRanges[kind];
  if (Number.isInteger(unit) && unit >= minimum && unit <= maximum) return unit;
  throw invalidArgument('unit', `unit is an integer from ${minimum} to ${maximum}`, {
    reason: 'range',
    minimum,
    maximum,
  });
};
