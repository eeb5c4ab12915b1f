import { Type } from 'typebox';
import type { FileListing } from '../../base/files/list-files.ts';
import { counted, named, type RecordOf } from '../../base/schema/schemas.ts';

export const GatewayFilePage = named(
  'GatewayFilePage',
  Type.Object({
    type: Type.String(),
    complete: Type.Boolean({
      description: 'false where the directory is too large or too deep to be searched whole',
    }),
    file_total: counted('Files found'),
    file_offset: counted('Index of the first message of this page'),
    file_next_offset: counted('Index of the next page; the total after the last page'),
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

export const fileTypes = {
  gwproj: ['.gwproj'],
  dbc: ['.dbc'],
  ldf: ['.ldf'],
  json: ['.json'],
  trace: ['.asc', '.blf', '.log', '.mf4', '.asc.gz', '.log.gz'],
} as const;
export type FileType = keyof typeof fileTypes;

export const filePage = (
  type: FileType,
  { files, isCut }: FileListing,
  offset: number,
  limit: number,
): GatewayFilePage => {
  const shown = files.slice(offset, offset + limit);
  return {
    type,
    complete: !isCut,
    file_total: files.length,
    file_offset: offset,
    file_next_offset: Math.min(offset, files.length) + shown.length,
    files: shown.map(({ file, bytes, modifiedUs }) => ({ file, bytes, modified_us: modifiedUs })),
  };
};
