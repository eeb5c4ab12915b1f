import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Answer, Channel, OperationId } from '../api/client.ts';
import type { FileList } from '../state/project-files.ts';
import type { Resource } from '../state/resource.ts';
import { SelectField, TextField, withGone } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { setting } from '../ui/set-signal.ts';
import { useResource } from '../ui/use-resource.ts';
import { channelOf, type SelectorSources, selectorChoices } from './channel-selectors.ts';
import type { Submission } from './request-form.ts';
import type { Control, SchemaForm } from './schema-form.ts';

export interface ReplaceQuestion {
  readonly file: Signal<string | null>;
  /** Returns whether this submission confirms the file. Closes the question. */
  takeAnswer(file: string, event: Event): boolean;
}

const answer = 'replace';

export const useReplaceQuestion = (): ReplaceQuestion => {
  const asked = useSignal<string | null>(null);
  return {
    file: asked,
    takeAnswer: (file, event) => {
      const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
      const isAnswered = asked.peek() === file && button?.value === answer;
      asked.value = null;
      return isAnswered;
    },
  };
};

interface Replacing<Id extends OperationId> extends Omit<Partial<Submission<Id>>, 'body'> {
  readonly file: string;
  readonly event: Event;
  readonly body: object;
}

/** Submits a form that writes a file. Requires a confirmation if the file exists. */
export const submitReplacing = async <Id extends OperationId, Fields extends object>(
  form: SchemaForm<Id, Fields>,
  question: ReplaceQuestion,
  { file, event, body, ...rest }: Replacing<Id>,
): Promise<Answer<Id> | null> => {
  const overwrite = question.takeAnswer(file, event);
  const answer = await form.submit({ ...rest, body: { ...body, overwrite } });
  if (form.error.peek()?.code === 'already_exists') {
    form.clear();
    question.file.value = file;
  }
  return answer;
};

export const ReplaceNotice = ({ file }: { readonly file: Signal<string | null> }) =>
  file.value !== null && (
    <Notice tone="warn" testId="replace-question">
      <p>
        <code>{file.value}</code> already exists. Replace it?
      </p>
      <p class="actions">
        <button type="submit" class="danger" value={answer} data-testid="replace">
          Replace
        </button>
        <button type="button" onClick={setting(file, null)}>
          Cancel
        </button>
      </p>
    </Notice>
  );

interface FileFieldProps extends Omit<Control<string>, 'problemOf' | 'error'> {
  readonly files: Resource<FileList>;
  readonly error?: string | null;
}

const maxListed = 200;

const offeredOf = ({ files }: FileList, typed: string): FileList['files'] =>
  files.length <= maxListed
    ? files
    : files.filter(({ file }) => file.includes(typed)).slice(0, maxListed);

const gapOf = ({ data, error }: Resource<FileList>): string | undefined => {
  if (error.value) return 'The files cannot be listed. Type the file name.';
  return data.value?.isComplete === false ? 'The list of files is incomplete.' : undefined;
};

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

interface ChannelFieldProps {
  readonly label: string;
  readonly value: string;
  readonly sources: SelectorSources;
  readonly suits?: (channel: Channel) => boolean;
  readonly onChange: (selector: string) => void;
  readonly error?: string | null;
  readonly testId?: string;
}

export const ChannelField = ({ value, sources, suits, error, ...rest }: ChannelFieldProps) => {
  const offered = selectorChoices(sources, suits);
  const gone = channelOf(value, sources) ? value : `${value} · not open`;
  const nothing = { value: '', label: offered.length === 0 ? 'No open channel' : 'Choose…' };
  const choices = [...(value === '' ? [nothing] : []), ...withGone(offered, value, gone)];
  return <SelectField {...rest} value={value} choices={choices} error={error} />;
};
