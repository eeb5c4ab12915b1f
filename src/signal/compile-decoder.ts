import { requireDecimal } from '../base/decimal/decimal.ts';
import type { Message, Signal } from '../database/model.ts';
import { DecodeTask, physicalStore, rawStore, type StoreText } from './emit-decoder.ts';
import { emitProgram } from './emit-program.ts';
import { floatCells } from './float-cells.ts';
import { type MessagePlan, planMessage } from './message-plan.ts';
import { isStoredAsWords, RawValues, slotTableOf } from './raw-values.ts';

/**
 * Reads the signals of a frame whose payload is `length` bytes from `at` on. Signals that the
 * payload is too short for, or that the switches leave out, are marked as absent. Nothing is
 * allocated, unless a switch has more than 53 bits.
 */
export type Decode = (view: DataView, at: number, length: number, out: RawValues) => void;

/** Like `Decode`, but gives raw × factor + offset in doubles: quick, and near enough for a plot. */
export type DecodePhysical = (
  view: DataView,
  at: number,
  length: number,
  values: Float64Array,
  present: Uint32Array,
) => void;

export interface MessageDecoder {
  /** The signals decoded. Their places in this list are their numbers everywhere else. */
  readonly signals: readonly Signal[];
  readonly decode: Decode;
  /** Room for what `decode` gives. */
  newValues(): RawValues;
}

export interface PhysicalDecoder {
  readonly signals: readonly Signal[];
  readonly decode: DecodePhysical;
}

/** The shape of a generated function: its last parameters, and how it gets at its outputs. */
interface Entry {
  readonly store: StoreText;
  readonly outputs: readonly string[];
  readonly parameters: readonly string[];
  readonly opening: readonly string[];
}

const compile = (plan: MessagePlan, { store, outputs, parameters, opening }: Entry): unknown => {
  const { body, functions } = emitProgram(plan.tree, new DecodeTask(plan, store, outputs));
  const source = [
    `'use strict';`,
    functions,
    `return function decode(view, at, length, ${parameters.join(', ')}) {`,
    ...opening,
    body,
    '};',
  ].join('\n');
  const make = new Function(...floatCells.names, source);
  return make(...floatCells.create());
};

/**
 * Compiles a decoder for a message, or for the signals at some places in it. Switches are read
 * whether or not they are among these.
 */
export const compileDecoder = (message: Message, selection?: readonly number[]): MessageDecoder => {
  const plan = planMessage(message, selection);
  // Without use for it, not even its address is fetched.
  const outputs = plan.signals.some(isStoredAsWords) ? ['numbers', 'words'] : ['numbers'];
  const decode = compile(plan, {
    store: rawStore(slotTableOf(plan.signals)),
    outputs,
    parameters: ['out'],
    opening: ['present', ...outputs].map((name) => `const ${name} = out.${name};`),
  });
  const { signals } = plan;
  return { signals, decode: decode as Decode, newValues: () => new RawValues(signals) };
};

/** Compiles the decoder to physical values. */
export const compilePhysicalDecoder = (
  message: Message,
  selection?: readonly number[],
): PhysicalDecoder => {
  const plan = planMessage(message, selection);
  for (const { name, factor, offset } of plan.signals) {
    requireDecimal(factor, `${name}.factor`);
    requireDecimal(offset, `${name}.offset`);
  }
  const decode = compile(plan, {
    store: physicalStore,
    outputs: ['values'],
    parameters: ['values', 'present'],
    opening: [],
  });
  return { signals: plan.signals, decode: decode as DecodePhysical };
};
