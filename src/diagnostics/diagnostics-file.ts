import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../base/json/parse-json-bytes.ts';
import { type FieldProblem, maxProblems } from '../base/schema/schema-problems.ts';

/** Bytes of a JSON file. */
const maxFile = 4 * 1024 * 1024;

export const invalidFile = (
  problems: readonly FieldProblem[],
  cause?: unknown,
  place: ErrorDetails = {},
): BusbarError =>
  new BusbarError('invalid_diagnostics_file', {
    message: problems[0]?.message ?? 'Invalid file',
    details: { ...place, problems: problems.slice(0, maxProblems) },
    cause,
  });

/** Parses a file so that errors contain its path and the field that names it. */
export const inFile = <Content>(field: string, path: string, parse: () => Content): Content => {
  try {
    return parse();
  } catch (thrown) {
    const { code, message, details } = BusbarError.from(thrown);
    if (code !== 'invalid_diagnostics_file') throw thrown;
    throw new BusbarError(code, {
      message: `${path}: ${message}`,
      details: { field, path, ...details },
      cause: thrown,
    });
  }
};

/** Parses a JSON file. Throws `invalid_diagnostics_file` with all problems. */
export const readDiagnosticsFile = <Content>(
  bytes: Uint8Array,
  problemsOf: (content: unknown) => FieldProblem[],
): Content => {
  if (bytes.length > maxFile) {
    throw invalidFile([{ field: '', message: `The file has more than ${maxFile} bytes` }]);
  }
  let content: unknown;
  try {
    content = parseJsonBytes(bytes);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    const { field = '', line, column } = details;
    throw invalidFile([{ field: String(field), message }], thrown, line ? { line, column } : {});
  }
  const problems = problemsOf(content);
  if (problems.length > 0) throw invalidFile(problems);
  return content as Content;
};
