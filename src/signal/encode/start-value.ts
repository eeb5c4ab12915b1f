import { decimalText, parseDecimal } from '../../base/decimal/decimal.ts';
import { toInteger } from '../../database/decimal.ts';
import type { Signal } from '../../database/model.ts';
import { isFloat, lesserOf, rawOfWritten, rawSpanOf } from '../../database/raw-span.ts';
import type { Raw } from '../raw-values.ts';
import { limitsOf } from '../signal-limits.ts';
import { scaleOf } from '../signal-scale.ts';

const writtenStart = (signal: Signal): Raw | null => {
  const { initialRaw } = signal;
  if (initialRaw === null) return null;
  if (!isFloat(signal)) {
    const integer = toInteger(initialRaw);
    return integer === null ? null : rawOfWritten(signal, integer);
  }
  const number = Number(initialRaw);
  const stored = signal.kind === 'float32' ? Math.fround(number) : number;
  return Number.isFinite(stored) ? stored : null;
};

/** Raw 0 if the limits allow it, otherwise the raw value nearest to the minimum. */
const lowestAllowed = (signal: Signal): Raw => {
  const zero = isFloat(signal) ? 0 : 0n;
  const scale = scaleOf(signal);
  const limits = limitsOf(signal);
  if (limits.include(decimalText(scale.physicalOf(0n)))) return zero;
  const minimum = limits.minimum ?? parseDecimal('0');
  if (minimum === null) return zero;
  if (isFloat(signal)) return scale.rawFloatOf(minimum, signal.kind)?.raw ?? zero;
  const raw = scale.rawOf(minimum)?.raw ?? 0n;
  const { lowest, highest } = rawSpanOf(signal);
  if (raw < lowest) return lowest;
  return lesserOf(raw, highest);
};

/**
 * Raw value of a signal that a sender does not name; null leaves its bits to the fill of the
 * message, which is all ones (not available) in J1939.
 */
export const startValueOf = (signal: Signal, isJ1939: boolean): Raw | null =>
  writtenStart(signal) ?? (isJ1939 ? null : lowestAllowed(signal));
