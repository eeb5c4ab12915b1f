import { roundingShare } from '../../../base/decimal/linear-scale.ts';
import type { Raw } from '../../codecs/encode-linear.ts';
import type { PlainEncoding, ValueEncoder } from '../../codecs/value-encoder.ts';
import type { WireLayout } from '../../codecs/wire-field.ts';
import { lowerHalf, upperHalf } from '../../values/cells.ts';
import type { SignalStates } from '../signal-states.ts';
import { generateFunction } from './generate-function.ts';
import { smallBits } from './generate-observe.ts';
import type { SentBinding } from './generate-refresh.ts';

export type Update = () => boolean;

export interface EncodedBinding {
  readonly state: number;
  readonly shared: SentBinding['shared'];
  readonly signal: number;
  raw: Raw;
  lastRaw: Raw;
  isValid: boolean;
  updateAll(): boolean;
}

/**
 * Generates the raw value of a number, and the test whether doubles are exact. Must match
 * `LinearScale.putQuickRaw`.
 */
const roundedText = ({ scale, isIdentity }: PlainEncoding, isWhole: boolean): string => {
  if (isIdentity && isWhole) return 'const rounded = physical;\nconst isClear = true;';
  const { multiplier, addend, divisor } = scale;
  return `
const scaled = physical * ${divisor};
const quotient = (scaled - ${addend}) / ${multiplier};
const rounded = Math.round(quotient);
const largest = Math.max(Math.abs(scaled), ${Math.abs(addend)});
const doubt = (${roundingShare} * largest) / ${Math.abs(multiplier)};
const isClear = 0.5 - Math.abs(quotient - rounded) > doubt + Math.abs(quotient) * ${roundingShare};`;
};

/**
 * Compiles the encoding of a binding with small integers; null for other bindings. Other values
 * fall back to the binding.
 */
export const generateUpdate = (
  binding: EncodedBinding,
  { bits }: WireLayout,
  { plain }: Pick<ValueEncoder, 'plain'>,
  signals: SignalStates,
): Update | null => {
  const { signal, state, shared } = binding;
  if (plain === null || bits > smallBits) return null;
  const isWhole = signals.typeOf(signal) !== 'float64';
  const least = Math.max(plain.least, -(2 ** smallBits));
  const max = Math.min(plain.max, 2 ** smallBits);
  const isFree = plain.reserved.map((raw) => ` && rounded !== ${raw}`).join('');
  const body = `
if (valid[${signal}] === 1 && wide[${signal}] === null) {
  const physical = numbers[${signal}];
  ${roundedText(plain, isWhole)}
  if (isClear && rounded >= ${least} && rounded <= ${max}${isFree}) {
    const raw = rounded | 0;
    errors[${state}] = 0;
    if (binding.raw !== raw || !binding.isValid) {
      binding.raw = raw;
      binding.lastRaw = raw;
      binding.isValid = true;
      sharedValid[${state}] = 1;
      halves[${2 * state + lowerHalf}] = raw;
      halves[${2 * state + upperHalf}] = raw >> 31;
      return true;
    }
    return false;
  }
}
return binding.updateAll();`;
  const { numbers, wide, valid } = signals.columns();
  return generateFunction<Update>('', body, {
    binding,
    numbers,
    wide,
    valid,
    errors: shared.error,
    sharedValid: shared.valid,
    halves: shared.raw.halves,
  });
};
