import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PathSegment } from '../../base/json/field-path.ts';
import { isJsonObject, type JsonValue } from '../../base/json/json-value.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { mostProblems, type Problems } from './problems.ts';

/** A file that holds one JSON object, and where in it keys are given twice. */
interface JsonDocument {
  readonly fields: Record<string, unknown>;
  /** Those to show; the others are counted already. */
  readonly repeated: readonly PathSegment[][];
}

/** Reads the bytes of a file; undefined if it is none, which the problems then say. */
export const readDocument = (bytes: Uint8Array, problems: Problems): JsonDocument | undefined => {
  const repeated: PathSegment[][] = [];
  const onRepeatedKey = (path: PathSegment[]): void => {
    if (repeated.length < mostProblems) repeated.push(path);
    else problems.addUnseen(1);
  };
  const file = { table: null, row: null, index: null } as const;
  let fields: JsonValue;
  try {
    fields = parseJsonBytes(bytes, { onRepeatedKey, sourceAt: ['plugins', null, 'context'] });
  } catch (thrown) {
    const { code, message, details } = BusbarError.from(thrown);
    if (code !== 'invalid_argument') throw thrown;
    problems.add({ ...file, field: String(details.field ?? ''), code: 'invalid_json', message });
    return undefined;
  }
  if (isJsonObject(fields)) return { fields, repeated };
  const message = 'The file must hold one object';
  problems.add({ ...file, field: '', code: 'wrong_type', message });
  return undefined;
};
