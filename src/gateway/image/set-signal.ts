import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { parseValue, valueRule } from '../values/signal-value.ts';
import type { ImageReader } from './image-reader.ts';
import type { SignalChange } from './image-state.ts';

/** Parses a value for a software signal. Rejects invalid values. */
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
  return { signal, value, observedUs: nowUs };
};
