import type { FaultKind } from '../project/tables/fault-rules.ts';
import { flowFaults } from '../project/tables/fault-rules.ts';

/** What a rule does, with its parameters as numbers. */
export interface FaultRule {
  /** Which row of the project it is. */
  readonly row: number;
  readonly kind: FaultKind;
  readonly start: number;
  readonly every: number;
  readonly count: number;
  readonly byteOffset: number;
  readonly mask: number;
  /** Of counters and checksums; undefined where the rule gives none. */
  readonly value: number | bigint | undefined;
  enabled: boolean;
}

export type FlowFault = (typeof flowFaults)[number];

const isFlow = (kind: FaultKind): kind is FlowFault => flowFaults.some((flow) => flow === kind);

/** A rule of a task and how far it is. */
class ArmedRule {
  readonly rule: FaultRule;
  isFiring = false;
  #opportunities = 0;
  #fired = 0;

  constructor(rule: FaultRule) {
    this.rule = rule;
  }

  rearm(): void {
    this.#opportunities = 0;
    this.#fired = 0;
    this.isFiring = false;
  }

  /** Counts an opportunity, and says whether the rule fires at it. */
  next(): boolean {
    const { enabled, start, every, count } = this.rule;
    this.isFiring = false;
    if (!enabled) return false;
    this.#opportunities += 1;
    const beyond = this.#opportunities - start;
    if (beyond < 0 || beyond % every !== 0) return false;
    if (count > 0 && this.#fired >= count) return false;
    this.#fired += 1;
    this.isFiring = true;
    return true;
  }
}

/** What fault rules do at an opportunity. */
export type FaultDecision = 'none' | 'override' | 'conflict' | FlowFault;

/**
 * The fault rules of a task. At each opportunity to send, those fire whose turn it is: one that decides whether a
 * frame goes out, or any number of those that change it. Anything else is a conflict.
 */
export class TaskFaults {
  readonly #rules: readonly ArmedRule[];

  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules.map((rule) => new ArmedRule(rule));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  rearm(): void {
    for (const rule of this.#rules) rule.rearm();
  }

  /** Switches a rule. One that is switched on counts its opportunities from here. */
  switch(row: number, enabled: boolean): void {
    const armed = this.#rules.find(({ rule }) => rule.row === row);
    if (!armed || armed.rule.enabled === enabled) return;
    armed.rule.enabled = enabled;
    armed.rearm();
  }

  /** The next opportunity. */
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

  /** Calls with the rules that change the frame of this opportunity, in their order. */
  overrides(apply: (rule: FaultRule) => void): void {
    for (let index = 0; index < this.#rules.length; index++) {
      const { isFiring, rule } = this.#rules[index] as ArmedRule;
      if (isFiring && !isFlow(rule.kind)) apply(rule);
    }
  }
}
