import { Type } from 'typebox';
import { named, type RecordOf } from '../base/schema/schemas.ts';
import { recorderFields } from '../recording/recorder-settings.ts';
import { nameError } from './name-rule.ts';

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
