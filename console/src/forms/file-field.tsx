import { useId } from 'preact/hooks';
import type { FileList } from '../state/project-files.ts';
import type { Resource } from '../state/resource.ts';
import { TextField } from '../ui/fields.tsx';
import { useResource } from '../ui/use-resource.ts';

interface FileFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What can be picked; another name can be typed. */
  readonly files: Resource<FileList>;
  readonly error?: string | null | undefined;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly testId: string;
}

/** A file of the project: one that is there, or a new one. */
export const FileField = ({ files, ...field }: FileFieldProps) => {
  const id = useId();
  const found = useResource(files).data.value?.files ?? [];
  return (
    <>
      <TextField {...field} list={id} />
      <datalist id={id}>
        {found.map(({ file }) => (
          <option key={file} value={file} />
        ))}
      </datalist>
    </>
  );
};
