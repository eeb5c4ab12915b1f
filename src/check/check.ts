import type { Decimal } from '../base/decimal/decimal.ts';
import type { Condition, Duration, SignalName } from '../condition/condition.ts';
import type { E2eSettings } from '../e2e/codec-fields.ts';
import type { IdPattern } from '../frame/id-pattern.ts';

/** A message by its name or its identifier, as it is written. */
export interface MessageName {
  readonly text: string;
  readonly at: number;
}

export interface FramePattern {
  readonly text: string;
  readonly id: IdPattern;
  /** Hex digits that the payload begins with; `?` is any digit. */
  readonly data: string;
}

export interface ChannelName {
  readonly channel: string;
  readonly at: number;
}

export interface CycleRule {
  readonly kind: 'cycle';
  readonly message: MessageName;
  readonly period: Duration;
  readonly lowNs: number;
  readonly highNs: number;
}

export interface CounterRule {
  readonly kind: 'counter';
  readonly signal: SignalName;
  /** Null for the largest value of the signal. */
  readonly max: bigint | null;
}

export interface E2eRule {
  readonly kind: 'e2e';
  readonly message: MessageName;
  readonly codec: E2eSettings;
}

export interface AnswerRule {
  readonly kind: 'answer';
  readonly request: FramePattern;
  readonly answer: FramePattern;
  readonly window: Duration;
}

export interface ValueRule {
  readonly kind: 'value';
  readonly signal: SignalName;
  readonly low: { readonly text: string; readonly value: Decimal };
  readonly high: { readonly text: string; readonly value: Decimal };
}

export interface NeverRule {
  readonly kind: 'never';
  readonly condition: Condition;
}

export interface NeverGapRule {
  readonly kind: 'never gap';
}

export interface LoadRule {
  readonly kind: 'load';
  readonly percent: number;
  /** Whether the limit itself is allowed. */
  readonly isInclusive: boolean;
}

export type OrderEvent =
  | { readonly message: MessageName }
  | { readonly condition: Condition; readonly text: string };

export interface OrderRule {
  readonly kind: 'order';
  readonly first: OrderEvent;
  readonly second: OrderEvent;
  readonly window: Duration;
}

export type Rule =
  | CycleRule
  | CounterRule
  | E2eRule
  | AnswerRule
  | ValueRule
  | NeverRule
  | NeverGapRule
  | LoadRule
  | OrderRule;
export type RuleKind = Rule['kind'];

/** A check as it is written, parsed. Plain data. */
export interface Check {
  readonly id: string;
  readonly text: string;
  /** Names the text in errors, such as `checks[0].check`. */
  readonly field: string;
  readonly rule: Rule;
  readonly on: ChannelName | null;
}

export const conditionsOf = (rule: Rule): readonly Condition[] => {
  if (rule.kind === 'never') return [rule.condition];
  if (rule.kind !== 'order') return [];
  return [rule.first, rule.second].flatMap((event) =>
    'condition' in event ? [event.condition] : [],
  );
};
