import { invalidArgument } from '../base/errors/busbar-error.ts';
import { channelText, isChannel } from '../trace/channel-key.ts';
import type { TraceReader } from '../trace/trace-format.ts';
import { type Condition, needsDatabases, termsOf } from './condition.ts';
import type { ConditionContext, ConditionDatabase } from './condition-context.ts';
import { conditionError } from './scanner.ts';

/** A database for one channel of a trace, or with null for all. */
export interface TraceDatabase {
  readonly channel: string | null;
  readonly database: ConditionDatabase;
}

type NamedTrace = Pick<TraceReader, 'channelNames' | 'startUnixUs'>;

/** Channels of a trace by their numbers and names there, and databases by file. No gateway is known. */
export const traceContext = (
  databases: readonly TraceDatabase[],
  trace: NamedTrace,
): ConditionContext => {
  const isNamed = (text: string, key: number): boolean =>
    isChannel(text, key, trace.channelNames?.get(key) ?? null);
  return {
    databases: databases.map(({ database }) => database),
    databasesOf: (key) =>
      databases.flatMap(({ channel, database }) =>
        channel === null || isNamed(channel, key) ? [database] : [],
      ),
    isChannel: isNamed,
    startUnixUs: trace.startUnixUs,
  };
};

/** Refuses signals where no database is named, with the option that names one. */
export const requireDatabases = (
  condition: Condition,
  field: string,
  databases: readonly TraceDatabase[],
): void => {
  if (databases.length > 0 || !needsDatabases(condition)) return;
  const found = termsOf(condition).find((term) => 'name' in term);
  const at = found !== undefined && 'name' in found ? found.name.at : 0;
  const expected = 'a database for the signal';
  const message = `expected ${expected} at offset ${at}: use --database`;
  throw conditionError(field, at, expected, message);
};

/** Channels with events, each with its name. */
const shownChannels = (keys: readonly number[], { channelNames }: NamedTrace): string => {
  if (keys.length === 0) return 'the file has no events';
  const shown = keys.map((key) => {
    const name = channelNames?.get(key);
    return name === undefined ? channelText(key) : `${channelText(key)} = ${name}`;
  });
  return `available: ${shown.join(', ')}`;
};

/**
 * Refuses channels that a whole trace did not have: those after `on`, which are `unmet`, and
 * those of databases.
 */
export const refuseAbsentChannels = (
  condition: Condition,
  field: string,
  unmet: readonly string[],
  databases: readonly TraceDatabase[],
  met: ReadonlySet<number>,
  trace: NamedTrace,
): void => {
  const keys = [...met].sort((a, b) => a - b);
  const more = { reason: 'no_such_channel', file_channels: keys.map(channelText) };
  const available = shownChannels(keys, trace);
  for (const { on } of termsOf(condition)) {
    if (on === null || !unmet.includes(on.channel)) continue;
    const expected = 'a channel of the trace';
    const message = `expected ${expected} at offset ${on.at}: no channel ${on.channel}; ${available}`;
    throw conditionError(field, on.at, expected, message, { ...more, channel: on.channel });
  }
  const isMet = (channel: string): boolean =>
    keys.some((key) => isChannel(channel, key, trace.channelNames?.get(key) ?? null));
  for (const { channel } of databases) {
    if (channel === null || isMet(channel)) continue;
    const message = `The trace has no channel ${channel}; ${available}`;
    throw invalidArgument('database', message, { ...more, channel });
  }
};
