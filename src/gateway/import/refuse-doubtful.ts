import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostic } from '../../database/database-records.ts';
import { mostNotes } from './import-notes.ts';

/**
 * Where the reader had to choose what a signal is. Who looks at frames can judge by the warning; a
 * gateway would pass on made-up values.
 */
const doubtful: ReadonlySet<string> = new Set([
  'multiplexor_ambiguous',
  'multiplexor_missing',
  'multiplexing_unusable',
  'value_type_mismatch',
]);

/** Refuses a file of which a part could not be read, or not for certain. */
export const refuseDoubtful = (diagnostics: readonly Diagnostic[]): void => {
  const flaws = diagnostics.filter(
    ({ severity, code }) => severity === 'error' || doubtful.has(code),
  );
  const [first] = flaws;
  if (first === undefined) return;
  const { line, column, message } = first;
  const more = flaws.length === 1 ? '' : `, and ${flaws.length - 1} more`;
  const problems = flaws
    .slice(0, mostNotes)
    .map((flaw) => ({ line: flaw.line, column: flaw.column, reason: flaw.message }));
  throw new BusbarError('invalid_database', {
    message: `The file cannot be imported. Line ${line}: ${message}${more}`,
    details: { field: 'file', line, column, problems, total: flaws.length },
  });
};
