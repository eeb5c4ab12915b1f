import type { Clock } from '../../base/clock/clock.ts';
import { BenchConditions, type BenchNames } from '../../condition/service/bench-conditions.ts';
import { checkCondition } from '../../condition/service/check-condition.ts';
import type { RingSource } from '../../condition/service/ring-firings.ts';
import { conditionCheck } from '../../operations/condition.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';

interface ConditionParts {
  readonly names: BenchNames<Caller>;
  readonly rings: RingSource;
  readonly clock: Clock;
}

export const bindConditionOperations = (
  dispatcher: Dispatcher,
  { names, rings, clock }: ConditionParts,
): void => {
  const conditions = new BenchConditions(names);
  dispatcher.bind(conditionCheck, ({ arguments: { condition }, caller }) =>
    checkCondition(condition, { conditions, rings, clock }, caller),
  );
};
