import { invalidArgument } from '../../base/errors/busbar-error.ts';

/** Units that an endpoint can have; in serial frames 0 is for all, and those above are reserved. */
const unitRanges = {
  tcp: { minimum: 0, maximum: 255 },
  'rtu-tcp': { minimum: 1, maximum: 247 },
  rtu: { minimum: 1, maximum: 247 },
  ascii: { minimum: 1, maximum: 247 },
} as const;

/** The lowest and the highest unit that an endpoint of a kind can have. */
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
