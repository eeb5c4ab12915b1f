import { addDecimals, decimalOf, decimalText, parseDecimal } from '../../base/decimal/decimal.ts';
import { float64Text } from '../../base/decimal/float-text.ts';
import { toInteger } from '../../database/decimal.ts';
import type { Signal } from '../../database/model.ts';
import { greaterOf, isFloat, lesserOf, rawOfWritten } from '../../database/raw-span.ts';
import {
  floatLimits,
  integerLimits,
  type RawLimits,
  sendableFloats,
  sendableRaws,
} from './raw-limits.ts';
import type { SignalScale } from './signal-scale.ts';

/** What a signal that is sent begins with, and which raws it may have. */
export interface StartValue {
  readonly initial: string;
  readonly limits: RawLimits;
  /** The start value of the file is outside of the limits of the file. */
  readonly isBeyondLimits: boolean;
}

/** A longer decimal is written as the nearest double, which is all that a float64 can be anyway. */
const longestText = 40;
const zero = { coefficient: 0n, exponent: 0 };

const valueText = (text: string): string =>
  text.length <= longestText ? text : String(Number(text)).replace('+', '');

const clamped = <N extends number | bigint>(value: N, lowest: N, highest: N): N =>
  value < lowest ? lowest : value > highest ? highest : value;

/**
 * The start value of the file is sent even where its limits exclude it: files often start with the
 * raw for `not available`. The limits are widened up to it then.
 */
const integerStart = (signal: Signal, scale: SignalScale): StartValue | string => {
  const span = sendableRaws(signal, scale);
  if (signal.initialRaw === null) {
    const nearest = scale.linear.rawOf(zero)?.raw ?? 0n;
    const raw = clamped(nearest, span.lowest, span.highest);
    const limits = integerLimits(signal, span);
    return { initial: valueText(scale.linear.textOf(raw)), limits, isBeyondLimits: false };
  }
  const written = toInteger(signal.initialRaw);
  const raw = written === null ? null : rawOfWritten(signal, written);
  if (raw === null) return `has the start value ${signal.initialRaw}, which is no raw of its bits`;
  const widened = {
    lowest: lesserOf(raw, span.lowest),
    highest: greaterOf(raw, span.highest),
  };
  return {
    initial: valueText(scale.linear.textOf(raw)),
    limits: integerLimits(signal, widened),
    isBeyondLimits: raw < span.lowest || raw > span.highest,
  };
};

const floatStart = (signal: Signal, scale: SignalScale): StartValue | string => {
  const span = sendableFloats(signal, scale);
  const written = parseDecimal(signal.initialRaw ?? '');
  if (written === null) {
    if (signal.initialRaw !== null) return `has the start value ${signal.initialRaw}`;
    const nearest = scale.linear.rawFloatOf(zero, kindOf(signal))?.raw ?? 0;
    const largest = largestOf[kindOf(signal)];
    const raw = clamped(clamped(nearest, span.lowest, span.highest), -largest, largest) + 0;
    const initial = float64Text(Number(scale.linear.textOfFloat(raw)) + 0);
    return { initial, limits: floatLimits(span), isBeyondLimits: false };
  }
  const { factor, offset } = scale.linear;
  const product = decimalOf(
    written.coefficient * factor.coefficient,
    written.exponent + factor.exponent,
  );
  const value = Number(decimalText(addDecimals(product, offset)));
  const raw = Number(decimalText(written));
  const carried = signal.kind === 'float32' ? Math.fround(raw) : raw;
  if (!Number.isFinite(value) || !Number.isFinite(carried)) {
    return `has the start value ${signal.initialRaw}, which is no ${signal.kind}`;
  }
  const lowest = Math.min(span.lowest, carried);
  const highest = Math.max(span.highest, carried);
  // A whole value must be exact on the wire; of others the short text means the same float.
  const exact = Number(scale.linear.textOfFloat(carried));
  return {
    initial: float64Text((Number.isInteger(value) ? exact : value) + 0),
    limits: floatLimits({ lowest, highest }),
    isBeyondLimits: lowest < span.lowest || highest > span.highest,
  };
};

/** With a large offset and a small factor, none of them comes near 0. */
const largestOf = { float32: (2 - 2 ** -23) * 2 ** 127, float64: Number.MAX_VALUE } as const;

const kindOf = ({ kind }: Signal) => (kind === 'float32' ? 'float32' : 'float64');

/** What a signal that is sent begins with; a sentence where the file asks for what cannot be. */
export const startValueOf = (signal: Signal, scale: SignalScale): StartValue | string =>
  isFloat(signal) ? floatStart(signal, scale) : integerStart(signal, scale);
