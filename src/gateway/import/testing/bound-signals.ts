import type { Message, Signal } from '../../../database/model.ts';
import { referencePattern, referenceRaw } from '../../../signal/testing/reference-codec.ts';
import { bitLengthOf } from '../../codecs/encode-linear.ts';
import type { Project } from '../../project/project.ts';
import type { BindingRow } from '../../project/tables/bindings.ts';
import type { LinearCodec } from '../../project/tables/codecs.ts';
import type { MessageRow } from '../../project/tables/messages.ts';
import type { SignalRow } from '../../project/tables/signals.ts';
import { rowNames } from '../row-names.ts';
import { type Fraction, fractionOf, isSame } from './exact-values.ts';

/** A signal of a database and its imported rows. */
export interface BoundSignal {
  /** Its index in the message of the database. */
  readonly number: number;
  readonly binding: BindingRow;
  readonly codec: LinearCodec;
  readonly row: SignalRow;
  readonly factor: Fraction;
  readonly offset: Fraction;
  /** Whether factor and offset equal those of the file exactly: doubles have 17 digits. */
  readonly isExact: boolean;
  /** Bit positions, from the rows only. */
  readonly bits: Signal;
}

/** A message of a database with its row and its signals in the project. */
export interface BoundMessage {
  readonly message: Message;
  readonly row: MessageRow;
  readonly signals: readonly BoundSignal[];
}

const boundSignal = (
  signal: Signal,
  number: number,
  binding: BindingRow,
  codec: LinearCodec,
  row: SignalRow,
): BoundSignal => {
  const factor = fractionOf(String(codec.factor));
  const offset = fractionOf(String(codec.offset));
  return {
    number,
    binding,
    codec,
    row,
    factor,
    offset,
    isExact: isSame(factor, fractionOf(signal.factor)) && isSame(offset, fractionOf(signal.offset)),
    bits: {
      ...signal,
      startBit: binding.start_bit ?? 0,
      length: bitLengthOf(codec),
      byteOrder: codec.byte_order ?? 'intel',
      kind: codec.raw === 'bool' ? 'unsigned' : codec.raw,
    },
  };
};

/** Finds the rows of each message and signal of a database by id. */
export const boundMessages = (messages: readonly Message[], project: Project): BoundMessage[] => {
  const rows = new Map(project.messages.map((row) => [`${row.can_id} ${row.extended}`, row]));
  const bindings = new Map(project.bindings.map((row) => [row.id, row]));
  const codecs = new Map(project.codecs.map((row) => [row.id, row]));
  const signalRows = new Map(project.signals.map((row) => [row.id, row]));
  return messages.flatMap((message) => {
    const row = rows.get(`${message.id} ${message.extended}`);
    if (row === undefined) return [];
    const names = rowNames(message.signals.map(({ name, sharedName = name }) => sharedName));
    const signals = message.signals.flatMap((signal, number) => {
      const id = `${row.id}.${names[number]}`;
      const binding = bindings.get(`${id}.${row.direction}`);
      const codec = codecs.get(id);
      const signalRow = signalRows.get(id);
      if (binding === undefined || codec?.kind !== 'linear' || signalRow === undefined) return [];
      return [boundSignal(signal, number, binding, codec, signalRow)];
    });
    return [{ message, row, signals }];
  });
};

export const rawIn = ({ bits }: BoundSignal, payload: Uint8Array): number | bigint =>
  referenceRaw(bits, referencePattern(bits, payload));

/** Raw values for which a binding is active, each with its end. */
export const rangesOf = ({ binding }: BoundSignal): readonly (readonly [bigint, bigint])[] =>
  (binding.mux?.values ?? []).map((text) => {
    const [from = '0', to = from] = text.split('-');
    return [BigInt(from), BigInt(to)];
  });

/** True if a binding is active for these selector values. */
export const isActive = (
  signal: BoundSignal,
  all: readonly BoundSignal[],
  rawOf: (selector: BoundSignal) => number | bigint,
): boolean => {
  const { mux } = signal.binding;
  if (mux === undefined) return true;
  const selector = all.find(({ binding }) => binding.id === mux.selector);
  if (selector === undefined || !isActive(selector, all, rawOf)) return false;
  const raw = BigInt(rawOf(selector));
  return rangesOf(signal).some(([from, to]) => raw >= from && raw <= to);
};
