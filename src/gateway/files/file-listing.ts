import type { FileListing } from '../../base/files/list-files.ts';
import type { GatewayFilePage } from './file-page-record.ts';

/** Kinds of files that a gateway, and what it talks to, works with, and how their names end. */
export const fileTypes = { gwproj: ['.gwproj'], dbc: ['.dbc'], json: ['.json'] } as const;
export type FileType = keyof typeof fileTypes;

/** One page of the files of a kind. */
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
