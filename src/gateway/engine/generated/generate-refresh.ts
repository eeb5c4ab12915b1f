import { type BitField, type ByteStep, halvesOf, stepsOf } from '../../codecs/bit-field.ts';
import type { WireLayout } from '../../codecs/wire-field.ts';
import { type Cells, lowerHalf, upperHalf } from '../../values/cells.ts';
import { generateFunction } from './generate-function.ts';

export type Refresh = () => boolean;

export interface SentBinding {
  readonly place: WireLayout;
  readonly validityBit: BitField | null;
  readonly selector: object | null;
  readonly state: number;
  readonly shared: { readonly raw: Cells; readonly valid: Uint8Array; readonly error: Uint8Array };
}

/** Maximum bindings per function, because V8 does not optimize very large functions. */
const maxBindings = 64;

class WordTexts {
  readonly #always: Int32Array;
  readonly #terms: string[][];

  constructor(words: number, length: number, fill: number) {
    this.#always = new Int32Array(words);
    new Uint8Array(this.#always.buffer).fill(fill, 0, length);
    this.#terms = Array.from(this.#always, () => []);
  }

  set(byte: number, mask: number, shift: number, value: number): void {
    const bytes = new Uint8Array(this.#always.buffer);
    bytes[byte] = ((bytes[byte] as number) & ~(mask << shift)) | (value << shift);
  }

  put(byte: number, mask: number, shift: number, text: string): void {
    this.set(byte, mask, shift, 0);
    this.#terms[byte >> 2]?.push(`(${text}) << ${shift + 8 * (byte & 3)}`);
  }

  get texts(): string[] {
    return this.#terms.map((terms, word) => [`${this.#always[word]}`, ...terms].join(' | '));
  }
}

const stepsWithHalves = ({
  place: { start, bits, isMotorola },
}: SentBinding): (readonly [ByteStep, number])[] => {
  if (bits <= 32) return stepsOf(start, bits, isMotorola).map((step) => [step, lowerHalf]);
  const { low, high } = halvesOf(start, bits, isMotorola);
  return [
    ...low.steps.map((step) => [step, lowerHalf] as const),
    ...high.steps.map((step) => [step, upperHalf] as const),
  ];
};

/**
 * Compiles the snapshot of a task without mux pages from the shared binding states; null if that is not possible.
 *
 *     | bytes of the frame | one byte for each binding |
 */
export const generateRefresh = (
  bindings: readonly SentBinding[],
  now: Int32Array,
  length: number,
  fill: number,
): Refresh | null => {
  const [first] = bindings;
  const isPaged = bindings.some(({ selector }) => selector !== null);
  // A float32 is shared as a double.
  const isFloat = bindings.some(({ place }) => place.kind === 'float32');
  if (first === undefined || bindings.length > maxBindings || isPaged || isFloat) return null;
  // Requires a little-endian machine.
  if (lowerHalf !== 0) return null;
  const words = new WordTexts(now.length, length, fill);
  bindings.forEach((binding, index) => {
    const { state, validityBit } = binding;
    for (const [{ byte, mask, shift, place }, half] of stepsWithHalves(binding)) {
      words.put(byte, mask, shift, `halves[${2 * state + half}] >> ${place} & ${mask}`);
    }
    for (const { byte, mask, shift } of validityBit?.steps ?? []) {
      words.put(byte, mask, shift, `valid[${state}]`);
    }
    words.set(length + index, 1, 0, 1);
    words.put(length + index, 1, 1, `valid[${state}]`);
  });
  const declarations = words.texts.map((text, word) => `const word${word} = ${text};`);
  const differences = words.texts.map((_, word) => `word${word} !== now[${word}]`);
  const stores = words.texts.map((_, word) => `now[${word}] = word${word};`);
  const body = `
${declarations.join('\n')}
if (${differences.join(' || ')}) {
  ${stores.join('\n')}
  return true;
}
return false;`;
  const { raw, valid } = first.shared;
  return generateFunction<Refresh>('', body, { now, valid, halves: raw.halves });
};
