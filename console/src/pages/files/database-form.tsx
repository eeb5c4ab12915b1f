import { useSignal } from '@preact/signals';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { catalogs, databases } from '../../state/bench.ts';
import { TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const form = requestForm('database.load');

interface DatabaseFormProps {
  readonly onLoaded: (name: string) => void;
}

/** Which file to load, and what to call it. */
export const DatabaseForm = ({ onLoaded }: DatabaseFormProps) => {
  const file = useSignal('');
  const name = useSignal('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = name.value.trim();
    const loaded = await form.submit({
      body: { file: file.value.trim(), ...(typed === '' ? {} : { name: typed }) },
      visible: ['file', 'name'],
      // A large file takes its time.
      options: { limitMs: 60_000 },
    });
    if (!loaded) return;
    file.value = '';
    name.value = '';
    onLoaded(loaded.name);
    await Promise.all([databases.refresh(), catalogs.refresh()]);
  };
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="database-form">
      <div class="fields">
        <div class="pair">
          <TextField
            label="File"
            value={file.value}
            onInput={(text) => {
              file.value = text;
              form.touch('file');
            }}
            error={form.problemOf('file')}
            placeholder="vehicle.dbc"
            testId="database-file"
          />
        </div>
        <TextField
          label="Name"
          value={name.value}
          onInput={(text) => {
            name.value = text;
            form.touch('name');
          }}
          error={form.problemOf('name')}
          placeholder="as the file"
          testId="database-name"
        />
        <div class="actions below-label">
          <SubmitButton form={form} testId="database-load">
            {form.isBusy.value ? 'Loading…' : 'Load'}
          </SubmitButton>
        </div>
      </div>
      <ErrorNotice error={form.error.value} testId="database-load-error" />
    </form>
  );
};
