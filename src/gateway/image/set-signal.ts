import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { decimalOfValue, parseValue, type SignalValue, valueRule } from '../values/signal-value.ts';
import type { ImageReader } from './image-reader.ts';
import type { BindingChange, SignalChange } from './image-state.ts';

/** What the value of a software signal makes of its bindings. */
const bindingChanges = (
  reader: ImageReader,
  signal: number,
  value: SignalValue,
): BindingChange[] => {
  const changes: BindingChange[] = [];
  const end = reader.firstBinding(signal + 1);
  for (let binding = reader.firstBinding(signal); binding < end; binding++) {
    const encoder = reader.encoderOf(binding);
    const { raw, error = null } = encoder.encode(decimalOfValue(value));
    // What cannot be sent leaves the last raw that could, where there is none for invalid values.
    const sent = error === null ? raw : (encoder.invalidRaw ?? null);
    changes.push({ binding, raw: sent, valid: error === null, error });
  }
  return changes;
};

/** The change that setting a software signal to a value makes; refuses what cannot be set. */
export const changeOfSet = (
  reader: ImageReader,
  id: string,
  text: string,
  nowUs: number,
): SignalChange => {
  const signal = reader.requireSignal(id);
  const { type, producer } = reader.signal(signal);
  if (producer !== 'software') {
    throw new BusbarError('signal_not_writable', {
      message: `The value of ${id} comes from its ${producer === 'derived' ? 'mapping' : producer}`,
      details: { signal: id, producer },
    });
  }
  const value = parseValue(type, text);
  if (value === undefined) throw invalidArgument('value', `value ${valueRule(type)}`);
  return {
    signal,
    value,
    quality: 'good',
    observedUs: nowUs,
    bindings: bindingChanges(reader, signal, value),
  };
};
