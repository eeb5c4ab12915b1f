import { signal } from '@preact/signals';
import type { GatewayImport } from '../../api/client.ts';
import { counted, formatCount } from '../../format/figures.ts';
import { FileField } from '../../forms/file-field.tsx';
import {
  ReplaceNotice,
  type ReplaceQuestion,
  useReplaceQuestion,
} from '../../forms/replace-question.tsx';
import { requestForm } from '../../forms/request-form.ts';
import { Segments } from '../../forms/segments.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { projectMs } from '../../gateway/actions.ts';
import { bench } from '../../state/bench.ts';
import { dbcFiles, type FileList, projects } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, SelectField, TextField, withGone } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import {
  emptyImport,
  type ImportDraft,
  importBody,
  importFields,
  outputOf,
  suggestedOutput,
} from './import-draft.ts';
import { imported, load, validate, view } from './instances-state.ts';
import { countsText } from './outcome-view.tsx';

/** What the import had to decide, or could not carry over. */
interface Note {
  readonly place: string;
  readonly what: string;
  readonly why: string;
}

const notesOf = ({ defaults, omitted }: GatewayImport): readonly Note[] => [
  ...omitted.map(({ message, signal, part, reason }) => ({
    place: signal === null ? message : `${message} · ${signal}`,
    what: part === 'labels' ? 'some labels left out' : `${part} left out`,
    why: reason,
  })),
  ...defaults.map(({ message, field, value, rule }) => ({
    place: message,
    what: `${field} = ${value}`,
    why: rule,
  })),
];

const columns: readonly Column<Note>[] = [
  {
    id: 'place',
    title: 'Message',
    width: 160,
    least: 112,
    grows: true,
    text: ({ place }) => place,
  },
  { id: 'what', title: 'What was done', width: 176, least: 120, text: ({ what }) => what },
  { id: 'why', title: 'Why', width: 200, least: 120, grows: true, text: ({ why }) => why },
];

/** What the last import made, and what to do with it next. */
const ImportResult = () => {
  const result = imported.value;
  if (result === null) return null;
  const notes = notesOf(result);
  const total = result.defaults_total + result.omitted_total;
  const next = (run: (file: string) => Promise<void>) => () => {
    view.value = 'projects';
    void run(result.output);
  };
  return (
    <div class="outcome" data-testid="import-result">
      <Notice tone="good">
        <p>
          <span aria-hidden="true">✓</span> {result.output} was written: {countsText(result.added)}{' '}
          added.
        </p>
        <p class="actions">
          <button type="button" onClick={next(validate)}>
            Validate
          </button>
          <button type="button" data-testid="import-load" onClick={next(load)}>
            Load
          </button>
        </p>
      </Notice>
      {total > 0 && (
        <>
          <h3>
            {counted(total, 'thing')} that the file did not say or that could not be carried over
            {total > notes.length && `, ${formatCount(notes.length)} of which are shown`}
          </h3>
          <DataTable
            id="import-notes"
            label="What the import decided"
            columns={columns}
            count={notes.length}
            rowAt={(index) => notes[index] as Note}
            keyOf={(_, index) => index}
          />
        </>
      )}
    </div>
  );
};

const form = requestForm('gateway.import');
const draft = signal(emptyImport);

const change = (part: Partial<ImportDraft>, field: string): void => {
  draft.value = { ...draft.value, ...part };
  form.touch(field);
};

const choicesOf = (list: FileList | null, chosen: string, nothing: string) => [
  { value: '', label: nothing },
  ...withGone(
    (list?.files ?? []).map(({ file }) => ({ value: file, label: file })),
    chosen,
    `${chosen} · gone`,
  ),
];

const submit = async (event: Event, question: ReplaceQuestion): Promise<void> => {
  event.preventDefault();
  imported.value = null;
  const output = outputOf(draft.peek());
  const overwrite = question.takeAnswer(output, event);
  const answer: GatewayImport | null = await form.submit({
    body: { ...importBody(draft.peek()), overwrite },
    visible: importFields,
    options: { limitMs: projectMs },
  });
  if (form.error.peek()?.code === 'already_exists') {
    form.clear();
    question.file.value = output;
  }
  if (!answer) return;
  imported.value = answer;
  await projects.refresh();
};

/** CAN networks of the bench; the others can be typed all the same. */
const networkNames = (): readonly string[] => Object.keys(bench.data.value?.networks ?? {});

const missingCycles = [
  { value: '', label: 'refuse them' },
  { value: 'periodic', label: 'send periodically' },
  { value: 'on_change', label: 'send on change' },
] as const;

/** Where from, where to, and on which network. */
const Places = () => {
  const { file, output, merge, network, direction } = draft.value;
  return (
    <div class="fields">
      <div class="pair">
        <SelectField
          label="Database"
          value={file}
          choices={choicesOf(dbcFiles.data.value, file, 'Choose…')}
          onChange={(value) => change({ file: value }, 'file')}
          error={form.problemOf('file')}
          testId="import-file"
        />
      </div>
      <div class="pair">
        <SelectField
          label="Add to"
          value={merge}
          choices={choicesOf(projects.data.value, merge, 'no project: a new one')}
          onChange={(value) => change({ merge: value }, 'merge')}
          error={form.problemOf('merge')}
          testId="import-merge"
        />
      </div>
      <div class="pair">
        <FileField
          label="Write to"
          files={projects}
          value={output}
          onInput={(value) => change({ output: value }, 'output')}
          placeholder={suggestedOutput(draft.value) || 'pump.gwproj'}
          error={form.problemOf('output')}
          testId="import-output"
        />
      </div>
      <TextField
        label="Network"
        value={network}
        list="import-networks"
        onInput={(value) => change({ network: value }, 'network')}
        error={form.problemOf('network')}
        testId="import-network"
      />
      <datalist id="import-networks">
        {networkNames().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field label="Messages are" error={form.problemOf('direction')}>
        {() => (
          <Segments
            label="Messages are"
            value={direction}
            choices={[
              { value: 'rx', label: 'received' },
              { value: 'tx', label: 'sent' },
            ]}
            onChange={(value) => change({ direction: value }, 'direction')}
            testId="import-direction"
          />
        )}
      </Field>
    </div>
  );
};

/** What to do about what the database does not say. */
const Rules = () => {
  const { instance, missingCycle, defaultPeriodMs, staleAfterMs } = draft.value;
  return (
    <div class="fields">
      <TextField
        label="Id of the project"
        value={instance}
        onInput={(value) => change({ instance: value }, 'instance')}
        placeholder="none"
        error={form.problemOf('instance')}
        testId="import-instance"
      />
      <SelectField
        label="Without a period"
        value={missingCycle}
        choices={missingCycles}
        onChange={(value) =>
          change({ missingCycle: value as ImportDraft['missingCycle'] }, 'missing_cycle')
        }
        error={form.problemOf('missing_cycle')}
        testId="import-missing-cycle"
      />
      <TextField
        label="Period then, ms"
        value={defaultPeriodMs}
        onInput={(value) => change({ defaultPeriodMs: value }, 'default_period_ms')}
        placeholder="none"
        error={form.problemOf('default_period_ms')}
        testId="import-default-period"
      />
      <TextField
        label="Stale after, ms"
        value={staleAfterMs}
        onInput={(value) => change({ staleAfterMs: value }, 'stale_after_ms')}
        placeholder="three periods"
        error={form.problemOf('stale_after_ms')}
        testId="import-stale"
      />
    </div>
  );
};

/** A project made of a database, or a database added to one. */
export const ImportView = () => {
  useResource(bench);
  useResource(projects);
  const { error } = useResource(dbcFiles);
  const question = useReplaceQuestion();
  return (
    <div class="scroll">
      <form
        class="line-form"
        noValidate
        onSubmit={(event) => void submit(event, question)}
        data-testid="import-form"
      >
        <Places />
        <Rules />
        <div class="actions">
          <SubmitButton form={form} testId="import-submit">
            {form.isBusy.value ? 'Importing…' : 'Import'}
          </SubmitButton>
        </div>
        <ReplaceNotice file={question.file} />
        <ErrorNotice error={form.error.value ?? error.value} testId="import-error" />
      </form>
      <ImportResult />
    </div>
  );
};
