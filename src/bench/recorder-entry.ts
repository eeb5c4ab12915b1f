import { Type } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { PathSegment } from '../base/json/field-path.ts';
import { type FieldProblem, problemAt } from '../base/schema/schema-problems.ts';
import { named, type RecordOf } from '../base/schema/schemas.ts';
import { recorderFields, settingsOf } from '../recording/recorder-settings.ts';
import { nameError } from './name-rule.ts';
import { parseSelector } from './selector.ts';

export const maxRecorders = 16;

/** How health and metrics call logging. */
export const loggingName = 'logging';

export const recorderNameError = (name: string): string | null =>
  name === loggingName ? `must not be ${loggingName}` : nameError(name);

export const RecorderEntry = named(
  'RecorderEntry',
  Type.Object(recorderFields, {
    additionalProperties: false,
    description: 'Recorder that is started with the daemon',
  }),
);
export type RecorderEntry = RecordOf<typeof RecorderEntry>;

/** Checks what the schema cannot express. */
export const recorderProblems = (
  entry: RecorderEntry,
  at: readonly PathSegment[],
): FieldProblem[] => {
  try {
    for (const text of settingsOf(entry).channels ?? []) parseSelector(text, 'channels');
    return [];
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    return [problemAt([...at, ...String(details.field).split('.')], `is invalid: ${message}`)];
  }
};
