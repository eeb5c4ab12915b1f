import type { Signal } from '../database/model.ts';
import type { StatementEmitter } from './emit-program.ts';
import { type BitRun, bitRunsOf } from './layout.ts';
import { presenceOf } from './message-plan.ts';
import type { PlacedSignal } from './mux-tree.ts';
import { isStoredAsWords } from './raw-values.ts';

/** Declares the raw value as words `v0`, `v1`, … least significant first. */
const declareWords = (signal: Signal, slot: number): string => {
  const { kind, length } = signal;
  if (kind === 'float32') return `single[0] = numbers[${slot}];\nconst v0 = word[0];`;
  if (isStoredAsWords(signal)) {
    const pieces = Array.from({ length: Math.ceil(length / 32) }, (_, piece) => piece);
    return pieces.map((piece) => `const v${piece} = words[${2 * slot + piece}];`).join('\n');
  }
  const low = `const v0 = numbers[${slot}] | 0;`;
  // Rounding down makes two's complement of what is negative.
  return length <= 32 ? low : `${low}\nconst v1 = Math.floor(numbers[${slot}] / 4294967296) | 0;`;
};

const storeByte = ({ byte, shift, bits, weight }: BitRun): string => {
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

/** Encoding as a task: writes the signals that have a value and touches no other bit. */
export class EncodeTask implements StatementEmitter {
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
      ...bitRunsOf(layout).map(storeByte),
      `written[${word}] |= ${bit};`,
      '}',
    ].join('\n');
  }
}
