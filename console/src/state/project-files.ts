import { type Answer, call } from '../api/client.ts';
import { type Resource, resource } from './resource.ts';

type FilePage = Answer<'gateway.files'>;
export type ProjectFile = FilePage['files'][number];

export interface FileList {
  readonly files: readonly ProjectFile[];
  readonly isComplete: boolean;
}

/** The service searches the directory in a thread that has to start first. */
const limitMs = 15_000;

type FileType = 'gwproj' | 'dbc' | 'ldf' | 'json' | 'trace';

const filesOf = async (type: FileType): Promise<FileList> => {
  const files: ProjectFile[] = [];
  for (let offset = 0; ; ) {
    const query = { type, offset, limit: 1000 };
    const page = await call('gateway.files', query, { limitMs });
    files.push(...page.files);
    offset = page.file_next_offset;
    if (page.files.length === 0 || offset >= page.file_total) {
      return { files, isComplete: page.complete };
    }
  }
};

const listOf = (...types: readonly FileType[]): Resource<FileList> =>
  resource(async () => {
    const lists = await Promise.all(types.map(filesOf));
    return {
      files: lists.flatMap(({ files }) => files),
      isComplete: lists.every(({ isComplete }) => isComplete),
    };
  });

export const projects = listOf('gwproj');
export const dbcFiles = listOf('dbc');
export const databaseFiles = listOf('dbc', 'ldf');
export const jsonFiles = listOf('json');
export const traceProjectFiles = listOf('trace');
