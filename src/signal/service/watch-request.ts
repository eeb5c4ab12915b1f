import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';
import { parseSignalPattern, type SignalFilter, signalFilter } from '../signal-pattern.ts';
import { checkPatterns } from './attached-patterns.ts';

export interface WatchRequest {
  readonly channel?: string | undefined;
  readonly pattern?: readonly string[] | undefined;
  readonly plan?: readonly string[] | undefined;
  readonly signal?: readonly string[] | undefined;
  readonly changes: boolean;
}

const refuse = (field: string, message: string): BusbarError =>
  invalidArgument(field, message, { reason: 'conflicts_with_channel' });

/** Plans have their own choice of signals. Returns the channel to decode, or null for plans. */
export const watchedChannel = (request: WatchRequest): string | null => {
  const { channel, pattern, plan, signal, changes } = request;
  if (channel !== undefined) {
    if (plan) throw refuse('plan', 'plan selects signal plans and cannot be combined with channel');
    if (signal) throw refuse('signal', 'signal is for plans; with channel, give patterns');
    return channel;
  }
  const field = pattern ? 'pattern' : changes ? 'changes' : null;
  if (field === null) return null;
  throw invalidArgument(field, `${field} needs a channel`, { reason: 'needs_channel' });
};

export const watchFilter = (
  channel: string,
  databases: readonly AttachedDatabase[],
  texts: readonly string[] = [],
): SignalFilter => {
  if (databases.length === 0) {
    throw new BusbarError('database_not_found', {
      message: `No database is attached to ${channel}`,
      details: { field: 'channel', channel },
      hint: `busbar database attach <database> --channel=${channel} attaches one.`,
    });
  }
  const patterns = texts.map(parseSignalPattern);
  checkPatterns(patterns, databases, 'pattern');
  return signalFilter(patterns);
};
