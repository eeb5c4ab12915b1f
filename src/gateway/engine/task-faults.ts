import type { faultStateTable } from '../image/image-tables.ts';
import type { FaultKind } from '../project/tables/fault-rules.ts';
import { flowFaults } from '../project/tables/fault-rules.ts';

export interface FaultRule {
  readonly place: number;
  readonly kind: FaultKind;
  readonly start: number;
  readonly every: number;
  readonly count: number;
  readonly byteOffset: number;
  readonly mask: number;
  readonly value: number | bigint | undefined;
}

export type FaultStates = ReturnType<typeof faultStateTable.open>;

export type FlowFault = (typeof flowFaults)[number];

const isFlow = (kind: FaultKind): kind is FlowFault => flowFaults.some((flow) => flow === kind);

class ArmedRule {
  readonly rule: FaultRule;
  isFiring = false;
  readonly #states: FaultStates;
  #opportunities = 0;

  constructor(rule: FaultRule, states: FaultStates) {
    this.rule = rule;
    this.#states = states;
  }

  rearm(): void {
    this.count();
    this.isFiring = false;
  }

  count(): void {
    this.#opportunities = 0;
    this.#states.fired[this.rule.place] = 0;
  }

  next(): boolean {
    const { place, start, every, count } = this.rule;
    const { enabled, fired } = this.#states;
    this.isFiring = false;
    if (enabled[place] === 0) return false;
    this.#opportunities += 1;
    const beyond = this.#opportunities - start;
    if (beyond < 0 || beyond % every !== 0) return false;
    const before = fired[place] as number;
    if (count > 0 && before >= count) return false;
    fired[place] = before + 1;
    this.isFiring = true;
    return true;
  }
}

export type FaultDecision = 'none' | 'override' | 'conflict' | FlowFault;

/**
 * Fault rules of a task. At each opportunity, either one rule decides whether a frame is sent,
 * or any number of rules change it. Any other combination is a conflict.
 */
export class TaskFaults {
  readonly #rules: readonly ArmedRule[];

  constructor(rules: readonly FaultRule[], states: FaultStates) {
    this.#rules = rules.map((rule) => new ArmedRule(rule, states));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  get mayRepeat(): boolean {
    return this.#rules.some(({ rule }) => rule.kind === 'repeat');
  }

  rearm(): void {
    for (const rule of this.#rules) rule.rearm();
  }

  /** A switched rule counts from this opportunity. Retries repeat the last decision. */
  switched(place: number): void {
    this.#rules.find(({ rule }) => rule.place === place)?.count();
  }

  decide(): FaultDecision {
    let decision: FaultDecision = 'none';
    for (let index = 0; index < this.#rules.length; index++) {
      const armed = this.#rules[index] as ArmedRule;
      if (!armed.next()) continue;
      const { kind } = armed.rule;
      const effect: FaultDecision = isFlow(kind) ? kind : 'override';
      if (decision === 'none') decision = effect;
      else if (decision !== 'override' || effect !== 'override') decision = 'conflict';
    }
    return decision;
  }

  firing(apply: (rule: FaultRule) => void): void {
    for (let index = 0; index < this.#rules.length; index++) {
      const { isFiring, rule } = this.#rules[index] as ArmedRule;
      if (isFiring) apply(rule);
    }
  }
}
