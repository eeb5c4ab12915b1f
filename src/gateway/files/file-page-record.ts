import { Type } from 'typebox';
import { counted, named, type RecordOf } from '../../base/schema/schemas.ts';

/** Some of the files of a kind. */
export const GatewayFilePage = named(
  'GatewayFilePage',
  Type.Object({
    type: Type.String(),
    complete: Type.Boolean({
      description: 'false where the directory is too large or too deep to be searched whole',
    }),
    file_total: counted('Files found'),
    file_offset: counted('Where the page begins'),
    file_next_offset: counted('Where the next page begins; the total after the last'),
    files: Type.Array(
      Type.Object({
        file: Type.String({ description: 'Path that other operations take' }),
        bytes: counted('Size'),
        modified_us: Type.Integer({ description: 'Unix time in microseconds' }),
      }),
    ),
  }),
);
export type GatewayFilePage = RecordOf<typeof GatewayFilePage>;
