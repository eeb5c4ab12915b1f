import { useId } from 'preact/hooks';
import type { FileList } from '../state/project-files.ts';
import type { Resource } from '../state/resource.ts';
import { TextField } from '../ui/fields.tsx';
import { useResource } from '../ui/use-resource.ts';
import type { Control } from './schema-form.ts';

interface FileFieldProps extends Omit<Control<string>, 'problemOf' | 'error'> {
  /** What can be picked; another name can be typed. */
  readonly files: Resource<FileList>;
  readonly error?: string | null;
}

/** A browser lists no more than can be looked through. */
const mostOffered = 200;

/** Those to offer: where there are many, those that what was typed is a part of. */
const offeredOf = ({ files }: FileList, typed: string): FileList['files'] =>
  files.length <= mostOffered
    ? files
    : files.filter(({ file }) => file.includes(typed)).slice(0, mostOffered);

/** What is to be known of a list that does not have everything; undefined if it has. */
const gapOf = ({ data, error }: Resource<FileList>): string | undefined => {
  if (error.value) return 'The files could not be listed: type the name.';
  return data.value?.isComplete === false ? 'Not all files are listed.' : undefined;
};

/** A file of the project: one that is there, or a new one. */
export const FileField = ({ files, hint, onChange, ...field }: FileFieldProps) => {
  const id = useId();
  const list = useResource(files).data.value;
  const note = [gapOf(files), hint].filter(Boolean).join(' ');
  return (
    <>
      <TextField {...field} onInput={onChange} {...(note === '' ? {} : { hint: note })} list={id} />
      <datalist id={id}>
        {(list ? offeredOf(list, field.value) : []).map(({ file }) => (
          <option key={file} value={file} />
        ))}
      </datalist>
    </>
  );
};
