import { signal } from '@preact/signals';
import {
  compareDecimals,
  parseDecimal,
  valuePattern,
} from '../../../../src/base/decimal/decimal.ts';
import type { GatewaySignalRules } from '../../api/client.ts';
import { act } from '../../forms/act.ts';

interface SettingOptions {
  /** Asks the service what the signal may be. */
  readonly ask: () => Promise<GatewaySignalRules>;
  /** Sends a value; answers what the service has from then on, in words. */
  readonly send: (value: string) => Promise<string>;
}

/** A value on its way to a software signal: nothing is sent before that is asked for. */
export const signalSetting = ({ ask, send }: SettingOptions) => {
  const rules = signal<GatewaySignalRules | null>(null);
  /** What was typed or chosen; empty if that is nothing. */
  const draft = signal('');
  /** What the service has since the last value was sent. */
  const confirmed = signal<string | null>(null);
  const sending = act(async () => {
    const text = draft.peek();
    confirmed.value = null;
    confirmed.value = await send(text.trim());
    // Something else may have been typed meanwhile.
    if (draft.peek() === text) draft.value = '';
  });
  const asking = act(async () => {
    rules.value = await ask();
  });
  return {
    rules,
    draft,
    confirmed,
    sending,
    asking,
    submit: (value = draft.peek()): void => {
      if (sending.isBusy.peek() || value.trim() === '') return;
      draft.value = value;
      void sending.run();
    },
  };
};

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
  uint64: 'a non-negative integer',
  float64: 'a number',
  enum: 'an integer',
};

/** Least and largest values of the types themselves; limits of a signal may lie within. */
const int64: readonly [string, string] = [`${-(2n ** 63n)}`, `${2n ** 63n - 1n}`];
const ranges: Readonly<Record<Rules['type'], readonly [string | null, string | null]>> = {
  bool: ['0', '1'],
  int64,
  uint64: ['0', `${2n ** 64n - 1n}`],
  float64: [null, null],
  enum: int64,
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

const valueForm = new RegExp(valuePattern);

/** What is wrong about a value before it is sent; null if nothing is. */
export const draftProblem = (text: string, rules: Rules): string | null => {
  const typed = text.trim();
  const value = valueForm.test(typed) ? parseDecimal(typed) : null;
  if (value === null || !Number.isFinite(Number(typed))) {
    return `Must be ${kinds[rules.type]}, in decimal`;
  }
  if (rules.type !== 'float64' && /[.e]/i.test(typed)) return `Must be ${kinds[rules.type]}`;
  const [least, max] = ranges[rules.type];
  for (const limit of [rules.minimum, least]) {
    if (beyond(typed, limit, -1)) return `Must be at least ${limit}`;
  }
  for (const limit of [rules.maximum, max]) {
    if (beyond(typed, limit, 1)) return `Must be at most ${limit}`;
  }
  return null;
};
