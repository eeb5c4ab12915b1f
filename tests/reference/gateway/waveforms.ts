import type { WaveformRow } from './project.ts';
import type { SignalState } from './signals.ts';
import { parseValue, type Value, valueOfResult } from './values.ts';

const fraction = (value: number): number => value - Math.floor(value);

/** The elapsed part of the period, from 0 to 1. */
const partOfPeriod = ({ period_ms = 1, phase = 0 }: WaveformRow, timeUs: number): number =>
  fraction(timeUs / (1000 * period_ms) + phase);

const shapeAt = (waveform: WaveformRow, timeUs: number): number => {
  const { amplitude = 0, offset = 0, duty = 0.5 } = waveform;
  const u = partOfPeriod(waveform, timeUs);
  switch (waveform.kind) {
    case 'sine':
      return offset + amplitude * Math.sin(2 * Math.PI * u);
    case 'triangle':
      return offset + amplitude * (u < 0.5 ? 4 * u - 1 : 3 - 4 * u);
    case 'square':
      return offset + (u < duty ? amplitude : -amplitude);
    default:
      return offset + amplitude * (2 * u - 1);
  }
};

/** The value of a waveform at this time after the start. */
export const valueAt = (signal: SignalState, timeUs: number): Value | undefined => {
  const { type, waveform } = signal.row;
  if (waveform === undefined) return undefined;
  if (waveform.kind !== 'step') return valueOfResult(type, shapeAt(waveform, timeUs));
  const { values = [], dwell_ms = 1 } = waveform;
  const text = values[Math.floor(timeUs / (1000 * dwell_ms)) % values.length];
  return text === undefined ? undefined : parseValue(type, text);
};

/** Takes the latest due sample, unless it was already taken. */
export const sampleWaveform = (signal: SignalState, startUs: number, nowUs: number): void => {
  const sampleUs = 1000 * (signal.row.waveform?.sample_ms ?? 10);
  const timeUs = Math.floor((nowUs - startUs) / sampleUs) * sampleUs;
  const observedUs = startUs + timeUs;
  if (signal.observedUs === observedUs) return;
  const value = valueAt(signal, timeUs);
  signal.observedUs = observedUs;
  signal.quality = value === undefined ? 'error' : 'good';
  if (value !== undefined) signal.value = value;
};
