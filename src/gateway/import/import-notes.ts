import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostic } from '../../database/database-records.ts';
import type { ImportNote } from './import-record.ts';

/** Enough to mend a file by. */
export const mostNotes = 200;

const partOf = (signal: string | null): ImportNote['part'] =>
  signal === null ? 'message' : 'signal';

const placeOf = ({ message, signal }: ImportNote): string =>
  signal === null ? `Message ${message}` : `Signal ${signal} of ${message}`;

/** Collects what is left out and what makes the import impossible, so that all of it is told at once. */
export class ImportNotes {
  readonly omitted: ImportNote[] = [];
  readonly #refused: ImportNote[] = [];

  omit(message: string, signal: string | null, reason: string): void {
    this.omitted.push({ message, signal, part: partOf(signal), reason });
  }

  omitLabels(message: string, signal: string, reason: string): void {
    this.omitted.push({ message, signal, part: 'labels', reason });
  }

  refuse(message: string, signal: string | null, reason: string): void {
    this.#refused.push({ message, signal, part: partOf(signal), reason });
  }

  /** Throws if anything was refused. */
  assertNoneRefused(): void {
    const [first] = this.#refused;
    if (first === undefined) return;
    const total = this.#refused.length;
    const more = total === 1 ? '' : `, and ${total - 1} more`;
    throw new BusbarError('invalid_database', {
      message: `The messages cannot be imported. ${placeOf(first)} ${first.reason}${more}`,
      details: { field: 'file', problems: this.#refused.slice(0, mostNotes), total },
    });
  }
}

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
