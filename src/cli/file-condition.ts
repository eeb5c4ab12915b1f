import { compileCondition } from '../condition/compile-condition.ts';
import type { Condition } from '../condition/condition.ts';
import { ConditionFilter } from '../condition/condition-filter.ts';
import { ConditionRun } from '../condition/condition-run.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import {
  refuseAbsentChannels,
  requireDatabases,
  type TraceDatabase,
  traceContext,
} from '../condition/trace-context.ts';
import type { TraceReader } from '../trace/trace-format.ts';
import type { CliContext } from './context.ts';
import { conditionDatabases } from './trace-databases.ts';

type Values = Readonly<Record<string, unknown>>;

/** A condition over one trace file. */
class ConditionOverFile {
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
export class FileCondition {
  readonly condition: Condition;
  readonly #field: string;
  readonly #databases: readonly TraceDatabase[];

  constructor(condition: Condition, field: string, databases: readonly TraceDatabase[]) {
    this.condition = condition;
    this.#field = field;
    this.#databases = databases;
    requireDatabases(condition, field, databases);
  }

  over(reader: TraceReader): ConditionOverFile {
    return new ConditionOverFile(this.condition, this.#field, this.#databases, reader);
  }
}

/** The condition of a command, and its `--database`. */
export const conditionIn = (values: Values, field: string, context: CliContext): FileCondition => {
  const condition = parseCondition(values[field] as string, field);
  return new FileCondition(condition, field, conditionDatabases(values.database, context));
};
