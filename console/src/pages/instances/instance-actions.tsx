import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { act } from '../../forms/act.ts';
import { FileField, ReplaceNotice, useReplaceQuestion } from '../../forms/controls.tsx';
import {
  saveInstance,
  startInstance,
  stopInstance,
  unloadInstance,
} from '../../gateway/actions.ts';
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
  save: act(async (file: string, overwrite: boolean) => {
    const isWritten = await saveInstance(name, file, overwrite);
    void projects.refresh();
    return isWritten;
  }),
});

/** What can be done with an instance, and what was refused. */
export const InstanceActions = ({ instance }: { readonly instance: FollowedInstance }) => {
  const file = useSignal('');
  const isSaving = useSignal(false);
  const saved = useSignal<string | null>(null);
  const question = useReplaceQuestion();
  const acts = useMemo(() => actsOn(instance.name), [instance.name]);
  const state = instance.status.value?.state;
  const isIdle = state === 'loaded' || state === 'stopped';
  const isBusy = Object.values(acts).some((each) => each.isBusy.value);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = file.value.trim();
    const target = typed || (instance.status.value?.file ?? '');
    const isWritten = await acts.save.run(typed, question.takeAnswer(target, event));
    if (isWritten === undefined) return;
    if (isWritten) {
      saved.value = target;
      isSaving.value = false;
    } else question.file.value = target;
  };
  const button = (name: 'start' | 'stop' | 'unload', label: string, busy: string, can: boolean) => (
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
            question.file.value = null;
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
        <form class="line-form" noValidate onSubmit={save} data-testid="save-form">
          <div class="fields">
            <div class="pair">
              <FileField
                label="File"
                files={projects}
                value={file.value}
                onChange={(text) => {
                  file.value = text;
                }}
                placeholder={instance.status.value?.file ?? ''}
                hint="Saves which fault rules are enabled, but no signal values or counters."
                testId="save-file"
              />
            </div>
            <div class="actions below-label">
              <button
                type="submit"
                class="primary"
                data-testid="save-submit"
                {...unusableWhile(isBusy)}
              >
                {acts.save.isBusy.value ? 'Saving…' : 'Save'}
              </button>
            </div>
          </div>
          <ReplaceNotice file={question.file} />
        </form>
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
