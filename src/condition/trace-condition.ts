import type { TraceReader } from '../trace/trace-format.ts';
import { compileCondition } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import { ConditionFilter } from './condition-filter.ts';
import { ConditionRun } from './condition-run.ts';
import {
  refuseAbsentChannels,
  requireDatabases,
  type TraceDatabase,
  traceContext,
} from './trace-context.ts';

/** A condition over one trace. */
export class ConditionOverTrace {
  readonly run: ConditionRun;
  readonly filter: ConditionFilter;
  /** Refuses channels that the trace did not have. */
  readonly check: (met: ReadonlySet<number>) => void;

  constructor(
    condition: Condition,
    field: string,
    databases: readonly TraceDatabase[],
    reader: TraceReader,
  ) {
    const context = traceContext(databases, reader);
    const run = new ConditionRun(context, [compileCondition(condition, field, context)]);
    this.run = run;
    this.filter = new ConditionFilter(run);
    this.check = (met) =>
      refuseAbsentChannels(condition, field, run.unmetChannels, databases, met, reader);
  }
}

/** A condition with the databases in which its signals are looked up. */
export class TraceCondition {
  readonly condition: Condition;
  readonly #field: string;
  readonly #databases: readonly TraceDatabase[];

  constructor(condition: Condition, field: string, databases: readonly TraceDatabase[]) {
    this.condition = condition;
    this.#field = field;
    this.#databases = databases;
    requireDatabases(condition, field, databases);
  }

  over(reader: TraceReader): ConditionOverTrace {
    return new ConditionOverTrace(this.condition, this.#field, this.#databases, reader);
  }
}
