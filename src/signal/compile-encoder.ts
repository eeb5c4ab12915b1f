import type { Message, Signal } from '../database/model.ts';
import { EncodeTask } from './emit-encoder.ts';
import { emitProgram } from './emit-program.ts';
import { floatCells } from './float-cells.ts';
import { planMessage } from './message-plan.ts';
import { RawValues, slotTableOf } from './raw-values.ts';

/**
 * Writes the signals that have a value into a payload of `length` bytes from `at` on; all other
 * bits keep what they held. A signal that depends on a switch is written only if the payload then
 * has the switch so: as just written, or else as it was.
 */
export type Encode = (values: RawValues, view: DataView, at: number, length: number) => void;

export interface MessageEncoder {
  /** The signals encoded. Their places in this list are their numbers everywhere else. */
  readonly signals: readonly Signal[];
  readonly encode: Encode;
  /** One bit for each signal: whether the last call of `encode` wrote it. */
  readonly written: Uint32Array;
  /** Room for what `encode` takes. */
  newValues(): RawValues;
}

/** Compiles an encoder for a message, or for the signals at some places in it. */
export const compileEncoder = (message: Message, selection?: readonly number[]): MessageEncoder => {
  const { signals, tree } = planMessage(message, selection);
  const { body, functions } = emitProgram(tree, new EncodeTask(slotTableOf(signals)));
  const source = [
    `'use strict';`,
    functions,
    'return function encode(values, view, at, length) {',
    'const numbers = values.numbers;',
    'const words = values.words;',
    'const present = values.present;',
    'written.fill(0);',
    body,
    '};',
  ].join('\n');
  const written = new Uint32Array(Math.ceil(signals.length / 32));
  const make = new Function('written', ...floatCells.names, source);
  const encode: Encode = make(written, ...floatCells.create());
  return { signals, encode, written, newValues: () => new RawValues(signals) };
};
