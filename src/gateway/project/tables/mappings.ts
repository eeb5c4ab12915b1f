import type { Static } from 'typebox';
import { choice, optional, record, variants } from '../../../base/schema/field-schemas.ts';
import { decimalText, milliseconds, parameter, reference, references, row } from '../fields.ts';

const manyInputs = ['add', 'mul', 'min', 'max', 'average', 'and', 'or', 'xor'] as const;
const twoInputs = ['sub', 'div', 'mod', 'pow', 'atan2'] as const;
const oneInput = [
  'abs',
  'neg',
  'sqrt',
  'exp',
  'ln',
  'log10',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'floor',
  'ceil',
  'round',
  'not',
] as const;
const threeInputs = ['select'] as const;

export const mathFunctions = [...manyInputs, ...twoInputs, ...oneInput, ...threeInputs] as const;
export type MathFunction = (typeof mathFunctions)[number];

const planeFunctions = ['polar_to_cartesian', 'cartesian_to_polar'] as const;
const spaceFunctions = ['spherical_to_cartesian', 'cartesian_to_spherical'] as const;
const earthFunctions = ['wgs84_to_enu', 'enu_to_wgs84'] as const;

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Number of inputs and outputs of a transformation; Infinity if unlimited. */
export interface Arity {
  readonly least: number;
  readonly max: number;
  readonly outputs: number;
}

const exactly = (inputs: number, outputs: number): Arity => ({
  least: inputs,
  max: inputs,
  outputs,
});

const coordinate = { kind: choice(['coordinate'], 'Other coordinates') };

const Origin = record(
  {
    latitude_deg: parameter('Latitude in degrees', { minimum: -90, maximum: 90 }),
    longitude_deg: parameter('Longitude in degrees', { minimum: -180, maximum: 180 }),
    height_m: parameter('Height above the ellipsoid in metres', { default: 0 }),
  },
  { description: 'Where east, north and up are 0' },
);

const CoordinateTransform = variants('function', [
  record({
    ...coordinate,
    function: choice([...planeFunctions, ...spaceFunctions], 'Angles are in degrees'),
  }),
  record({
    ...coordinate,
    function: choice(['rotate_2d'], 'Turns counter-clockwise'),
    angle_deg: parameter('Angle in degrees'),
  }),
  record({
    ...coordinate,
    function: choice(earthFunctions, 'Between the ellipsoid and a plane on it'),
    origin: Origin,
  }),
]);

export const Transform = variants(
  'kind',
  [
    record({ kind: choice(['identity'], 'The input as it is') }),
    record({
      kind: choice(['linear'], 'k × input + b'),
      k: parameter('Factor', { default: 1 }),
      b: parameter('Summand', { default: 0 }),
    }),
    record({
      kind: choice(['threshold'], 'One of two values'),
      threshold: parameter('Input from which on it is above'),
      hysteresis: parameter(
        'How far a value must fall below the threshold before the result changes back',
        {
          minimum: 0,
          default: 0,
        },
      ),
      above: decimalText('Output above', { default: '1' }),
      below: decimalText('Output below', { default: '0' }),
    }),
    record({
      kind: choice(['math'], 'A function of numbers'),
      function: choice(mathFunctions, 'Which function'),
    }),
    CoordinateTransform,
    record({
      kind: choice(['native'], 'Function of a plugin'),
      plugin: reference('plugins', 'Transformation plugin'),
    }),
  ],
  { description: 'How outputs come from inputs', default: { kind: 'identity' } },
);
export type Transform = Static<typeof Transform>;

export const arityOf = (transform: Transform): Arity | undefined => {
  switch (transform.kind) {
    case 'native':
      return undefined;
    case 'coordinate': {
      const isFlat =
        transform.function === 'rotate_2d' || isOneOf(planeFunctions, transform.function);
      return isFlat ? exactly(2, 2) : exactly(3, 3);
    }
    case 'math':
      if (isOneOf(oneInput, transform.function)) return exactly(1, 1);
      if (isOneOf(twoInputs, transform.function)) return exactly(2, 1);
      if (isOneOf(threeInputs, transform.function)) return exactly(3, 1);
      return { least: 2, max: Number.POSITIVE_INFINITY, outputs: 1 };
    default:
      return exactly(1, 1);
  }
};

export const MappingRow = row({
  inputs: references('signals', 'Signals that it reads'),
  outputs: references('signals', 'Signals that it writes'),
  transform: Transform,
  max_skew_ms: optional(
    milliseconds('Maximum time between the observations of its inputs; default: not checked'),
  ),
  ttl_ms: optional(milliseconds('Maximum age of its inputs; default: not checked')),
});
export type MappingRow = Static<typeof MappingRow>;
