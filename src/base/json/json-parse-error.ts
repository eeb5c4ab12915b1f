import { type BusbarError, invalidArgument } from '../errors/busbar-error.ts';
import { fieldPath, type PathSegment } from './field-path.ts';

export type JsonErrorReason =
  | 'bad_number'
  | 'bad_utf8'
  | 'control_character'
  | 'duplicate_key'
  | 'lone_surrogate'
  | 'nul'
  | 'number_out_of_range'
  | 'syntax'
  | 'too_deep'
  | 'trailing_data';

export class JsonParseError extends Error {
  readonly reason: JsonErrorReason;
  readonly offset: number;

  constructor(reason: JsonErrorReason, offset: number, message: string) {
    super(message);
    this.reason = reason;
    this.offset = offset;
  }
}

const positionOf = (text: string, offset: number): { line: number; column: number } => {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0 || lineEnd >= offset) return { line, column: offset - lineStart + 1 };
    line += 1;
    lineStart = lineEnd + 1;
  }
};

/** Error with reason and position. It contains no document text except keys. */
export const refusal = (
  text: string,
  error: JsonParseError,
  segments: readonly PathSegment[],
): BusbarError => {
  const { line, column } = positionOf(text, error.offset);
  const field = fieldPath(segments);
  const place = field === '' ? '' : ` in ${field}`;
  return invalidArgument(
    field,
    `Invalid JSON at line ${line}, column ${column}${place}: ${error.message}`,
    { reason: error.reason, line, column },
  );
};
