import { Type } from 'typebox';
import { FileUpload } from '../base/files/file-upload.ts';
import { fileTypes } from '../gateway/files/file-listing.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { downloadsAtOnce, uploadLimit } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;

/** Files that clients write: nothing that the daemon runs as code, and no bench file. */
export const uploadEndings: readonly string[] = [
  ...[...fileTypes.gwproj, ...fileTypes.dbc, ...fileTypes.ldf, ...fileTypes.trace],
  ...['.checks.json', '.layout.json', '.hex', '.s19', '.bin'],
];

const file = Type.String({
  description: 'Path inside the project directory; in a path, write / as %2F',
  minLength: 1,
  maxLength: 4096,
  examples: ['coolant.gwproj'],
});

export const fileGet = defineOperation({
  id: 'file.get',
  summary: 'Download a file of the project directory',
  description: `Sends the file as it is on the disk, up to its size when the request arrives. The ETag is the version of the file. Hidden files cannot be downloaded. At most ${downloadsAtOnce} downloads run at a time.`,
  parameters: { file },
  result: Type.String({ description: 'Bytes of the file', format: 'binary' }),
  errors: ['file_not_found', 'file_unavailable', 'path_outside_project', 'busy'],
  permission: 'observe',
  execution,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/files/{file}',
    success: 200,
    mediaType: 'application/octet-stream',
  },
});

const version = (description: string) =>
  Type.String({
    description,
    pattern: '^[0-9a-z-]{1,128}$',
    'x-form': 'a version as the ETag of the file says it, without quotes',
    examples: ['3f2a1c-19a2b3c4d5e-1f4'],
  });

const firstPart = { data: 'aGVsbG8=' };

export const filePut = defineOperation({
  id: 'file.put',
  summary: 'Upload a file into the project directory',
  description: `Creates a file, or replaces the version of it that replaces names. A file larger than a request body is sent in parts: the first with complete false, the others with its upload and offset. Until the last part, nothing of the file can be seen. An upload without a new part ends after ${uploadLimit.idleMs / 1000} seconds; at most ${uploadLimit.atOnce} run at a time. Names must end with ${uploadEndings.join(', ')}, also that of the target of a link.`,
  parameters: {
    file,
    data: Type.String({
      description: 'Bytes of this part in Base64',
      pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      'x-form': 'Base64 with padding',
      examples: [firstPart.data],
    }),
    upload: Type.Optional(
      Type.String({
        description: 'Upload that this part continues; default: the first part of a new one',
        minLength: 1,
        maxLength: 64,
        examples: ['9f86d081884c7d659a2feaa0'],
      }),
    ),
    offset: withDefault(
      Type.Integer({
        description: 'Position of this part in the file: the end of the parts so far',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [0],
      }),
      0,
    ),
    complete: withDefault(
      Type.Boolean({ description: 'Whether this is the last part', examples: [true] }),
      true,
    ),
    replaces: Type.Optional(version('Version to replace; without it, the file must not exist')),
  },
  result: FileUpload,
  errors: ['already_exists', 'busy', 'file_not_found', 'file_unavailable', 'path_outside_project'],
  permission: 'operate',
  execution,
  cli: null,
  http: {
    method: 'PUT',
    path: '/api/v1/files/{file}',
    success: 200,
    bodyName: 'FilePutRequest',
    bodyExamples: {
      short: firstPart,
      full: { ...firstPart, offset: 0, complete: false },
    },
  },
});

export const fileDelete = defineOperation({
  id: 'file.delete',
  summary: 'Delete a file of the project directory',
  description: `Deletes the version that the caller knows. Names must end with ${uploadEndings.join(', ')}, also that of the target of a link.`,
  parameters: { file, version: version('Version to delete') },
  result: Type.Object({ file: Type.String() }),
  errors: ['busy', 'file_not_found', 'file_unavailable', 'path_outside_project'],
  permission: 'operate',
  execution,
  cli: null,
  http: { method: 'DELETE', path: '/api/v1/files/{file}', success: 200 },
});
