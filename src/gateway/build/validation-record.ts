import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { rowCounts } from '../project/row-counts.ts';

/** What is known of a project that has no problems. */
export const GatewayValidation = named(
  'GatewayValidation',
  Type.Object({
    valid: Type.Boolean(),
    id: nullable(Type.String()),
    counts: rowCounts('Rows of each table'),
  }),
);
export type GatewayValidation = RecordOf<typeof GatewayValidation>;
