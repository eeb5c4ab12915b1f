import { type TSchema, Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { rowCounts } from '../project/project.ts';
import { warningFields } from '../project/warnings.ts';

const shown = <S extends TSchema>(item: S, description: string) =>
  Type.Array(item, { description: `${description}; the first 200` });

const ImportedDefault = named(
  'GatewayImportDefault',
  Type.Object({
    message: Type.String({ description: 'Id of the message' }),
    field: Type.String({ description: 'Field that was filled' }),
    value: Type.Integer({ description: 'What it was filled with' }),
    rule: Type.String({ description: 'Why' }),
  }),
);

export const ImportNote = named(
  'GatewayImportOmission',
  Type.Object({
    message: Type.String({ description: 'Name of the message in the DBC file' }),
    signal: nullable(Type.String({ description: 'Name of the signal' })),
    part: Type.Enum(['message', 'signal', 'labels'], {
      description: 'All of the message or signal, or names of some of its values',
    }),
    reason: Type.String({ description: 'Why' }),
  }),
);
export type ImportNote = RecordOf<typeof ImportNote>;

export const GatewayImport = named(
  'GatewayImport',
  Type.Object({
    output: Type.String({ description: 'File written' }),
    id: nullable(Type.String({ description: 'Id of the project' })),
    counts: rowCounts('Rows of each table'),
    added: rowCounts('Rows that came from the DBC file'),
    defaults: shown(ImportedDefault, 'Defaults for values missing from the file'),
    defaults_total: counted('All of these'),
    omitted: shown(ImportNote, 'What of the file is not in the project'),
    omitted_total: counted('All of these'),
    ...warningFields,
  }),
);
export type GatewayImport = RecordOf<typeof GatewayImport>;
