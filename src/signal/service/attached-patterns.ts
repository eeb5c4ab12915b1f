import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';
import { findUnmatched, type SignalPattern } from '../signal-pattern.ts';

/** Every pattern must select a signal of a message of the databases. */
export const checkPatterns = (
  patterns: readonly SignalPattern[],
  databases: readonly AttachedDatabase[],
  field: string,
): void => {
  if (patterns.length === 0) return;
  const messages = databases.flatMap((database) =>
    database.heads.map((head) => ({
      name: head.name,
      signalNames: () => database.message(head).signals.map(({ name }) => name),
    })),
  );
  const unmatched = findUnmatched(patterns, messages);
  if (unmatched === null) return;
  const { pattern, index, suggestion } = unmatched;
  const [only, ...others] = databases.map(({ name }) => name);
  const who = others.length === 0 ? `${only} has no` : 'No attached database has a';
  throw new BusbarError('signal_not_found', {
    message: `${who} signal ${pattern.text}`,
    details: {
      field: `${field}[${index}]`,
      signal: pattern.text,
      databases: databases.map(({ name }) => name),
    },
    hint: suggestion === null ? undefined : `Did you mean ${suggestion}?`,
  });
};
