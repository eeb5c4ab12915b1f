import type { FoundMessage } from '../../condition/channel-watches.ts';
import { type Condition, type Term, termsOf } from '../../condition/condition.ts';
import type { ConditionContext, ConditionDatabase } from '../../condition/condition-context.ts';
import { isOfPattern } from '../../frame/id-pattern.ts';
import type { Check, MessageName, OrderRule } from '../check.ts';
import { type MessageNames, type NamedFrames, signalIndex } from '../message-names.ts';
import { AnswerEvaluator } from './answer-evaluator.ts';
import { CounterEvaluator } from './counter-evaluator.ts';
import { CycleEvaluator } from './cycle-evaluator.ts';
import { E2eEvaluator } from './e2e-evaluator.ts';
import type { Evaluator, FrameHandler, RunParts } from './evaluator.ts';
import { LoadEvaluator, type RatesOf } from './load-evaluator.ts';
import { NeverEvaluator, NeverGapEvaluator } from './never-evaluator.ts';
import { OrderEvaluator } from './order-evaluator.ts';
import type { SignalEvaluator } from './signal-evaluator.ts';
import { ValueEvaluator } from './value-evaluator.ts';

/** Finds the handler of frames with an identifier on a channel of a check. */
export interface Watcher {
  readonly check: Check;
  /** Whether payloads longer than a frame concern it. */
  readonly takesLong: boolean;
  handlerFor(
    key: number,
    databases: readonly ConditionDatabase[],
    found: FoundMessage | null,
    id: number,
    extended: boolean,
  ): FrameHandler | null;
}

/** A condition that a check waits for. */
export interface WatchedCondition {
  readonly evaluator: Evaluator;
  readonly condition: Condition;
  /** Event numbers as in `EventHistory`; `noEvent` if no event is the cause. */
  fire(timeNs: number, event: number, number: number, key: number | null): void;
  /** A channel on which it can match has events. */
  concern(): void;
}

export interface Judge {
  readonly evaluator: Evaluator;
  readonly watchers: readonly Watcher[];
  readonly conditions: readonly WatchedCondition[];
  readonly load: LoadEvaluator | null;
}

export interface BuildContext extends ConditionContext {
  readonly ratesOf: RatesOf;
  readonly leavesAmbiguous?: boolean;
}

const none = { watchers: [], conditions: [], load: null } as const;

/** Terms without a channel get that of the check. */
const withChannel = (condition: Condition, on: Check['on']): Condition => {
  if (on === null) return condition;
  switch (condition.op) {
    case 'not':
      return { ...condition, part: withChannel(condition.part, on) };
    case 'and':
    case 'or':
      return { ...condition, parts: condition.parts.map((part) => withChannel(part, on)) };
    case 'within': {
      const [first, second] = [condition.first, condition.second];
      return { ...condition, first: withChannel(first, on), second: withChannel(second, on) };
    }
    default:
      return { ...condition, on: condition.on ?? on };
  }
};

export class JudgeBuilder {
  readonly #context: BuildContext;
  readonly #names: MessageNames;
  readonly #parts: RunParts;

  constructor(context: BuildContext, names: MessageNames, parts: RunParts) {
    this.#context = context;
    this.#names = names;
    this.#parts = parts;
  }

  build(check: Check): Judge {
    const { rule } = check;
    const parts = this.#parts;
    switch (rule.kind) {
      case 'cycle': {
        const evaluator = new CycleEvaluator(check, rule, parts);
        const frames = this.#framesOf(check, rule.message);
        return {
          ...none,
          evaluator,
          watchers: [handles(evaluator, frames, false, () => evaluator)],
        };
      }
      case 'counter':
        return this.#signalJudge(new CounterEvaluator(check, rule, parts), rule.signal);
      case 'value':
        return this.#signalJudge(new ValueEvaluator(check, rule, parts), rule.signal);
      case 'e2e': {
        const evaluator = new E2eEvaluator(check, rule, parts);
        const frames = this.#framesOf(check, rule.message);
        const handler = (found: FoundMessage | null): FrameHandler => {
          evaluator.setLength(found?.database.message(found.head).length ?? null);
          return evaluator;
        };
        return { ...none, evaluator, watchers: [handles(evaluator, frames, false, handler)] };
      }
      case 'answer': {
        const evaluator = new AnswerEvaluator(check, rule, parts);
        const watcher: Watcher = {
          check,
          takesLong: false,
          handlerFor: (_key, _databases, _found, id, extended) =>
            evaluator.concerns(id, extended) ? evaluator : null,
        };
        return { ...none, evaluator, watchers: [watcher] };
      }
      case 'never':
        return this.#never(check, rule.condition);
      case 'never gap':
        return { ...none, evaluator: new NeverGapEvaluator(check, parts) };
      case 'load': {
        const load = new LoadEvaluator(check, rule, parts, this.#context.ratesOf);
        return { ...none, evaluator: load, load };
      }
      default:
        return this.#order(check, rule);
    }
  }

  #framesOf({ field }: Check, name: MessageName): NamedFrames {
    return this.#names.framesOf(name, field);
  }

  #signalJudge(evaluator: SignalEvaluator, name: Parameters<MessageNames['signalsOf']>[0]): Judge {
    const frames = this.#names.signalsOf(name, evaluator.check.field);
    const handler = (found: FoundMessage | null): FrameHandler | null => {
      const message = found?.database.message(found.head);
      const index = message === undefined ? -1 : signalIndex(message, name.signal);
      return message === undefined || index < 0 ? null : evaluator.handlerFor(message, index);
    };
    const takesLong = this.#names.hasGroup(name.message);
    return { ...none, evaluator, watchers: [handles(evaluator, frames, takesLong, handler)] };
  }

  #never(check: Check, condition: Condition): Judge {
    const needs = termsOf(condition).flatMap(neededBy);
    const evaluator = new NeverEvaluator(check, this.#parts, new Set(needs.map(nameOf)));
    const watchers = needs.map((need): Watcher => {
      const see = (): void => evaluator.see(nameOf(need));
      const handler: FrameHandler = { frame: see, long: see };
      return {
        check,
        takesLong: need.op !== 'silence' && this.#names.hasGroup(need.name.message),
        handlerFor: (key, _databases, found, id, extended) => {
          const { on } = need;
          if (on !== null && !this.#context.isChannel(on.channel, key)) return null;
          const isOf =
            need.op === 'silence'
              ? need.id.pattern.extended === extended && isOfPattern(need.id.pattern, id)
              : found?.head.name === need.name.message;
          return isOf ? handler : null;
        },
      };
    });
    const watched: WatchedCondition = {
      evaluator,
      condition,
      fire: (timeNs, event, number, key) => evaluator.fire(timeNs, event, number, key),
      concern: () => evaluator.concern(),
    };
    return { evaluator, watchers, conditions: [watched], load: null };
  }

  #order(check: Check, rule: OrderRule): Judge {
    const evaluator = new OrderEvaluator(check, rule, this.#parts);
    const events = [rule.first, rule.second];
    const watchers = events.flatMap((event, index) => {
      if (!('message' in event)) return [];
      const handler = evaluator.handlerFor(index === 0);
      return [handles(evaluator, this.#framesOf(check, event.message), false, () => handler)];
    });
    const conditions = events.flatMap((event, index): WatchedCondition[] => {
      if (!('condition' in event)) return [];
      return [
        {
          evaluator,
          condition: withChannel(event.condition, check.on),
          fire: (timeNs, at, number, key) => evaluator.event(index === 0, timeNs, at, number, key),
          concern: () => {},
        },
      ];
    });
    return { evaluator, watchers, conditions, load: null };
  }
}

const handles = (
  evaluator: Evaluator,
  frames: NamedFrames,
  takesLong: boolean,
  handlerOf: (found: FoundMessage | null) => FrameHandler | null,
): Watcher => ({
  check: evaluator.check,
  takesLong,
  handlerFor: (key, databases, found, id, extended) => {
    if (!frames.includes(databases, found, id, extended)) return null;
    evaluator.claim(key);
    return handlerOf(found);
  },
});

type Needed = Extract<Term, { op: 'signal' | 'change' | 'silence' }>;

/** States are false before data, so a condition on them says nothing without. */
const neededBy = (term: Term): Needed[] =>
  term.op === 'signal' || term.op === 'change' || term.op === 'silence' ? [term] : [];

const nameOf = (term: Needed): string => (term.op === 'silence' ? term.id.text : term.name.message);
