import { bytesFor } from '../../database/layout.ts';
import type { Message, RawRange, Signal } from '../../database/model.ts';
import { OverlapFinder } from '../../database/overlap.ts';
import { isFloat, lesserOf, rawOfWritten, rawSpanOf } from '../../database/raw-span.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import type { CodecRow } from '../project/tables/codecs.ts';
import type { Direction } from '../project/tables/messages.ts';
import type { SignalRow } from '../project/tables/signals.ts';
import type { ImportNotes } from './import-notes.ts';
import { commentOf, rowNames } from './row-names.ts';
import { type SignalScale, scaleOf, startValueOf, typeOf } from './start-value.ts';

type Labels = NonNullable<SignalRow['labels']>;

interface ImportedLabels {
  readonly labels: Labels;
  readonly lost: number;
}

const wholeNumber = /^-?\d{1,39}$/;

/**
 * Converts raw labels to value labels. Labels never make a value invalid. Of two labels for one
 * raw value, the later one wins; an explicit label wins over a derived one.
 */
const labelsOf = (signal: Signal, { linear }: SignalScale): ImportedLabels => {
  const byRaw = new Map<bigint, { readonly label: string; readonly isWritten: boolean }>();
  for (const { raw: written, text } of signal.values) {
    const raw = isFloat(signal) ? written : rawOfWritten(signal, written);
    if (raw === null) continue;
    const isWritten = raw === written;
    if (isWritten || byRaw.get(raw)?.isWritten !== true) byRaw.set(raw, { label: text, isWritten });
  }
  const labels: Labels = [];
  for (const [raw, { label }] of byRaw) {
    const value = linear.textOf(raw);
    if (wholeNumber.test(value)) labels.push({ value, label });
  }
  return { labels, lost: byRaw.size - labels.length };
};

const maxBits = 64;
const maxTextLength = 65_536;

interface SignalLocation {
  readonly id: string;
  readonly messageId: string;
  readonly direction: Direction;
  readonly mux?: BindingRow['mux'];
}

interface SignalRows {
  readonly signal: SignalRow;
  readonly codec: CodecRow;
  readonly binding: BindingRow;
  readonly lostLabels: number;
}

const bindingId = (signalId: string, direction: Direction): string => `${signalId}.${direction}`;

const bitError = (signal: Signal, { length }: Pick<Message, 'length'>): string | null => {
  if (signal.length < 1 || signal.length > maxBits) {
    return `has ${signal.length} bits; 1 to ${maxBits} are supported`;
  }
  const bytes = bytesFor(signal);
  return bytes > length ? `needs ${bytes} bytes, but the message has ${length}` : null;
};

const usableLabels = ({ labels, lost }: ImportedLabels): ImportedLabels => {
  const usable = labels.filter(({ label }) => label.length <= maxTextLength);
  return { labels: usable, lost: lost + labels.length - usable.length };
};

const codecOf = (signal: Signal, { factor, offset }: SignalScale, id: string) => ({
  id,
  kind: 'linear' as const,
  raw: signal.kind,
  ...(isFloat(signal) ? {} : { bit_length: signal.length }),
  byte_order: signal.byteOrder,
  factor,
  offset,
});

const directedOf = (signal: Signal, scale: SignalScale, direction: Direction) => {
  if (direction === 'rx') return { signal: { producer: 'input' as const }, codec: {} };
  const start = startValueOf(signal, scale);
  if (typeof start === 'string') return start;
  const comment = 'The limits of the file are widened up to its start value';
  return {
    signal: { producer: 'software' as const, initial: start.initial },
    codec: { ...start.limits, ...(start.isBeyondLimits ? { comment } : {}) },
  };
};

const signalRowsOf = (signal: Signal, place: SignalLocation): SignalRows | string => {
  const { id, messageId, direction, mux } = place;
  const scale = scaleOf(signal);
  if (typeof scale === 'string') return scale;
  const directed = directedOf(signal, scale, direction);
  if (typeof directed === 'string') return directed;
  const { labels, lost } = usableLabels(labelsOf(signal, scale));
  return {
    signal: {
      id,
      type: typeOf(signal, scale),
      ...directed.signal,
      ...(signal.unit === '' ? {} : { unit: signal.unit.slice(0, maxTextLength) }),
      ...(labels.length === 0 ? {} : { labels }),
      ...commentOf(signal, id),
    },
    codec: { ...codecOf(signal, scale, id), ...directed.codec },
    binding: {
      id: bindingId(id, direction),
      signal: id,
      direction,
      message: messageId,
      codec: id,
      start_bit: signal.startBit,
      ...(mux === undefined ? {} : { mux }),
    },
    lostLabels: lost,
  };
};

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
 * Returns the selector values of a multiplexed signal in project notation: `1`, `4-7`. Omits
 * values beyond the selector's bits. Returns a reason if they cannot be expressed.
 */
const muxPagesOf = (selector: Signal, ranges: readonly RawRange[]): readonly string[] | string => {
  if (isFloat(selector)) return `depends on ${selector.name}, which is no integer`;
  const { highest } = rawSpanOf(selector);
  const patterns = 1n << BigInt(selector.length);
  const isNegative = ({ from, to }: RawRange): boolean =>
    from < 0n || (selector.kind === 'signed' && to > highest && from < patterns);
  // With 8 bits, 255 could mean −1, but a project has no negative raw values.
  if (ranges.some(isNegative)) return `depends on a negative raw of ${selector.name}`;
  return merged(ranges)
    .filter(({ from }) => from <= highest)
    .map(({ from, to }) => ({ from, to: lesserOf(to, highest) }))
    .map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
};

type Mux = NonNullable<BindingRow['mux']>;

const omitted = 'omitted';
const underWay = 'under way';

/**
 * Builds the rows of a message's signals. A signal that cannot be imported is omitted from a
 * received message, but prevents the import of a sent one, whose frames would be incomplete.
 */
export class MessageSignals {
  readonly #message: Message;
  readonly #id: string;
  readonly #direction: Direction;
  readonly #notes: ImportNotes;
  readonly #byName: ReadonlyMap<string, Signal>;
  readonly #ids: ReadonlyMap<Signal, string>;
  readonly #rows = new Map<Signal, SignalRows | typeof omitted | typeof underWay>();

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

  build(): SignalRows[] {
    const carried: Signal[] = [];
    const built: SignalRows[] = [];
    for (const signal of this.#message.signals) {
      const rows = this.#rowsOf(signal);
      if (typeof rows === 'string') continue;
      carried.push(signal);
      built.push(rows);
      if (rows.lostLabels > 0) {
        const reason = `lost ${rows.lostLabels} labels: their values are not integers`;
        this.#notes.omitLabels(this.#message.name, signal.name, reason);
      }
    }
    if (this.#direction === 'tx') this.#refuseOverlaps(carried);
    return built;
  }

  #rowsOf(signal: Signal): SignalRows | typeof omitted | typeof underWay {
    const known = this.#rows.get(signal);
    if (known !== undefined) return known;
    this.#rows.set(signal, underWay);
    const rows = this.#convert(signal);
    this.#rows.set(signal, rows);
    return rows;
  }

  #convert(signal: Signal): SignalRows | typeof omitted {
    const error = bitError(signal, this.#message);
    if (error !== null) return this.#leaveOut(signal, error);
    const mux = this.#muxOf(signal);
    if (mux === omitted) return omitted;
    const rows = signalRowsOf(signal, {
      id: this.#idOf(signal),
      messageId: this.#id,
      direction: this.#direction,
      ...(mux === undefined ? {} : { mux }),
    });
    return typeof rows === 'string' ? this.#leaveOut(signal, rows) : rows;
  }

  #muxOf(signal: Signal): Mux | undefined | typeof omitted {
    const { multiplexing } = signal;
    if (multiplexing === null) return undefined;
    const selector = this.#byName.get(multiplexing.switch);
    if (selector === undefined) {
      return this.#leaveOut(signal, `depends on ${multiplexing.switch}, which is not there`);
    }
    const selectorRows = this.#rowsOf(selector);
    if (selectorRows === underWay) return this.#leaveOut(signal, 'depends on itself');
    if (selectorRows === omitted) {
      this.#notes.omit(
        this.#message.name,
        signal.name,
        `depends on ${selector.name}, which is omitted`,
      );
      return omitted;
    }
    const values = muxPagesOf(selector, multiplexing.ranges);
    if (typeof values === 'string') return this.#leaveOut(signal, values);
    if (values.length > 0) {
      return { selector: bindingId(this.#idOf(selector), this.#direction), values: [...values] };
    }
    // No frame contains the signal, so nothing is lost.
    const reason = `is never present: its raw values do not fit into ${selector.name}`;
    this.#notes.omit(this.#message.name, signal.name, reason);
    return omitted;
  }

  #idOf(signal: Signal): string {
    return this.#ids.get(signal) ?? '';
  }

  #leaveOut(signal: Signal, reason: string): typeof omitted {
    if (this.#direction === 'rx') this.#notes.omit(this.#message.name, signal.name, reason);
    else this.#notes.refuse(this.#message.name, signal.name, reason);
    return omitted;
  }

  #refuseOverlaps(signals: readonly Signal[]): void {
    const { name, length } = this.#message;
    for (const { signal, other } of new OverlapFinder().find({ length, signals })) {
      const reason = `shares bits with ${signals[other]?.name}`;
      this.#notes.refuse(name, signals[signal]?.name ?? null, reason);
    }
  }
}
