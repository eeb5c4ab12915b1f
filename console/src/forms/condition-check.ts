import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { type ConditionReport, call } from '../api/client.ts';

/** What the service says about a text. */
export interface CheckedCondition {
  readonly text: string;
  readonly report: ConditionReport | null;
  readonly error: ApiError | null;
}

export interface ConditionCheck {
  readonly latest: ReadonlySignal<CheckedCondition | null>;
  /** Checks a text. The last text that arrives during a check of another one is checked after it. */
  check(text: string): void;
}

/** Evaluating a minute of a busy bench takes a while. */
const limitMs = 15_000;

export const conditionCheck = (): ConditionCheck => {
  const latest = signal<CheckedCondition | null>(null);
  let wanted: string | null = null;
  let asked: string | null = null;

  const ask = async (text: string): Promise<CheckedCondition> => {
    try {
      const report = await call('condition.check', { condition: text }, { limitMs });
      return { text, report, error: null };
    } catch (thrown) {
      return { text, report: null, error: thrown as ApiError };
    }
  };
  const pump = async (): Promise<void> => {
    if (asked !== null) return;
    while (wanted !== null) {
      asked = wanted;
      wanted = null;
      latest.value = asked === '' ? null : await ask(asked);
    }
    asked = null;
  };
  return {
    latest,
    check: (text) => {
      wanted = text === asked ? null : text;
      void pump();
    },
  };
};
