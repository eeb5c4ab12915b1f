import { compileCondition } from '../../condition/compile-condition.ts';
import {
  type ConditionDatabase,
  databaseForConditions,
} from '../../condition/condition-context.ts';
import { ConditionFilter } from '../../condition/condition-filter.ts';
import { ConditionRun } from '../../condition/condition-run.ts';
import { parseCondition } from '../../condition/parse-condition.ts';
import type { Database } from '../../database/model.ts';
import { channelOfKey } from '../channel-key.ts';
import type { CompileFilter } from './trace-loader.ts';

const field = 'filter';

/**
 * Filters of replays. The channels of a filter are the mapped ones, by their names in the file; a
 * signal is looked up in the databases of the channel to which they are mapped.
 */
export const replayFilters =
  (databaseOf: (name: string) => Database | undefined): CompileFilter =>
  ({ text, databases }, mapped) => {
    const condition = parseCondition(text, field);
    const found = new Map<string, ConditionDatabase>();
    for (const name of new Set(Object.values(databases).flat())) {
      const database = databaseOf(name);
      if (database) found.set(name, databaseForConditions(name, database));
    }
    const ofMapped = mapped.map((channel) =>
      (databases[channel] ?? []).flatMap((name) => found.get(name) ?? []),
    );
    const context = {
      databases: [...found.values()],
      databasesOf: (key: number) => ofMapped[channelOfKey(key).channel - 1] ?? [],
      isChannel: (text: string, key: number) => mapped[channelOfKey(key).channel - 1] === text,
      refuseChannel: (text: string) =>
        mapped.includes(text) ? null : `${text} is not mapped; mapped: ${mapped.join(', ')}`,
    };
    const compiled = compileCondition(condition, field, context);
    return () => new ConditionFilter(new ConditionRun(context, [compiled]));
  };
