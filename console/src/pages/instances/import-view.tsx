import type { GatewayImport } from '../../api/client.ts';
import { counted, formatCount } from '../../format/figures.ts';
import {
  FileField,
  ReplaceNotice,
  type ReplaceQuestion,
  submitReplacing,
  useReplaceQuestion,
} from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { projectMs } from '../../gateway/actions.ts';
import { bench } from '../../state/bench.ts';
import { dbcFiles, type FileList, projects } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, Segments, withGone } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { emptyImport, outputOf, suggestedOutput } from './import-draft.ts';
import { imported, load, validate, view } from './instances-state.ts';
import { countsText } from './outcome-view.tsx';

interface Note {
  readonly place: string;
  readonly what: string;
  readonly why: string;
}

const notesOf = ({ defaults, omitted }: GatewayImport): readonly Note[] => [
  ...omitted.map(({ message, signal, part, reason }) => ({
    place: signal === null ? message : `${message} · ${signal}`,
    what: part === 'labels' ? 'some labels omitted' : `${part} omitted`,
    why: reason,
  })),
  ...defaults.map(({ message, field, value, rule }) => ({
    place: message,
    what: `${field} = ${value}`,
    why: rule,
  })),
];

const columns: readonly Column<Note>[] = [
  column('place', 'Message', 160, ({ place }) => place, { least: 112, grows: true }),
  column('what', 'Action', 176, ({ what }) => what, { least: 120 }),
  column('why', 'Reason', 200, ({ why }) => why, { least: 120, grows: true }),
];

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
            {counted(total, 'note')} on defaults and omissions
            {total > notes.length && `, first ${formatCount(notes.length)} shown`}
          </h3>
          <DataTable
            id="import-notes"
            label="Import notes"
            columns={columns}
            rows={notes}
            keyOf={(_, index) => index}
          />
        </>
      )}
    </div>
  );
};

const choicesOf = (list: FileList | null, chosen: string, nothing: string) => [
  { value: '', label: nothing },
  ...withGone(
    (list?.files ?? []).map(({ file }) => ({ value: file, label: file })),
    chosen,
    `${chosen} · missing`,
  ),
];

const networkNames = (): readonly string[] => Object.keys(bench.data.value?.networks ?? {});

const form = schemaForm('gateway.import', emptyImport, [
  {
    key: 'file',
    label: 'Database',
    class: 'pair',
    choices: ({ file }) => choicesOf(dbcFiles.data.value, file, 'Choose…'),
    testId: 'import-file',
  },
  {
    key: 'merge',
    label: 'Add to project',
    class: 'pair',
    choices: ({ merge }) => choicesOf(projects.data.value, merge, 'New project'),
    testId: 'import-merge',
  },
  {
    key: 'output',
    label: 'Output file',
    class: 'pair',
    placeholder: (draft) => suggestedOutput(draft) || 'pump.gwproj',
    testId: 'import-output',
    render: (control) => <FileField {...control} files={projects} />,
  },
  {
    key: 'network',
    label: 'Network',
    placeholder: '',
    suggestions: networkNames,
    testId: 'import-network',
  },
  {
    key: 'direction',
    label: 'Direction',
    testId: 'import-direction',
    render: (control) => (
      <Field label={control.label} error={control.error}>
        {() => (
          <Segments
            {...control}
            choices={[
              { value: 'rx', label: 'RX' },
              { value: 'tx', label: 'TX' },
            ]}
          />
        )}
      </Field>
    ),
  },
  { key: 'instance', label: 'Project ID', placeholder: 'none', testId: 'import-instance' },
  {
    key: 'missing_cycle',
    label: 'If cycle time is missing',
    none: 'Reject',
    choices: [
      { value: 'periodic', label: 'Send cyclically' },
      { value: 'on_change', label: 'Send on change' },
    ],
    testId: 'import-missing-cycle',
  },
  {
    key: 'default_period_ms',
    label: 'Default cycle time',
    placeholder: 'none',
    testId: 'import-default-period',
  },
  {
    key: 'stale_after_ms',
    label: 'Stale after',
    placeholder: '3 × cycle time',
    testId: 'import-stale',
  },
]);

const submit = async (event: Event, question: ReplaceQuestion): Promise<void> => {
  imported.value = null;
  const output = outputOf(form.draft.peek());
  const answer = await submitReplacing(form, question, {
    file: output,
    event,
    body: { ...form.body(), output },
    options: { limitMs: projectMs },
  });
  if (!answer) return;
  imported.value = answer;
  await projects.refresh();
};

export const ImportView = () => {
  useResource(bench);
  useResource(projects);
  const { error } = useResource(dbcFiles);
  const question = useReplaceQuestion();
  return (
    <div class="scroll">
      <FormView
        form={form}
        name="import"
        submitId="import-submit"
        submitText={form.isBusy.value ? 'Importing…' : 'Import'}
        onSubmit={(event) => submit(event, question)}
      >
        <ReplaceNotice file={question.file} />
        <ErrorNotice error={error.value} testId="import-files-error" />
      </FormView>
      <ImportResult />
    </div>
  );
};
