import { requireDecimal } from '../base/decimal/decimal.ts';
import type { Message, Signal } from '../database/model.ts';
import { type DecoderSource, planMessage, presenceOf } from './decoder-source.ts';
import { emitProgram, type FunctionList, type StatementEmitter } from './emit-program.ts';
import { doubleText, piecesIn, pieceText, wordDeclarations } from './emit-words.ts';
import { floatCells } from './float-cells.ts';
import type { PlacedSignal } from './mux-tree.ts';
import { isStoredAsWords, RawValues, slotTableOf } from './raw-values.ts';

type StoreText = (placed: PlacedSignal) => string;

const rawStore =
  (slots: readonly number[]): StoreText =>
  ({ signal, layout, number }) => {
    const slot = slots[number] ?? 0;
    const isSigned = signal.kind === 'signed';
    const word = (piece: number, text: string) => `words[${2 * slot + piece}] = ${text};`;
    if (signal.kind === 'float32') {
      return `word[0] = ${pieceText(layout, 0, false)};\nnumbers[${slot}] = single[0];`;
    }
    if (!isStoredAsWords(signal)) {
      return `numbers[${slot}] = ${doubleText(layout, isSigned)};`;
    }
    const pieces = piecesIn(layout);
    const stores = Array.from({ length: pieces }, (_, piece) =>
      word(piece, pieceText(layout, piece, isSigned)),
    );
    // Slots are pairs of words; the last pair can need padding.
    if (pieces % 2 === 1) {
      const fill = isSigned ? `${pieceText(layout, pieces - 1, true)} >> 31` : '0';
      stores.push(word(pieces, fill));
    }
    return stores.join('\n');
  };

const literal = (value: number): string => `(${value})`;

const scaledText = (raw: string, { factor, offset }: Signal): string => {
  const product = Number(factor) === 1 ? raw : `${raw} * ${literal(Number(factor))}`;
  return Number(offset) === 0 ? product : `${product} + ${literal(Number(offset))}`;
};

const physicalStore: StoreText = ({ signal, layout, number }) => {
  const store = (raw: string) => `values[${number}] = ${scaledText(raw, signal)};`;
  switch (signal.kind) {
    case 'float32':
      return `word[0] = ${pieceText(layout, 0, false)};\n${store('single[0]')}`;
    case 'float64': {
      const [low, high] = [pieceText(layout, 0, false), pieceText(layout, 1, false)];
      return `halves[0] = ${low};\nhalves[1] = ${high};\n${store('double[0]')}`;
    }
    default:
      return store(doubleText(layout, signal.kind === 'signed'));
  }
};

const presenceMasks = (signals: readonly PlacedSignal[]): ReadonlyMap<number, number> => {
  const masks = new Map<number, number>();
  for (const { number } of signals) {
    const { word, bit } = presenceOf(number);
    masks.set(word, (masks.get(word) ?? 0) | bit);
  }
  return masks;
};

const markAlso = (signals: readonly PlacedSignal[]): string =>
  Array.from(presenceMasks(signals), ([word, mask]) => `present[${word}] |= ${mask};`).join('\n');

class DecodeTask implements StatementEmitter {
  readonly names: readonly string[];
  readonly #store: StoreText;
  readonly #usualLength: number;
  readonly #presenceWords: number;

  constructor({ signals, length }: DecoderSource, store: StoreText, outputs: readonly string[]) {
    this.names = ['view', 'at', 'length', 'present', ...outputs];
    this.#store = store;
    this.#usualLength = length;
    this.#presenceWords = Math.ceil(signals.length / 32);
  }

  /** Frames of full length use the direct path; only short frames check each signal. */
  statements(signals: readonly PlacedSignal[], functions: FunctionList, areFirst: boolean): string {
    const eachOnItsOwn = [
      ...(areFirst ? [this.#markOnly([])] : []),
      ...signals.map((one) => {
        const { endByte } = one.layout;
        return `if (length >= ${endByte}) {\n${this.#plain([one], endByte)}\n${markAlso([one])}\n}`;
      }),
    ].join('\n');
    if (signals.length < 2) return eachOnItsOwn;
    const end = Math.max(...signals.map(({ layout }) => layout.endByte));
    // Complete words are read, so a full frame contains the last word completely.
    const needed = Math.max(end, Math.min(Math.ceil(end / 4) * 4, this.#usualLength));
    const marks = areFirst ? this.#markOnly(signals) : markAlso(signals);
    const full = `${this.#plain(signals, needed)}\n${marks}`;
    return `if (length >= ${needed}) {\n${full}\n} else {\n${functions.add(eachOnItsOwn)}\n}`;
  }

  #plain(signals: readonly PlacedSignal[], available: number): string {
    const layouts = signals.map(({ layout }) => layout);
    return [wordDeclarations(layouts, available), ...signals.map(this.#store)].join('\n');
  }

  #markOnly(signals: readonly PlacedSignal[]): string {
    const masks = presenceMasks(signals);
    return Array.from(
      { length: this.#presenceWords },
      (_, word) => `present[${word}] = ${masks.get(word) ?? 0};`,
    ).join('\n');
  }
}

/**
 * Reads the signals of a frame with `length` bytes of payload from `at`. Signals beyond a short
 * payload or disabled by a multiplexer are marked as absent. Allocates nothing, unless a
 * multiplexer has more than 53 bits.
 */
export type Decode = (view: DataView, at: number, length: number, out: RawValues) => void;

/**
 * Like `Decode`, but returns raw × factor + offset as doubles: fast, and accurate enough for a
 * plot.
 */
export type DecodePhysical = (
  view: DataView,
  at: number,
  length: number,
  values: Float64Array,
  present: Uint32Array,
) => void;

export interface MessageDecoder {
  readonly signals: readonly Signal[];
  readonly decode: Decode;
  newValues(): RawValues;
}

export interface PhysicalDecoder {
  readonly signals: readonly Signal[];
  readonly decode: DecodePhysical;
}

interface Entry {
  readonly store: StoreText;
  readonly outputs: readonly string[];
  readonly parameters: readonly string[];
  readonly opening: readonly string[];
}

const compile = (plan: DecoderSource, { store, outputs, parameters, opening }: Entry): unknown => {
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
 * Compiles a decoder for a message or for some of its signals, by index. Multiplexers are read
 * even if they are not selected.
 */
export const compileDecoder = (message: Message, selection?: readonly number[]): MessageDecoder => {
  const plan = planMessage(message, selection);
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
