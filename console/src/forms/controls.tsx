import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Channel } from '../api/client.ts';
import type { FileList } from '../state/project-files.ts';
import type { Resource } from '../state/resource.ts';
import { type Choice, SelectField, TextField, withGone } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { useResource } from '../ui/use-resource.ts';
import { channelOf, type SelectorSources, selectorChoices } from './channel-selectors.ts';
import type { Control } from './schema-form.ts';

/** The question whether a file is to be replaced, for one form. */
export interface ReplaceQuestion {
  /** The file that it is about; null while nothing is asked. */
  readonly file: Signal<string | null>;
  /** Whether the form was submitted by the answer that this file may be replaced. It is asked no more. */
  takeAnswer(file: string, event: Event): boolean;
}

/** What the button is called that answers. */
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

/** Asks inside the form: to replace the file is to submit it once more. */
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
        <button
          type="button"
          onClick={() => {
            file.value = null;
          }}
        >
          Cancel
        </button>
      </p>
    </Notice>
  );

interface FileFieldProps extends Omit<Control<string>, 'problemOf' | 'error'> {
  /** What can be picked; another name can be typed. */
  readonly files: Resource<FileList>;
  readonly error?: string | null;
}

/** A browser lists no more than can be looked through. */
const maxOffered = 200;

/** Those to offer: where there are many, those that what was typed is a part of. */
const offeredOf = ({ files }: FileList, typed: string): FileList['files'] =>
  files.length <= maxOffered
    ? files
    : files.filter(({ file }) => file.includes(typed)).slice(0, maxOffered);

/** What is to be known of a list that does not have everything; undefined if it has. */
const gapOf = ({ data, error }: Resource<FileList>): string | undefined => {
  if (error.value) return 'The files cannot be listed. Type the file name.';
  return data.value?.isComplete === false ? 'The list of files is incomplete.' : undefined;
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

interface ChannelFieldProps {
  readonly label: string;
  readonly value: string;
  readonly sources: SelectorSources;
  /** Which channels can be meant; any where left out. */
  readonly suits?: (channel: Channel) => boolean;
  readonly onChange: (selector: string) => void;
  readonly error?: string | null;
  readonly testId?: string;
}

/** A choice among the open channels and the networks that are bound to one. */
export const ChannelField = ({ value, sources, suits, error, ...rest }: ChannelFieldProps) => {
  const offered = selectorChoices(sources, suits);
  // A channel that was closed meanwhile stays in sight instead of turning into another one.
  const gone = channelOf(value, sources) ? value : `${value} · not open`;
  const nothing = { value: '', label: offered.length === 0 ? 'No open channel' : 'Choose…' };
  const choices = [...(value === '' ? [nothing] : []), ...withGone(offered, value, gone)];
  return <SelectField {...rest} value={value} choices={choices} error={error} />;
};

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (Choice & { readonly value: Value })[];
  readonly onChange: (value: Value) => void;
  readonly testId?: string;
}

/** A choice out of two or three, all of them in sight. */
export const Segments = <Value extends string>(props: SegmentsProps<Value>) => {
  const name = useId();
  return (
    <fieldset class="switch segments" data-testid={props.testId} aria-label={props.label}>
      {props.choices.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
};
