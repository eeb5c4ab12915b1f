import type { SignalRow } from './project.ts';
import { parseValue, type Value } from './values.ts';

/** A signal: its value, and when it was observed. */
export interface SignalState {
  readonly row: SignalRow;
  value: Value | null;
  quality: string;
  observedUs: number | null;
  /** For software signals: whether it was ever set. */
  isSet: boolean;
}

export const isValid = (signal: SignalState): boolean => signal.quality === 'good';

export const initialOf = ({ type, initial }: SignalRow): Value | null =>
  initial === undefined ? null : (parseValue(type, initial) ?? null);

export const createSignal = (row: SignalRow): SignalState => ({
  row,
  value: initialOf(row),
  quality: row.producer === 'constant' ? 'good' : 'initial',
  observedUs: null,
  isSet: false,
});

/** The initial state of a signal at each start. */
export const startSignal = (signal: SignalState, startUs: number): void => {
  const { row } = signal;
  if (row.producer === 'software') {
    // It keeps its set value; an initial value counts as set at the start.
    if (signal.isSet || row.initial === undefined) return;
    signal.quality = 'good';
    signal.observedUs = startUs;
    return;
  }
  signal.value = initialOf(row);
  signal.quality = row.producer === 'constant' ? 'good' : 'initial';
  signal.observedUs = null;
};

/** Sets a software signal; other signals belong to their producers. */
export const setSignal = (signal: SignalState, text: string, atUs: number): void => {
  const value = parseValue(signal.row.type, text);
  if (signal.row.producer !== 'software' || value === undefined) return;
  signal.value = value;
  signal.quality = 'good';
  signal.observedUs = atUs;
  signal.isSet = true;
};
