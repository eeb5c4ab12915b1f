import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../base/json/parse-json-bytes.ts';
import { maxProblems, schemaProblems } from '../base/schema/schema-problems.ts';
import { CheckFile } from './check-file.ts';

/** Bytes of a check file. */
export const maxCheckFile = 4 * 1024 * 1024;

const invalid = (
  path: string,
  problems: readonly { readonly field: string; readonly message: string }[],
  cause?: unknown,
): BusbarError => {
  const [first] = problems;
  const { message, details } = invalidArgument('file', `${path}: ${first?.message}`, {
    path,
    problems: problems.slice(0, maxProblems),
  });
  return new BusbarError('invalid_argument', { message, details, cause });
};

/** Parses a check file. Rejects it with all problems; `path` names it in messages. */
export const readCheckFile = (path: string, bytes: Uint8Array): CheckFile => {
  if (bytes.length > maxCheckFile) {
    throw invalid(path, [{ field: '', message: `The file has more than ${maxCheckFile} bytes` }]);
  }
  let content: unknown;
  try {
    content = parseJsonBytes(bytes);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    throw invalid(path, [{ field: String(details.field ?? ''), message }], thrown);
  }
  const problems = schemaProblems(CheckFile, content);
  if (problems.length > 0) throw invalid(path, problems);
  return content as CheckFile;
};

const prefix = 'file.';

/** Names the text of a check of a file in errors, until `inFile` adds the path. */
export const fieldInFile = (index: number): string => `${prefix}checks[${index}].check`;

/** An error about a check of a file, with the path of the file. */
export const atFile = (path: string | undefined, thrown: unknown): unknown => {
  const error = BusbarError.from(thrown);
  const { field } = error.details;
  if (path === undefined || typeof field !== 'string' || !field.startsWith(prefix)) return thrown;
  const message = error.message.replaceAll(prefix, '');
  const problems = [{ field: field.slice(prefix.length), message }];
  return error.with({
    message: `${path}: ${message}`,
    details: { ...error.details, field: 'file', path, problems },
  });
};

/** Errors about checks of a file get its path; undefined if there is no file. */
export const inFile = <Result>(path: string | undefined, work: () => Result): Result => {
  try {
    return work();
  } catch (thrown) {
    throw atFile(path, thrown);
  }
};
