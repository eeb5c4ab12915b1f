import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestFloat } from '../../base/decimal/nearest-float.ts';
import { compare, type Rational, rationalOfDouble } from '../../base/decimal/testing/rational.ts';
import { cases } from '../../base/testing/long.ts';
import type { MathFunction } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { compileTransform } from './compile-transform.ts';
import { type BuiltIn, valueIn } from './testing/run-transform.ts';

const integerTypes: readonly SignalType[] = ['bool', 'int64', 'uint64', 'enum'];
const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  bool: [0n, 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  enum: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Integers of a type, mostly near boundaries. */
const integerOf = (type: SignalType) => {
  const [least, max] = ranges[type] as readonly [bigint, bigint];
  const edges = [0n, 1n, -1n, 2n, 3n, 10n, 2n ** 26n, 2n ** 31n, 2n ** 53n, 2n ** 62n, 2n ** 63n];
  const near = fc
    .tuple(
      fc.constantFrom(...edges, -(2n ** 53n), -(2n ** 62n), least, max),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([edge, step]) => edge + BigInt(step))
    .filter((value) => value >= least && value <= max);
  return fc.oneof(near, fc.bigInt({ min: least, max }));
};

interface Typed {
  readonly type: SignalType;
  readonly value: bigint;
}

const typedInteger = fc
  .constantFrom(...integerTypes)
  .chain((type) => integerOf(type).map((value): Typed => ({ type, value })));

const sum = (values: readonly bigint[]): bigint => values.reduce((one, other) => one + other, 0n);
const ordered = (values: readonly bigint[]): bigint[] =>
  [...values].sort((one, other) => (one < other ? -1 : 1));
const whole = (over: bigint): Rational => ({ over, under: 1n });
const ratio = (over: bigint, under: bigint): Rational | null =>
  under === 0n ? null : { over, under };

/** Each function as fractions. */
const model: Readonly<Partial<Record<MathFunction, (values: bigint[]) => Rational | null>>> = {
  add: (values) => whole(sum(values)),
  mul: (values) => whole(values.reduce((one, other) => one * other, 1n)),
  average: (values) => ratio(sum(values), BigInt(values.length)),
  min: (values) => whole(ordered(values).at(0) ?? 0n),
  max: (values) => whole(ordered(values).at(-1) ?? 0n),
  sub: ([one = 0n, other = 0n]) => whole(one - other),
  div: ([one = 0n, other = 0n]) => ratio(one, other),
  mod: ([one = 0n, other = 0n]) => (other === 0n ? null : whole(one % other)),
  abs: ([one = 0n]) => whole(one < 0n ? -one : one),
  neg: ([one = 0n]) => whole(-one),
  floor: ([one = 0n]) => whole(one),
  ceil: ([one = 0n]) => whole(one),
  round: ([one = 0n]) => whole(one),
};
const names = Object.keys(model) as MathFunction[];
const arityOfName = (name: MathFunction): readonly [number, number] => {
  if (['add', 'mul', 'average', 'min', 'max'].includes(name)) return [2, 5];
  return ['sub', 'div', 'mod'].includes(name) ? [2, 2] : [1, 1];
};

/** The value of an exact result in a signal type; null if it has none. */
const settled = (result: Rational | null, type: SignalType): SignalValue | null => {
  if (result === null) return null;
  const isWhole = result.over % result.under === 0n;
  const integer = result.over / result.under;
  if (type === 'float64') {
    if (!isWhole) return nearestFloat(result.over, result.under, 'float64') + 0;
    const double = Number(integer);
    return Number.isFinite(double) && BigInt(double) === integer ? double : null;
  }
  const [least, max] = ranges[type] as readonly [bigint, bigint];
  return isWhole && integer >= least && integer <= max ? integer : null;
};

const computed = (
  transform: BuiltIn,
  inputs: readonly { readonly type: SignalType; readonly value: SignalValue }[],
  output: SignalType,
): SignalValue | null => {
  const program = compileTransform(
    transform,
    inputs.map(({ type }) => type),
    [output],
  );
  const slots = new Slots(inputs.length);
  for (const [slot, { value }] of inputs.entries()) slots.setValue(slot, value);
  const outputs = new Slots(1);
  return program.run(slots, outputs) ? valueIn(outputs, 0, output) : null;
};

const anyOutput = fc.constantFrom<SignalType>(...integerTypes, 'float64', 'float64');

describe('arithmetic of integers', () => {
  it('is that of fractions, whatever their size', () => {
    const call = fc.constantFrom(...names).chain((name) => {
      const [minLength, maxLength] = arityOfName(name);
      const inputs = fc.array(typedInteger, { minLength, maxLength });
      return fc.record({ name: fc.constant(name), inputs, output: anyOutput });
    });
    fc.assert(
      fc.property(call, ({ name, inputs, output }) => {
        const result = model[name]?.(inputs.map(({ value }) => value)) ?? null;
        const value = computed({ kind: 'math', function: name }, inputs, output);
        expect(value).toBe(settled(result, output));
      }),
      { seed: 1, numRuns: cases(4000, 20_000) },
    );
  });

  it('has powers as far as there are values for them', () => {
    const exponent = fc.oneof(fc.integer({ min: -70, max: 70 }), fc.integer());
    fc.assert(
      fc.property(integerOf('int64'), exponent, anyOutput, (base, power, output) => {
        const inputs = [
          { type: 'int64', value: base },
          { type: 'int64', value: BigInt(power) },
        ] as const;
        const value = computed({ kind: 'math', function: 'pow' }, inputs, output);
        const isUnit = base >= -1n && base <= 1n;
        const steps = BigInt(isUnit ? Math.abs(power % 2) + 2 : Math.min(Math.abs(power), 1200));
        const size = power === 0 ? 1n : base ** steps;
        const result = power < 0 ? ratio(1n, size) : whole(size);
        expect(value).toBe(settled(result, output));
      }),
      { seed: 2, numRuns: cases(1000, 5000) },
    );
  });

  it('includes linear ones with whole parameters', () => {
    const parameter = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.constantFrom(0, 1, -1, 2 ** 53, 2 ** 63, -(2 ** 64), 1e300),
    );
    fc.assert(
      fc.property(typedInteger, parameter, parameter, anyOutput, (input, k, b, output) => {
        const result = whole(BigInt(k) * input.value + BigInt(b));
        expect(computed({ kind: 'linear', k, b }, [input], output)).toBe(settled(result, output));
      }),
      { seed: 3, numRuns: cases(1000, 5000) },
    );
  });
});

describe('roots of integers', () => {
  it('are integers exactly where their squares are', () => {
    const root = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
    fc.assert(
      fc.property(root, fc.integer({ min: -1, max: 1 }), (size, step) => {
        const square = size * size + BigInt(step);
        fc.pre(square >= 0n && square < 2n ** 64n);
        const inputs = [{ type: 'uint64', value: square }] as const;
        const value = computed({ kind: 'math', function: 'sqrt' }, inputs, 'uint64');
        const isSquare = step === 0 || square <= 1n;
        expect(value).toBe(isSquare ? (square <= 1n ? square : size) : null);
      }),
      { seed: 4, numRuns: cases(1000, 5000) },
    );
  });
});

describe('integers and doubles side by side', () => {
  const double = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    integerOf('uint64').map(Number),
  );
  const typedDouble = double.map((value) => ({ type: 'float64' as SignalType, value }));
  const typed = fc.oneof(typedInteger, typedDouble);
  const exact = (value: SignalValue): Rational =>
    typeof value === 'bigint' ? whole(value) : rationalOfDouble(value);

  it('are compared exactly', () => {
    const inputs = fc.array(typed, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(inputs, fc.constantFrom('min', 'max'), anyOutput, (given, name, output) => {
        const best = given
          .map(({ value }) => exact(value))
          .reduce((one, other) => {
            const order = compare(other, one);
            return (name === 'min' ? order < 0 : order > 0) ? other : one;
          });
        const value = computed({ kind: 'math', function: name }, given, output);
        expect(value).toBe(settled(best, output));
      }),
      { seed: 5, numRuns: cases(1000, 5000) },
    );
  });

  it('change their type only where nothing is lost', () => {
    fc.assert(
      fc.property(typed, anyOutput, (input, output) => {
        const value = computed({ kind: 'identity' }, [input], output);
        expect(value).toBe(settled(exact(input.value), output));
      }),
      { seed: 6, numRuns: cases(1000, 5000) },
    );
  });
});
