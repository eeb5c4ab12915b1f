import { useMemo } from 'preact/hooks';
import type { RecorderSummary } from '../../api/client.ts';
import { ChannelChecks } from '../../forms/channel-checks.tsx';
import { ConditionField } from '../../forms/condition-field.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { type Control, type FieldLayout, schemaForm } from '../../forms/schema-form.ts';
import {
  bytesOf,
  changeOf,
  draftOf,
  emptyDraft,
  formatOf,
  isTriggered,
  type RecorderDraft,
} from './recorder-draft.ts';
import { pickRecorder, recorders } from './recorders-state.ts';

const condition = (control: Control<string>) => (
  <ConditionField {...control} page="recorders" testId={control.testId ?? ''} />
);

const settings: readonly FieldLayout<RecorderDraft>[] = [
  {
    key: 'file',
    label: 'Files',
    class: 'wide',
    placeholder: '{name}-{date}-{n}.mf4',
    hint: '{name}, {bench}, {date}, {time}, {n}; ends with .asc, .blf, .log or .mf4',
    testId: 'recorder-file',
  },
  {
    key: 'channels',
    label: 'Channels',
    class: 'all',
    hint: 'None selected: all channels, including new ones',
    testId: 'recorder-channels',
    render: (control) => <ChannelChecks {...control} />,
  },
  {
    key: 'split_bytes',
    field: 'split.max_bytes',
    label: 'New file after (bytes)',
    placeholder: '100 MB',
    read: bytesOf,
    testId: 'recorder-split-bytes',
  },
  {
    key: 'split_seconds',
    field: 'split.max_seconds',
    label: 'New file after (s)',
    placeholder: '3600',
    testId: 'recorder-split-seconds',
  },
  {
    key: 'keep_files',
    field: 'keep.max_files',
    label: 'Keep (files)',
    placeholder: 'All',
    testId: 'recorder-keep-files',
  },
  {
    key: 'keep_bytes',
    field: 'keep.max_bytes',
    label: 'Keep (bytes)',
    placeholder: 'All',
    read: bytesOf,
    testId: 'recorder-keep-bytes',
  },
  {
    key: 'start',
    field: 'trigger.start',
    label: 'Start when',
    class: 'all',
    placeholder: 'error, or signal Engine.EngineSpeed > 3000. Empty: immediately',
    testId: 'recorder-trigger-start',
    render: condition,
  },
  {
    key: 'stop',
    field: 'trigger.stop',
    label: 'Stop when',
    class: 'all',
    placeholder: 'silence 123 500ms. Empty: never, or some time after the start',
    testId: 'recorder-trigger-stop',
    render: condition,
  },
  {
    key: 'pre_ms',
    field: 'trigger.pre_ms',
    label: 'Before the start',
    placeholder: '0',
    isShown: ({ start }) => start.trim() !== '',
    testId: 'recorder-pre',
  },
  {
    key: 'post_ms',
    field: 'trigger.post_ms',
    label: 'After the end',
    placeholder: '0',
    isShown: isTriggered,
    testId: 'recorder-post',
  },
  {
    key: 'sync_seconds',
    label: 'Write at least every (s)',
    placeholder: '1',
    testId: 'recorder-sync',
  },
  { key: 'format', label: 'Format', none: 'by extension', testId: 'recorder-format' },
  {
    key: 'once',
    field: 'trigger.once',
    label: 'Record once',
    isAction: true,
    isShown: isTriggered,
    testId: 'recorder-once',
  },
  {
    key: 'compress',
    label: 'Compress',
    isAction: true,
    isShown: (draft) => formatOf(draft) !== 'blf',
    testId: 'recorder-compress',
  },
  {
    key: 'embed_databases',
    label: 'Embed databases',
    isAction: true,
    isShown: (draft) => formatOf(draft) === 'mf4',
    testId: 'recorder-embed',
  },
];

const addForm = schemaForm('recorder.add', emptyDraft, [
  { key: 'name', label: 'Name', placeholder: 'night', testId: 'recorder-name' },
  ...settings,
]);

const show = async (name: string): Promise<void> => {
  await recorders.refresh();
  pickRecorder(name);
};

export const AddForm = () => (
  <FormView
    form={addForm}
    name="recorder"
    class="scroll stack"
    submitId="recorder-submit"
    submitText="Add recorder"
    onSubmit={async () => {
      const added = await addForm.submit();
      if (!added) return;
      addForm.draft.value = emptyDraft;
      await show(added.name);
    }}
  />
);

export const EditForm = ({ recorder }: { readonly recorder: RecorderSummary }) => {
  const { name } = recorder;
  const form = useMemo(() => schemaForm('recorder.update', draftOf(recorder), settings), [name]);
  return (
    <FormView
      form={form}
      name="recorder"
      class="scroll stack"
      submitId="recorder-submit"
      submitText="Save"
      onSubmit={async () => {
        const body = changeOf(form.body());
        if (await form.submit({ body, params: { name } })) await show(name);
      }}
    />
  );
};
