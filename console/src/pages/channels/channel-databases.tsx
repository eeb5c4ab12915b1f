import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Channel, call } from '../../api/client.ts';
import { readFile } from '../../api/file-content.ts';
import { counted } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { FileField } from '../../forms/controls.tsx';
import { catalogs, channels, databases } from '../../state/bench.ts';
import { databaseFiles } from '../../state/project-files.ts';
import { SelectField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { setter } from '../../ui/set-signal.ts';
import { useResource } from '../../ui/use-resource.ts';
import { placeOfDropped } from './dropped-file.ts';

const loadLimitMs = 60_000;

const refresh = () => Promise.all([channels.refresh(), databases.refresh(), catalogs.refresh()]);

const change = act(async (work: () => Promise<unknown>) => {
  try {
    await work();
  } finally {
    await refresh();
  }
});

const attach = (selector: string, name: string) => call('database.attach', { selector, name });

const reload = (name: string) => call('database.reload', { name }, { limitMs: loadLimitMs });

/** A file that is already loaded is read again: it may have changed. */
const loadAndAttach = async (selector: string, file: string): Promise<void> => {
  const { databases: loaded } = await call('database.list');
  const known = loaded.find((each) => each.file === file);
  const { name } = known
    ? await reload(known.name)
    : await call('database.load', { file }, { limitMs: loadLimitMs });
  await attach(selector, name);
};

/** Why a dropped file was not loaded. */
const dropReason = signal<string | null>(null);
const typedFile = signal('');

/** Loads a file that was dropped on a channel. */
export const takeDropped = async (selector: string, file: File): Promise<void> => {
  dropReason.value = null;
  await databaseFiles.refresh();
  const known = databaseFiles.data.peek() ?? { files: [], isComplete: false };
  await change.run(async () => {
    const place = await placeOfDropped(file, known, readFile);
    if ('reason' in place) dropReason.value = place.reason;
    else await loadAndAttach(selector, place.file);
  });
};

const Attached = ({ channel: { selector, databases: names } }: { readonly channel: Channel }) => {
  const loaded = databases.data.value?.databases ?? [];
  if (names.length === 0) {
    return <p class="quiet">None. Frames of this channel have no names.</p>;
  }
  const isBusy = change.isBusy.value;
  return (
    <ol data-testid="attached-databases">
      {names.map((name, index) => {
        const database = loaded.find((each) => each.name === name);
        return (
          <li key={name} data-database={name}>
            <span>
              {index + 1}. <strong>{name}</strong>
            </span>
            <span class="quiet">
              {database && `${database.file}, ${counted(database.messages, 'message')}`}
            </span>
            {database && database.errors > 0 && (
              <a href="#files" data-tone="bad">
                {counted(database.errors, 'error')}
              </a>
            )}
            <span class="grow" />
            <button
              type="button"
              class="inline"
              aria-label={`Reload ${name}`}
              title="Read the file again"
              {...unusableWhile(isBusy)}
              onClick={() => void change.run(() => reload(name))}
            >
              Reload
            </button>
            <button
              type="button"
              class="inline"
              aria-label={`Detach ${name}`}
              title="Detach from this channel; the database stays loaded"
              {...unusableWhile(isBusy)}
              onClick={() => void change.run(() => call('database.detach', { selector, name }))}
            >
              Detach
            </button>
          </li>
        );
      })}
    </ol>
  );
};

const AttachLoaded = ({ channel }: { readonly channel: Channel }) => {
  const { selector, bus, databases: attached } = channel;
  const chosen = useSignal('');
  const free = (databases.data.value?.databases ?? []).filter(
    ({ name, type }) => (type === 'ldf') === (bus === 'lin') && !attached.includes(name),
  );
  if (free.length === 0) return null;
  const name = free.some((each) => each.name === chosen.value)
    ? chosen.value
    : (free[0]?.name ?? '');
  return (
    <>
      <SelectField
        label="Loaded database"
        value={name}
        choices={free.map((each) => ({ value: each.name, label: each.name }))}
        onChange={setter(chosen)}
        testId="attach-name"
      />
      <div class="actions below-label">
        <button
          type="button"
          data-testid="attach-submit"
          {...unusableWhile(change.isBusy.value)}
          onClick={() => void change.run(() => attach(selector, name))}
        >
          Attach
        </button>
      </div>
    </>
  );
};

const AttachFile = ({ channel: { selector } }: { readonly channel: Channel }) => (
  <form
    class="fields"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      const file = typedFile.peek().trim();
      dropReason.value = null;
      if (file === '') return;
      void change
        .run(() => loadAndAttach(selector, file))
        .then(() => {
          if (!change.error.peek()) typedFile.value = '';
        });
    }}
  >
    <FileField
      label="File"
      value={typedFile.value}
      files={databaseFiles}
      hint="DBC or LDF in the project folder. You can also drop it on a channel."
      onChange={setter(typedFile)}
      testId="attach-file"
    />
    <div class="actions below-label">
      <button
        type="submit"
        data-testid="attach-file-submit"
        {...unusableWhile(change.isBusy.value || typedFile.value.trim() === '')}
      >
        {change.isBusy.value ? 'Loading…' : 'Load and attach'}
      </button>
    </div>
  </form>
);

/** Databases that name and decode the frames of a channel, and controls to change them. */
export const ChannelDatabases = ({ channel }: { readonly channel: Channel }) => {
  useResource(databases, 'channels');
  useEffect(() => {
    dropReason.value = null;
  }, [channel.selector]);
  return (
    <section class="channel-databases" data-testid="channel-databases">
      <h3>Databases</h3>
      <Attached channel={channel} />
      {channel.warnings.map(({ code, message }) => (
        <Notice key={code + message} tone="warn" testId="channel-warning">
          <p>{message}</p>
        </Notice>
      ))}
      <div class="fields">
        <AttachLoaded key={channel.selector} channel={channel} />
      </div>
      <AttachFile channel={channel} />
      {dropReason.value !== null && (
        <Notice tone="bad" testId="drop-reason">
          <p>{dropReason.value}</p>
        </Notice>
      )}
      <ErrorNotice error={change.error.value} testId="attach-error" />
    </section>
  );
};
