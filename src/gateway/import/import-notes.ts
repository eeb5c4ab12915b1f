import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostic } from '../../database/database-records.ts';
import type { ImportNote } from './import-record.ts';

export const maxNotes = 200;

const partOf = (signal: string | null): ImportNote['part'] =>
  signal === null ? 'message' : 'signal';

const placeOf = ({ message, signal }: ImportNote): string =>
  signal === null ? `Message ${message}` : `Signal ${signal} of ${message}`;

/** Collects omissions and rejections, so that all are reported together. */
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

  assertNoneRefused(): void {
    const [first] = this.#refused;
    if (first === undefined) return;
    const total = this.#refused.length;
    const more = total === 1 ? '' : `, and ${total - 1} more`;
    throw new BusbarError('invalid_database', {
      message: `The messages cannot be imported. ${placeOf(first)} ${first.reason}${more}`,
      details: { field: 'file', problems: this.#refused.slice(0, maxNotes), total },
    });
  }
}

/**
 * Warnings about signals whose meaning the parser had to guess. A gateway would forward wrong
 * values.
 */
const doubtful: ReadonlySet<string> = new Set([
  'multiplexor_ambiguous',
  'multiplexor_missing',
  'multiplexing_unusable',
  'value_type_mismatch',
]);

/** Rejects a file that could not be parsed completely and unambiguously. */
export const refuseDoubtful = (diagnostics: readonly Diagnostic[]): void => {
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' || doubtful.has(code),
  );
  const [first] = errors;
  if (first === undefined) return;
  const { line, column, message } = first;
  const more = errors.length === 1 ? '' : `, and ${errors.length - 1} more`;
  const problems = errors
    .slice(0, maxNotes)
    .map((error) => ({ line: error.line, column: error.column, reason: error.message }));
  throw new BusbarError('invalid_database', {
    message: `The file cannot be imported. Line ${line}: ${message}${more}`,
    details: { field: 'file', line, column, problems, total: errors.length },
  });
};
