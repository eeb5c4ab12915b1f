import type { FileList } from '../../state/project-files.ts';

export const isDatabaseFile = (name: string): boolean => /\.(dbc|ldf)$/i.test(name);

type Dropped = Pick<File, 'name' | 'size'>;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * A browser reports the name and the size of a dropped file, but not its folder. Returns the path
 * of that file in the project folder, or why it has none.
 */
export const placeOfDropped = (
  { name, size }: Dropped,
  { files }: FileList,
): { readonly file: string } | { readonly reason: string } => {
  if (!isDatabaseFile(name)) return { reason: `${name} is not a .dbc or .ldf file.` };
  const named = files.filter(({ file }) => baseName(file) === name);
  const [first, ...others] = named.filter(({ bytes }) => bytes === size);
  if (first && others.length === 0) return { file: first.file };
  if (first) {
    const paths = [first, ...others].map(({ file }) => file);
    return { reason: `The project folder has ${paths.join(' and ')}. Enter the path to load one.` };
  }
  return named.length > 0
    ? {
        reason: `${named[0]?.file} in the project folder differs from the dropped file. Copy it again.`,
      }
    : { reason: `${name} is not in the project folder of the daemon. Copy it there first.` };
};
