import { bitReader, type FieldReader, integerReader } from '../../analysis/narrow-down.ts';
import type { DatabaseSignal } from '../../api/client.ts';
import { floatOf, integerOf } from '../../codec/raw-value.ts';
import { activeSignals, bitsOf, readBits } from '../../codec/signal-bits.ts';

type SignalsOf = (serial: number) => readonly DatabaseSignal[];

/** Raw values of the signals that databases define. */
const signalReader = (find: SignalsOf): FieldReader => {
  const known = new Map<number, readonly DatabaseSignal[]>();
  const signalsOf: SignalsOf = (serial) => {
    const signals = known.get(serial) ?? find(serial);
    known.set(serial, signals);
    return signals;
  };
  const active = new WeakMap<Uint8Array, ReadonlySet<DatabaseSignal>>();
  const activeIn = (serial: number, data: Uint8Array): ReadonlySet<DatabaseSignal> => {
    const message = { signals: signalsOf(serial) };
    const found =
      active.get(data) ?? new Set(activeSignals(message, (signal) => readBits(data, signal)));
    active.set(data, found);
    return found;
  };
  const signalAt = (serial: number, place: number): DatabaseSignal =>
    signalsOf(serial)[place] as DatabaseSignal;
  return {
    placesOf: (serial) => [...signalsOf(serial).keys()],
    read: (serial, data, place) => {
      const signal = signalAt(serial, place);
      const pattern = activeIn(serial, data).has(signal) ? readBits(data, signal) : null;
      if (pattern === null) return null;
      const isInteger = signal.kind === 'unsigned' || signal.kind === 'signed';
      return isInteger ? Number(integerOf(signal, pattern)) : floatOf(signal, pattern);
    },
    bitsOf: (serial, place) => bitsOf(signalAt(serial, place)),
    nameOf: (serial, place) => signalAt(serial, place).name,
  };
};

export const fieldChoices = [
  { value: 'bits', label: 'Bits' },
  { value: 'u8', label: 'Bytes' },
  { value: 's8', label: 'Bytes, signed' },
  { value: 'u16le', label: '16 bits, Intel' },
  { value: 's16le', label: '16 bits, Intel, signed' },
  { value: 'u16be', label: '16 bits, Motorola' },
  { value: 's16be', label: '16 bits, Motorola, signed' },
  { value: 'signals', label: 'Signals of databases' },
] as const;
export type FieldChoice = (typeof fieldChoices)[number]['value'];

export const readerOf = (choice: FieldChoice, signalsOf: SignalsOf): FieldReader => {
  if (choice === 'signals') return signalReader(signalsOf);
  if (choice === 'bits') return bitReader;
  return integerReader(choice.endsWith('8') ? 1 : 2, !choice.endsWith('be'), choice[0] === 's');
};
