import { unknownName } from '../../base/suggest.ts';
import type { Message, Signal } from '../../database/model.ts';
import type { DecodedSignal } from '../../frame/event-record.ts';
import { compileDecoder } from '../compile-decoder.ts';
import { type CompiledEncoder, compileEncoder } from '../compile-encoder.ts';
import { decodableSignals } from '../decodable-signals.ts';
import { layoutOf } from '../layout.ts';
import type { RawValues } from '../raw-values.ts';
import { SampleText } from '../sample-text.ts';
import { startValueOf } from './start-value.ts';
import { SwitchChoice } from './switch-choice.ts';
import { fieldOf, ValueTexts, wrongSignal } from './value-text.ts';

/** Texts by signal name: decimal numbers or labels; in a raw request, raw values or labels. */
export type SignalTexts = Readonly<Record<string, string>>;

export interface EncodedMessage {
  readonly data: Uint8Array;
  /** Signals in the payload, in the order of the database. */
  readonly signals: readonly DecodedSignal[];
  /** Raw values that the sender has set so far; input of the next change. */
  readonly values: SignalTexts;
}

export interface EncodeRequest {
  readonly signals: SignalTexts;
  readonly raw?: boolean | undefined;
  /** `values` of the frame that this one changes. */
  readonly before?: SignalTexts | undefined;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const hasBits = (mask: Uint32Array, index: number): boolean =>
  (((mask[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;

const addBit = (mask: Uint32Array, index: number): void => {
  mask[index >>> 5] = (mask[index >>> 5] ?? 0) | (1 << (index & 31));
};

const rawOfText = (text: string): bigint | undefined =>
  /^-?\d+$/.test(text) ? BigInt(text) : undefined;

/** Byte of bits without a signal, and in J1939 of signals that are not available. */
const fillOf = ({ pgn }: Message, isLin: boolean): number =>
  pgn === undefined && !isLin ? 0 : 0xff;

/** Encodes one message from signal names. Compiled once; each call allocates its result. */
export class MessageEncoder {
  readonly message: Message;
  readonly fill: number;
  readonly #signals: readonly Signal[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #omitted: ReadonlyMap<string, string>;
  readonly #encoder: CompiledEncoder;
  readonly #values: RawValues;
  readonly #start: RawValues;
  readonly #decode: ReturnType<typeof compileDecoder>['decode'];
  readonly #decoded: RawValues;
  readonly #texts: ValueTexts;
  readonly #samples: SampleText;
  readonly #switches: SwitchChoice;
  readonly #named: Uint32Array;

  constructor(message: Message, { isLin = false }: { readonly isLin?: boolean } = {}) {
    this.message = message;
    this.fill = fillOf(message, isLin);
    const all = message.signals;
    const { names, omitted } = decodableSignals(
      message,
      all.map(({ name }) => name),
    );
    const isEncodable = new Set(names);
    const signals = all.filter(({ name }) => isEncodable.has(name));
    const encodable = { ...message, signals };
    this.#signals = signals;
    this.#indexes = new Map(signals.map(({ name }, index) => [name, index]));
    this.#omitted = new Map(omitted.map(({ signal, reason }) => [signal, reason]));
    this.#encoder = compileEncoder(encodable);
    const { decode, newValues } = compileDecoder(encodable);
    this.#decode = decode;
    this.#decoded = newValues();
    this.#values = this.#encoder.newValues();
    this.#start = this.#encoder.newValues();
    this.#named = new Uint32Array(this.#values.present.length);
    this.#texts = new ValueTexts(signals);
    this.#samples = new SampleText(signals);
    this.#switches = new SwitchChoice(signals);
    const isJ1939 = message.pgn !== undefined;
    signals.forEach((signal, index) => {
      const raw = startValueOf(signal, isJ1939);
      if (raw !== null) this.#start.set(index, raw);
    });
  }

  encode({ signals, raw = false, before = {} }: EncodeRequest): EncodedMessage {
    const given = this.#indexesOf(signals);
    this.#setAll(given, signals, raw, before);
    const data = new Uint8Array(this.message.length).fill(this.fill);
    const view = viewOf(data);
    const { encode } = this.#encoder;
    encode(this.#values, view, 0, data.length);
    // Signals of a file can overlap: the named ones are written last.
    this.#values.present.set(this.#named);
    encode(this.#values, view, 0, data.length);
    this.#decode(view, 0, data.length, this.#decoded);
    this.#checkGiven(given);
    return { data, signals: this.#shown(), values: this.#valuesAfter(before) };
  }

  /** Values of a payload as `encode` reports them. */
  signalsOf(data: Uint8Array): DecodedSignal[] {
    this.#decode(viewOf(data), 0, data.length, this.#decoded);
    return this.#shown();
  }

  signalNamed(name: string, field = fieldOf(name)): Signal {
    const index = this.#indexes.get(name);
    if (index !== undefined) return this.#signals[index] as Signal;
    const reason = this.#omitted.get(name);
    if (reason !== undefined) {
      throw wrongSignal({ name }, `cannot be encoded: ${reason}`, { reason: 'not_encodable' });
    }
    throw unknownName(
      'signal_not_found',
      {
        message: `${this.message.name} has no signal ${name}`,
        details: { field, message: this.message.name, signal: name },
      },
      name,
      this.#indexes.keys(),
    );
  }

  #indexesOf(texts: SignalTexts): number[] {
    return Object.keys(texts).map((name) => {
      const signal = this.signalNamed(name);
      const { endByte } = layoutOf(signal);
      if (endByte > this.message.length) {
        throw wrongSignal(signal, `does not fit into ${this.message.length} bytes`, {
          reason: 'outside_message',
        });
      }
      return this.#indexes.get(name) as number;
    });
  }

  #setAll(given: readonly number[], texts: SignalTexts, raw: boolean, before: SignalTexts): void {
    const values = this.#values;
    values.numbers.set(this.#start.numbers);
    this.#named.fill(0);
    for (const [name, text] of Object.entries(before)) {
      const index = this.#indexes.get(name);
      if (index === undefined) continue;
      this.#texts.setRaw(values, index, text);
      addBit(this.#named, index);
    }
    for (const index of given) {
      const text = texts[this.#nameAt(index)] as string;
      if (raw) this.#texts.setRaw(values, index, text);
      else this.#texts.setPhysical(values, index, text);
      addBit(this.#named, index);
    }
    this.#choosePages(given, before);
    for (let word = 0; word < values.present.length; word++) {
      values.present[word] = (this.#start.present[word] ?? 0) | (this.#named[word] ?? 0);
    }
  }

  #choosePages(given: readonly number[], before: SignalTexts): void {
    const isGiven = new Set(given);
    const values = this.#values;
    const indexOf = ({ name }: Signal): number => this.#indexes.get(name) as number;
    const chosen = this.#switches.valuesFor(
      given.map((index) => this.#signals[index] as Signal),
      {
        named: (signal) => {
          const index = indexOf(signal);
          const raw = isGiven.has(index) ? values.get(index) : null;
          // A float as a switch selects nothing, which `checkGiven` reports.
          if (typeof raw === 'number') return Number.isInteger(raw) ? BigInt(raw) : undefined;
          return raw ?? undefined;
        },
        before: (signal) => rawOfText(before[signal.name] ?? ''),
      },
    );
    for (const [signal, raw] of chosen) {
      values.set(indexOf(signal), raw);
      addBit(this.#named, indexOf(signal));
    }
  }

  /** A frame that does not contain what its sender named must not be sent. */
  #checkGiven(given: readonly number[]): void {
    for (const index of given) {
      const wanted = this.#values.get(index);
      if (Object.is(this.#decoded.get(index), wanted)) continue;
      throw wrongSignal(this.#signals[index] as Signal, 'overlaps another signal of the request', {
        reason: 'overlaps',
      });
    }
  }

  #shown(): DecodedSignal[] {
    const shown: DecodedSignal[] = [];
    this.#signals.forEach(({ name }, index) => {
      const text = this.#samples.textOf(this.#decoded, index);
      if (text === null) return;
      const { value, raw, unit, label } = text;
      shown.push({ signal: name, value, raw, unit, label });
    });
    return shown;
  }

  #valuesAfter(before: SignalTexts): SignalTexts {
    const entries: [string, string][] = [];
    this.#signals.forEach(({ name }, index) => {
      if (!hasBits(this.#named, index)) return;
      const text = this.#samples.textOf(this.#decoded, index)?.raw ?? before[name];
      if (text !== undefined) entries.push([name, text]);
    });
    return Object.fromEntries(entries);
  }

  #nameAt(index: number): string {
    return (this.#signals[index] as Signal).name;
  }
}
