import { signal } from '@preact/signals';
import {
  compareDecimals,
  parseDecimal,
  valuePattern,
} from '../../../../src/base/decimal/decimal.ts';
import type { GatewaySignalRules } from '../../api/client.ts';
import { act } from '../../forms/act.ts';

interface SettingOptions {
  readonly ask: () => Promise<GatewaySignalRules>;
  /** Sends a value; returns the text of the confirmed value. */
  readonly send: (value: string) => Promise<string>;
}

export const signalSetting = ({ ask, send }: SettingOptions) => {
  const rules = signal<GatewaySignalRules | null>(null);
  const draft = signal('');
  const confirmed = signal<string | null>(null);
  const sending = act(async () => {
    const text = draft.peek();
    confirmed.value = null;
    confirmed.value = await send(text.trim());
    // The user can have typed something else in the meantime.
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

export const controlOf = ({ type, labels, label_total }: Rules): 'switch' | 'labels' | 'number' => {
  // An incomplete list would make some values unreachable.
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

const int64: readonly [string, string] = [`${-(2n ** 63n)}`, `${2n ** 63n - 1n}`];
const ranges: Readonly<Record<Rules['type'], readonly [string | null, string | null]>> = {
  bool: ['0', '1'],
  int64,
  uint64: ['0', `${2n ** 64n - 1n}`],
  float64: [null, null],
  enum: int64,
};

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
