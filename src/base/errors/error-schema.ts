import { Type } from 'typebox';
import { named } from '../schema/schemas.ts';
import { errorCodes } from './table.ts';

/** A code of the table, also where a record contains one. */
export const ErrorCodeSchema = named('ErrorCode', Type.Enum([...errorCodes]));

export const ErrorBody = named(
  'Error',
  Type.Object({
    code: ErrorCodeSchema,
    message: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Facts for programs, such as the invalid field',
    }),
    retryable: Type.Boolean({
      description:
        'Whether the same request may succeed later; false for a permanent cause, regardless of the code',
    }),
  }),
);

export const ErrorEnvelope = named(
  'ErrorEnvelope',
  Type.Object({
    error: ErrorBody,
    request_id: Type.String({ description: 'Also in the x-request-id header' }),
  }),
);
