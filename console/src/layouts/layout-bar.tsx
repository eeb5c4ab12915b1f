import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { jsonFiles } from '../state/project-files.ts';
import { unusableWhile, withGone } from '../ui/fields.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useResource } from '../ui/use-resource.ts';
import { layoutEnding, layoutText, packLayout } from './layout-file.ts';
import {
  currentLayout,
  deleteLayout,
  error,
  isBusy,
  isChanged,
  openLayout,
  openSaved,
  openText,
  problems,
  renameLayout,
  savedFile,
  savedNames,
  saveLayout,
  saveLayoutAs,
} from './layout-state.ts';

const SavedChoice = () => {
  const { name } = savedFile.value;
  const names = savedNames.value ?? [];
  const choices = names.map((each) => ({ value: each, label: each }));
  return (
    <label>
      Layout
      <select
        // Browsers report only another choice: the layout that is open can be chosen when it differs.
        value={isChanged.value ? '' : name}
        data-testid="layout-choice"
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== '') void openSaved(currentTarget.value);
        }}
      >
        <option value="">
          {isChanged.value ? `${name} (changed)` : names.length > 0 ? 'Not saved' : 'None saved'}
        </option>
        {withGone(choices, name, name).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
};

type Naming = 'save' | 'rename';

interface NameFormProps {
  readonly naming: Naming;
  readonly onDone: () => void;
}

const NameForm = ({ naming, onDone }: NameFormProps) => {
  const name = useSignal(naming === 'rename' ? savedFile.peek().name : '');
  const submit = async (): Promise<void> => {
    const act = naming === 'save' ? saveLayoutAs : renameLayout;
    if (await act(name.peek().trim())) onDone();
  };
  return (
    <form
      class="layout-name"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        Name
        <input
          type="text"
          ref={(field) => field?.focus()}
          value={name.value}
          placeholder="bench"
          title={`Path in the project directory, without ${layoutEnding}`}
          autocomplete="off"
          spellcheck={false}
          required
          data-testid="layout-name"
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </label>
      <button
        type="submit"
        class="primary"
        data-testid="layout-submit"
        {...unusableWhile(isBusy.value)}
      >
        {naming === 'save' ? 'Save' : 'Rename'}
      </button>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
};

const linkToCopy = async (): Promise<string> => {
  const { name } = savedFile.peek();
  const query =
    name !== '' && !isChanged.peek() ? { name } : { of: await packLayout(currentLayout()) };
  return `${location.href.split('#')[0]}#layout?${new URLSearchParams(query)}`;
};

const download = (): void => {
  const name = savedFile.peek().name.split('/').at(-1) || 'layout';
  const file = new Blob([layoutText(currentLayout())], { type: 'application/json' });
  saveFile(file, `${name}${layoutEnding}`);
};

const ShareTools = () => {
  const link = useSignal<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    const text = await linkToCopy();
    link.value = text;
    // Browsers forbid the clipboard on pages that are not secure: the link is shown then.
    await navigator.clipboard?.writeText(text).catch(() => {});
  };
  return (
    <>
      <button
        type="button"
        data-testid="layout-link"
        title="Copies a link that opens this layout: by its name if it is saved as it is, else with its content"
        onClick={() => void copy()}
      >
        Copy link
      </button>
      {link.value !== null && (
        <a href={link.value} data-testid="layout-link-text">
          Open the link
        </a>
      )}
      <button type="button" data-testid="layout-download" onClick={download}>
        Download
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json"
        aria-label="Layout file"
        data-testid="layout-file"
        onChange={async ({ currentTarget }) => {
          const text = await currentTarget.files?.[0]?.text();
          currentTarget.value = '';
          if (text !== undefined) await openText(text);
        }}
      />
      <button type="button" onClick={() => file.current?.click()}>
        Open file…
      </button>
    </>
  );
};

export const LayoutBar = () => {
  useResource(jsonFiles);
  const naming = useSignal<Naming | null>(null);
  const { name } = savedFile.value;
  const isSaved = name !== '';
  const ask = (next: Naming) => () => {
    naming.value = next;
  };
  return (
    <div class="layout-bar panel" data-testid="layout-bar">
      <header>
        <h2>Layout</h2>
        <SavedChoice />
        {isSaved && isChanged.value && (
          <>
            <span data-tone="warn" data-testid="layout-changed">
              ▲ Changed
            </span>
            <button
              type="button"
              data-testid="layout-save"
              {...unusableWhile(isBusy.value)}
              onClick={() => void saveLayout()}
            >
              Save
            </button>
            <button
              type="button"
              data-testid="layout-revert"
              title="Open the layout again as it was saved"
              {...unusableWhile(isBusy.value)}
              onClick={() => void openLayout(name)}
            >
              Revert
            </button>
          </>
        )}
        {naming.value === null ? (
          <>
            <button type="button" data-testid="layout-save-as" onClick={ask('save')}>
              Save as…
            </button>
            {isSaved && (
              <>
                <button type="button" data-testid="layout-rename" onClick={ask('rename')}>
                  Rename…
                </button>
                <button
                  type="button"
                  data-testid="layout-delete"
                  {...unusableWhile(isBusy.value)}
                  onClick={() => void deleteLayout()}
                >
                  Delete
                </button>
              </>
            )}
          </>
        ) : (
          <NameForm
            key={naming.value}
            naming={naming.value}
            onDone={() => {
              naming.value = null;
            }}
          />
        )}
        <span class="grow" />
        <ShareTools />
      </header>
      <ErrorNotice error={error.value} testId="layout-error" />
      {problems.value.length > 0 && (
        <Notice tone="bad" testId="layout-problems">
          {problems.value.slice(0, 5).map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          {problems.value.length > 5 && <p>{problems.value.length - 5} more.</p>}
        </Notice>
      )}
    </div>
  );
};
