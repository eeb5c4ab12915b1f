import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { act } from '../../forms/act.ts';
import {
  FileField,
  ReplaceNotice,
  submitReplacing,
  useReplaceQuestion,
} from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { projectMs, startInstance, stopInstance, unloadInstance } from '../../gateway/actions.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { projects } from '../../state/project-files.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

interface Conflict {
  readonly task: string;
  readonly owner: { readonly instance: string; readonly task: string };
}

const conflictsOf = (error: ApiError | null): readonly Conflict[] =>
  error?.code === 'output_conflict' && Array.isArray(error.details.conflicts)
    ? (error.details.conflicts as readonly Conflict[])
    : [];

const maxShown = 10;

const Conflicts = ({ error }: { readonly error: ApiError | null }) => {
  const conflicts = conflictsOf(error);
  if (conflicts.length === 0) return null;
  return (
    <ul class="conflicts" data-testid="conflicts">
      {conflicts.slice(0, maxShown).map(({ task, owner }) => (
        <li key={task}>
          Task {task} conflicts with task {owner.task} of {owner.instance}
        </li>
      ))}
    </ul>
  );
};

const actsOn = (name: string) => ({
  start: act(() => startInstance(name)),
  stop: act(() => stopInstance(name)),
  unload: act(() => unloadInstance(name)),
});

const saveForm = (instance: FollowedInstance) =>
  schemaForm('gateway.save', { file: '' }, [
    {
      key: 'file',
      label: 'File',
      class: 'pair',
      placeholder: () => instance.status.value?.file ?? '',
      hint: 'Saves which fault rules are enabled, but no signal values or counters.',
      testId: 'save-file',
      render: (control) => <FileField {...control} files={projects} />,
    },
  ]);

interface SaveProps {
  readonly instance: FollowedInstance;
  readonly onSaved: (file: string) => void;
}

const SaveForm = ({ instance, onSaved }: SaveProps) => {
  const question = useReplaceQuestion();
  const form = useMemo(() => saveForm(instance), [instance]);
  return (
    <FormView
      form={form}
      name="save"
      submitId="save-submit"
      submitText={form.isBusy.value ? 'Saving…' : 'Save'}
      isOneLine
      onSubmit={async (event) => {
        const file = form.draft.peek().file.trim() || (instance.status.value?.file ?? '');
        const answer = await submitReplacing(form, question, {
          file,
          event,
          body: form.body(),
          params: { instance: instance.name },
          options: { limitMs: projectMs },
        });
        if (!answer) return;
        void projects.refresh();
        onSaved(file);
      }}
    >
      <ReplaceNotice file={question.file} />
    </FormView>
  );
};

export const InstanceActions = ({ instance }: { readonly instance: FollowedInstance }) => {
  const isSaving = useSignal(false);
  const saved = useSignal<string | null>(null);
  const acts = useMemo(() => actsOn(instance.name), [instance.name]);
  const state = instance.status.value?.state;
  const isIdle = state === 'loaded' || state === 'stopped';
  const isBusy = Object.values(acts).some((each) => each.isBusy.value);
  const button = (name: keyof typeof acts, label: string, busy: string, can: boolean) => (
    <button
      type="button"
      class={name === 'start' && can ? 'primary' : ''}
      data-testid={`instance-${name}`}
      {...unusableWhile(!can || isBusy)}
      onClick={() => void acts[name].run()}
    >
      {acts[name].isBusy.value ? busy : label}
    </button>
  );
  return (
    <>
      <div class="actions instance-actions">
        {button('start', 'Start', 'Starting…', isIdle)}
        {button('stop', 'Stop', 'Stopping…', state === 'running' || state === 'starting')}
        <button
          type="button"
          data-testid="instance-save"
          aria-expanded={isSaving.value}
          {...unusableWhile(isBusy)}
          onClick={() => {
            isSaving.value = !isSaving.value;
            saved.value = null;
          }}
        >
          Save…
        </button>
        {button('unload', 'Unload', 'Unloading…', isIdle)}
        {!isIdle && state !== undefined && (
          <span class="quiet">Stop the instance before unloading it.</span>
        )}
      </div>
      {isSaving.value && (
        <SaveForm
          instance={instance}
          onSaved={(file) => {
            saved.value = file;
            isSaving.value = false;
          }}
        />
      )}
      {saved.value !== null && (
        <Notice tone="good" testId="saved">
          <p>
            <span aria-hidden="true">✓</span> Saved as {saved.value}.
          </p>
        </Notice>
      )}
      {Object.entries(acts).map(([name, { error }]) => (
        <ErrorNotice key={name} error={error.value} testId={`instance-${name}-error`} />
      ))}
      <Conflicts error={acts.start.error.value} />
    </>
  );
};
