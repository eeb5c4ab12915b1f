import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../schema/schemas.ts';

export const FileUpload = named(
  'FileUpload',
  Type.Object({
    file: Type.String(),
    upload: nullable(Type.String(), {
      description: 'Upload to which the next part belongs; null when the file is complete',
    }),
    bytes: counted('Bytes that have arrived'),
    version: nullable(Type.String(), {
      description: 'Version of the file, as its ETag; null until it is complete',
    }),
  }),
);
export type FileUpload = RecordOf<typeof FileUpload>;
