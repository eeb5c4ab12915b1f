import type { Transform } from '../../project/tables/mappings.ts';
import type { SignalType } from '../../project/tables/signals.ts';
import { parseValue, type SignalValue, valueText } from '../../values/signal-value.ts';
import { Slots } from '../../values/slots.ts';
import { compileTransform } from '../compile-transform.ts';
import type { TransformProgram } from '../transform-program.ts';

export type BuiltIn = Exclude<Transform, { kind: 'native' }>;

export const slotsOf = (types: readonly SignalType[], texts: readonly string[]): Slots => {
  const slots = new Slots(types.length);
  types.forEach((type, slot) => {
    const value = parseValue(type, texts[slot] ?? '');
    if (value === undefined) throw new RangeError(`${texts[slot]} is no ${type}`);
    slots.setValue(slot, value);
  });
  return slots;
};

/** The value of a cell; throws if an integer is stored the wrong way. */
export const valueIn = (slots: Slots, slot: number, type: SignalType): SignalValue => {
  const wide = slots.wide[slot] ?? null;
  if (type === 'float64') {
    if (wide !== null) throw new RangeError('A double is a bigint');
    return slots.numbers[slot] as number;
  }
  if (wide === null && !Number.isSafeInteger(slots.numbers[slot])) {
    throw new RangeError(`${slots.numbers[slot]} is no exact integer`);
  }
  if (wide !== null && wide >= -(2n ** 53n - 1n) && wide <= 2n ** 53n - 1n) {
    throw new RangeError(`${wide} needs no bigint`);
  }
  return slots.integer(slot);
};

/** The exact number: the shortest text of a double beyond 2^53 ends in zeros. */
export const exactText = (value: SignalValue): string =>
  Number.isInteger(value) ? BigInt(value).toString() : valueText(value);

/** The outputs of a program as text; null for an error. */
export const outputsOf = (
  program: TransformProgram,
  inputs: Slots,
  outputTypes: readonly SignalType[],
): string[] | null => {
  const outputs = new Slots(outputTypes.length);
  if (!program.run(inputs, outputs)) return null;
  return outputTypes.map((type, slot) => exactText(valueIn(outputs, slot, type)));
};

/** Compiles and runs a transformation once. */
export const runTransform = (
  transform: BuiltIn,
  inputTypes: readonly SignalType[],
  texts: readonly string[],
  outputTypes: readonly SignalType[],
): string[] | null =>
  outputsOf(
    compileTransform(transform, inputTypes, outputTypes),
    slotsOf(inputTypes, texts),
    outputTypes,
  );
