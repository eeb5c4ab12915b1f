import { useSignal } from '@preact/signals';
import { commands, isPaletteOpen } from '../state/commands.ts';
import { searchCommands } from './command-search.ts';
import { KeyDialog } from './key-dialog.tsx';
import { SearchBox } from './search-box.tsx';
import { setter } from './set-signal.ts';

const maxShown = 100;

const isKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey);

const CommandSearch = () => {
  const wanted = useSignal('');
  const list = searchCommands(commands.value, wanted.value).slice(0, maxShown);
  return (
    <>
      <SearchBox
        id="palette-list"
        type="text"
        label="Find a page or command"
        placeholder="Search pages and commands"
        value={wanted.value}
        onInput={setter(wanted)}
        items={list}
        keyOf={({ id }) => id}
        onPick={(command) => {
          isPaletteOpen.value = false;
          command?.run();
        }}
        render={({ group, title, hint, keys }) => (
          <>
            <span class="group quiet">{group}</span>
            <span class="title">{title}</span>
            {hint && <span class="hint quiet">{hint}</span>}
            {keys && <kbd>{keys}</kbd>}
          </>
        )}
      />
      {list.length === 0 && <p class="empty">No matches.</p>}
    </>
  );
};

export const Palette = () => (
  <KeyDialog open={isPaletteOpen} isKey={isKey} class="palette" label="Commands" testId="palette">
    <CommandSearch />
  </KeyDialog>
);
