import type { FileContent } from '../../api/file-content.ts';
import type { FileList } from '../../state/project-files.ts';

export const isDatabaseFile = (name: string): boolean => /\.(dbc|ldf)$/i.test(name);

type Dropped = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

type ReadFile = (file: string) => Promise<Pick<FileContent, 'bytes'>>;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/**
 * A browser reports the content of a dropped file, but not its folder. Returns the path of that
 * file in the project folder, or why it has none.
 */
export const placeOfDropped = async (
  dropped: Dropped,
  { files }: FileList,
  read: ReadFile,
): Promise<{ readonly file: string } | { readonly reason: string }> => {
  const { name, size } = dropped;
  if (!isDatabaseFile(name)) return { reason: `${name} is not a .dbc or .ldf file.` };
  const named = files.filter(({ file }) => baseName(file) === name);
  const content = new Uint8Array(await dropped.arrayBuffer());
  const equal: string[] = [];
  for (const { file, bytes } of named) {
    if (bytes === size && areEqual((await read(file)).bytes, content)) equal.push(file);
  }
  const [first, ...others] = equal;
  if (first && others.length === 0) return { file: first };
  if (first) {
    const reason = `The project folder has ${equal.join(' and ')}. Enter the path to load one.`;
    return { reason };
  }
  return named.length > 0
    ? {
        reason: `${named[0]?.file} in the project folder differs from the dropped file. Copy it again.`,
      }
    : { reason: `${name} is not in the project folder of the daemon. Copy it there first.` };
};
