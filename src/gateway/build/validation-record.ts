import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { rowCounts } from '../project/project.ts';
import { warningFields } from '../project/warnings.ts';

export const GatewayValidation = named(
  'GatewayValidation',
  Type.Object({
    valid: Type.Boolean(),
    id: nullable(Type.String()),
    counts: rowCounts('Rows of each table'),
    ...warningFields,
  }),
);
export type GatewayValidation = RecordOf<typeof GatewayValidation>;
