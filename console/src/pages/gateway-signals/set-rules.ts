import { compareDecimals, parseDecimal } from '../../../../src/base/decimal/decimal.ts';
import type { GatewaySignalRules } from '../../api/schema.ts';

type Rules = Pick<GatewaySignalRules, 'type' | 'labels' | 'label_total' | 'minimum' | 'maximum'>;

/** How a signal is set: as its type and the names of its values suggest. */
export const controlOf = ({ type, labels, label_total }: Rules): 'switch' | 'labels' | 'number' => {
  // A list that is not whole would keep some values from being chosen.
  if (labels.length > 0 && labels.length === label_total) return 'labels';
  return type === 'bool' ? 'switch' : 'number';
};

const kinds: Readonly<Record<Rules['type'], string>> = {
  bool: '0 or 1',
  int64: 'an integer',
  uint64: 'an integer from 0 on',
  float64: 'a number',
  enum: 'the number of a value',
};

/** What may be typed. */
export const rangeText = ({ type, minimum, maximum }: Rules): string => {
  if (minimum === null && maximum === null) return kinds[type];
  if (minimum === null) return `${kinds[type]}, at most ${maximum}`;
  if (maximum === null) return `${kinds[type]}, at least ${minimum}`;
  return `${kinds[type]}, ${minimum} to ${maximum}`;
};

const beyond = (text: string, limit: string | null, sign: 1 | -1): boolean => {
  const value = parseDecimal(text);
  const bound = limit === null ? null : parseDecimal(limit);
  return value !== null && bound !== null && compareDecimals(value, bound) * sign > 0;
};

/** What is wrong about a value before it is sent; null if nothing is. */
export const draftProblem = (text: string, rules: Rules): string | null => {
  const typed = text.trim();
  const value = parseDecimal(typed);
  if (value === null) return `Must be ${kinds[rules.type]}, in decimal`;
  if (rules.type !== 'float64' && value.exponent < 0) return `Must be ${kinds[rules.type]}`;
  if (beyond(typed, rules.minimum, -1)) return `Must be at least ${rules.minimum}`;
  if (beyond(typed, rules.maximum, 1)) return `Must be at most ${rules.maximum}`;
  return null;
};
