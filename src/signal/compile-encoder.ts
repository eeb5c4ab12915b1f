import { type BitExtent, bitExtentsOf } from '../database/layout.ts';
import type { Message, Signal } from '../database/model.ts';
import { planMessage, presenceOf } from './decoder-source.ts';
import { emitProgram, type StatementEmitter } from './emit-program.ts';
import { floatCells } from './float-cells.ts';
import type { PlacedSignal } from './mux-tree.ts';
import { isStoredAsWords, RawValues, slotTableOf } from './raw-values.ts';

/** Declares the raw value as words `v0`, `v1`, … least significant first. */
const declareWords = (signal: Signal, slot: number): string => {
  const { kind, length } = signal;
  if (kind === 'float32') return `single[0] = numbers[${slot}];\nconst v0 = word[0];`;
  if (isStoredAsWords(signal)) {
    const pieces = Array.from({ length: Math.ceil(length / 32) }, (_, piece) => piece);
    return pieces.map((piece) => `const v${piece} = words[${2 * slot + piece}];`).join('\n');
  }
  const low = `const v0 = numbers[${slot}] | 0;`;
  // Rounding down yields two's complement for negative values.
  return length <= 32 ? low : `${low}\nconst v1 = Math.floor(numbers[${slot}] / 4294967296) | 0;`;
};

const storeByte = ({ byte, shift, bits, weight }: BitExtent): string => {
  const piece = weight >> 5;
  const from = weight & 31;
  const low = from === 0 ? `v${piece}` : `v${piece} >>> ${from}`;
  const loose = from + bits > 32 ? `(${low} | v${piece + 1} << ${32 - from})` : low;
  const place = `at + ${byte}`;
  if (bits === 8) return `view.setUint8(${place}, ${loose});`;
  const mask = 2 ** bits - 1;
  const others = `view.getUint8(${place}) & ${0xff & ~(mask << shift)}`;
  return `view.setUint8(${place}, ${others} | (${loose} & ${mask}) << ${shift});`;
};

class EncodeTask implements StatementEmitter {
  readonly names = ['view', 'at', 'length', 'present', 'written', 'numbers', 'words'];
  readonly #slots: readonly number[];

  constructor(slots: readonly number[]) {
    this.#slots = slots;
  }

  statements(signals: readonly PlacedSignal[]): string {
    return signals.map((placed) => this.#write(placed)).join('\n');
  }

  #write({ signal, layout, number }: PlacedSignal): string {
    const { word, bit } = presenceOf(number);
    return [
      `if ((present[${word}] & ${bit}) !== 0 && length >= ${layout.endByte}) {`,
      declareWords(signal, this.#slots[number] ?? 0),
      ...bitExtentsOf(signal).map(storeByte),
      `written[${word}] |= ${bit};`,
      '}',
    ].join('\n');
  }
}

/**
 * Writes the signals that have a value into a payload of `length` bytes from `at`; other bits
 * are unchanged. A multiplexed signal is written only if its multiplexer, as just written or
 * already in the payload, selects it.
 */
export type Encode = (values: RawValues, view: DataView, at: number, length: number) => void;

export interface CompiledEncoder {
  readonly signals: readonly Signal[];
  readonly encode: Encode;
  /** One bit for each signal that the last `encode` wrote. */
  readonly written: Uint32Array;
  newValues(): RawValues;
}

export const compileEncoder = (
  message: Message,
  selection?: readonly number[],
): CompiledEncoder => {
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
