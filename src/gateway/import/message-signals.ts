import type { Message, RawRange, Signal } from '../../database/model.ts';
import { OverlapFinder } from '../../database/overlap.ts';
import { isFloat, lesserOf, rawSpanOf } from '../../database/raw-span.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import type { Direction } from '../project/tables/messages.ts';
import type { ImportNotes } from './import-notes.ts';
import { rowNames } from './row-names.ts';
import { bindingId, bitFlaw, type SignalRows, signalRowsOf } from './signal-rows.ts';

/** Ranges in order, those that touch as one. */
const merged = (ranges: readonly RawRange[]): readonly RawRange[] => {
  const inOrder = ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const apart: RawRange[] = [];
  for (const range of inOrder) {
    const last = apart.at(-1);
    if (last === undefined || range.from > last.to + 1n) apart.push(range);
    else if (range.to > last.to) apart[apart.length - 1] = { from: last.from, to: range.to };
  }
  return apart;
};

/**
 * The raws of a selector for which a signal is there, as a project writes them: `1`, `4-7`. Raws that
 * the selector has no bits for cannot occur and are left out. A sentence where they cannot be written.
 */
const muxPagesOf = (selector: Signal, ranges: readonly RawRange[]): readonly string[] | string => {
  if (isFloat(selector)) return `depends on ${selector.name}, which is no integer`;
  const { highest } = rawSpanOf(selector);
  const patterns = 1n << BigInt(selector.length);
  const isNegative = ({ from, to }: RawRange): boolean =>
    from < 0n || (selector.kind === 'signed' && to > highest && from < patterns);
  // With 8 bits, 255 may stand for −1 there, and a project names no raws below 0.
  if (ranges.some(isNegative)) return `depends on a negative raw of ${selector.name}`;
  return merged(ranges)
    .filter(({ from }) => from <= highest)
    .map(({ from, to }) => ({ from, to: lesserOf(to, highest) }))
    .map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
};

type Mux = NonNullable<BindingRow['mux']>;

const leftOut = 'left out';
const underWay = 'under way';

/**
 * Makes the rows of the signals of a message. What cannot be carried is left out of a message that is
 * received. It makes one that is sent impossible: a frame without it would say something else.
 */
export class MessageSignals {
  readonly #message: Message;
  readonly #id: string;
  readonly #direction: Direction;
  readonly #notes: ImportNotes;
  readonly #byName: ReadonlyMap<string, Signal>;
  readonly #ids: ReadonlyMap<Signal, string>;
  readonly #rows = new Map<Signal, SignalRows | typeof leftOut | typeof underWay>();

  constructor(message: Message, id: string, direction: Direction, notes: ImportNotes) {
    const { signals } = message;
    const names = rowNames(signals.map(({ name, sharedName = name }) => sharedName));
    this.#message = message;
    this.#id = id;
    this.#direction = direction;
    this.#notes = notes;
    this.#byName = new Map(signals.map((signal) => [signal.name, signal]));
    this.#ids = new Map(signals.map((signal, index) => [signal, `${id}.${names[index]}`]));
  }

  /** The rows of the signals that become some, in the order of the message. */
  build(): SignalRows[] {
    const carried: Signal[] = [];
    const built: SignalRows[] = [];
    for (const signal of this.#message.signals) {
      const rows = this.#rowsOf(signal);
      if (typeof rows === 'string') continue;
      carried.push(signal);
      built.push(rows);
      if (rows.lostLabels > 0) {
        const reason = `lacks ${rows.lostLabels} labels: their values are not whole numbers`;
        this.#notes.omitLabels(this.#message.name, signal.name, reason);
      }
    }
    if (this.#direction === 'tx') this.#refuseOverlaps(carried);
    return built;
  }

  #rowsOf(signal: Signal): SignalRows | typeof leftOut | typeof underWay {
    const known = this.#rows.get(signal);
    if (known !== undefined) return known;
    this.#rows.set(signal, underWay);
    const rows = this.#convert(signal);
    this.#rows.set(signal, rows);
    return rows;
  }

  #convert(signal: Signal): SignalRows | typeof leftOut {
    const flaw = bitFlaw(signal, this.#message);
    if (flaw !== null) return this.#leaveOut(signal, flaw);
    const mux = this.#muxOf(signal);
    if (mux === leftOut) return leftOut;
    const rows = signalRowsOf(signal, {
      id: this.#idOf(signal),
      messageId: this.#id,
      direction: this.#direction,
      ...(mux === undefined ? {} : { mux }),
    });
    return typeof rows === 'string' ? this.#leaveOut(signal, rows) : rows;
  }

  #muxOf(signal: Signal): Mux | undefined | typeof leftOut {
    const { multiplexing } = signal;
    if (multiplexing === null) return undefined;
    const selector = this.#byName.get(multiplexing.switch);
    if (selector === undefined) {
      return this.#leaveOut(signal, `depends on ${multiplexing.switch}, which is not there`);
    }
    const selectorRows = this.#rowsOf(selector);
    if (selectorRows === underWay) return this.#leaveOut(signal, 'depends on itself');
    if (selectorRows === leftOut) {
      this.#notes.omit(
        this.#message.name,
        signal.name,
        `depends on ${selector.name}, which is left out`,
      );
      return leftOut;
    }
    const values = muxPagesOf(selector, multiplexing.ranges);
    if (typeof values === 'string') return this.#leaveOut(signal, values);
    if (values.length > 0) {
      return { selector: bindingId(this.#idOf(selector), this.#direction), values: [...values] };
    }
    // Nothing is lost: no frame has it.
    const reason = `is never there: ${selector.name} has no bits for its raws`;
    this.#notes.omit(this.#message.name, signal.name, reason);
    return leftOut;
  }

  #idOf(signal: Signal): string {
    return this.#ids.get(signal) ?? '';
  }

  #leaveOut(signal: Signal, reason: string): typeof leftOut {
    if (this.#direction === 'rx') this.#notes.omit(this.#message.name, signal.name, reason);
    else this.#notes.refuse(this.#message.name, signal.name, reason);
    return leftOut;
  }

  #refuseOverlaps(signals: readonly Signal[]): void {
    const { name, length } = this.#message;
    for (const { signal, other } of new OverlapFinder().find({ length, signals })) {
      const reason = `shares bits with ${signals[other]?.name}`;
      this.#notes.refuse(name, signals[signal]?.name ?? null, reason);
    }
  }
}
