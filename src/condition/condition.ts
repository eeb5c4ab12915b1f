import type { IdPattern } from '../frame/id-pattern.ts';
import type { PduProtocol, PduStatus } from '../pdu/pdu.ts';

/**
 * A state holds for a time; an instant is a moment. Where an instant is needed, a state counts
 * at the moment when it becomes true.
 */
export const conditionKinds = ['state', 'instant'] as const;
export type ConditionKind = (typeof conditionKinds)[number];

export const comparisons = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof comparisons)[number];

export interface Duration {
  readonly text: string;
  readonly ns: number;
}

export interface WrittenPattern {
  readonly text: string;
  readonly pattern: IdPattern;
}

export interface SignalName {
  readonly message: string;
  readonly signal: string;
  readonly at: number;
}

/** A number as written, or a label. */
export interface ComparedValue {
  readonly text: string;
  readonly isLabel: boolean;
  readonly at: number;
}

interface TermPart<Name extends string, Kind extends ConditionKind> {
  readonly op: Name;
  readonly kind: Kind;
  /** Offset in the text. */
  readonly at: number;
  readonly on: { readonly channel: string; readonly at: number } | null;
}

export interface FrameTerm extends TermPart<'frame', 'instant'> {
  readonly id: WrittenPattern;
  /** Hex digits that the payload begins with; `?` is any digit. */
  readonly data: string | null;
}

export interface SignalTerm extends TermPart<'signal', 'state'> {
  readonly name: SignalName;
  readonly comparison: Comparison;
  readonly value: ComparedValue;
}

export interface ChangeTerm extends TermPart<'change', 'instant'> {
  readonly name: SignalName;
}

export type ErrorTerm = TermPart<'error', 'instant'>;
export type BusOffTerm = TermPart<'bus_off', 'instant'>;

export interface E2eErrorTerm extends TermPart<'e2e_error', 'instant'> {
  readonly instance: string;
  readonly message: string;
  readonly nameAt: number;
}

export interface SilenceTerm extends TermPart<'silence', 'state'> {
  readonly id: WrittenPattern;
  readonly duration: Duration;
}

export interface PduTerm extends TermPart<'pdu', 'instant'> {
  readonly protocol: PduProtocol | null;
  readonly pgn: number | null;
  readonly id: WrittenPattern | null;
  readonly nrc: number | null;
  readonly status: PduStatus | null;
  readonly data: string | null;
}

export type Term =
  | FrameTerm
  | SignalTerm
  | ChangeTerm
  | ErrorTerm
  | BusOffTerm
  | E2eErrorTerm
  | SilenceTerm
  | PduTerm;

export interface Not {
  readonly op: 'not';
  readonly kind: 'state';
  readonly at: number;
  readonly part: Condition;
}

export interface Junction {
  readonly op: 'and' | 'or';
  readonly kind: ConditionKind;
  readonly at: number;
  readonly parts: readonly Condition[];
}

export interface Within {
  readonly op: 'within';
  readonly kind: 'instant';
  readonly at: number;
  readonly first: Condition;
  readonly second: Condition;
  readonly window: Duration;
}

export type Condition = Term | Not | Junction | Within;

export const termsOf = (condition: Condition): readonly Term[] => {
  switch (condition.op) {
    case 'not':
      return termsOf(condition.part);
    case 'and':
    case 'or':
      return condition.parts.flatMap(termsOf);
    case 'within':
      return [...termsOf(condition.first), ...termsOf(condition.second)];
    default:
      return [condition];
  }
};

/** Whether a condition can only be evaluated with databases. */
export const needsDatabases = (condition: Condition): boolean =>
  termsOf(condition).some(({ op }) => op === 'signal' || op === 'change');
