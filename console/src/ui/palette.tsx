import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Command, commands, isPaletteOpen } from '../state/commands.ts';
import { searchCommands } from './command-search.ts';

/** More than a user reads; typing narrows the rest down. */
const maxShown = 100;

/** Opens with Ctrl-K; finds pages and operations by a few letters and runs them. */
export const Palette = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const wanted = useSignal('');
  const chosen = useSignal(0);
  const open = isPaletteOpen.value;

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.peek();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  // Before anything else happens: the next key that is typed belongs into the box already.
  useLayoutEffect(() => {
    if (!open) return;
    wanted.value = '';
    chosen.value = 0;
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, [open, wanted, chosen]);
  useEffect(() => {
    document.getElementById('palette-list')?.children[chosen.value]?.scrollIntoView({
      block: 'nearest',
    });
  }, [chosen.value]);
  if (!open) return null;

  const list = searchCommands(commands.value, wanted.value).slice(0, maxShown);
  const index = Math.min(chosen.value, list.length - 1);
  const run = (command: Command | undefined): void => {
    isPaletteOpen.value = false;
    command?.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(list[index]);
    else if (step !== undefined) {
      chosen.value = Math.min(list.length - 1, Math.max(0, index + step));
    } else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Commands"
      data-testid="palette"
      onClose={() => {
        isPaletteOpen.value = false;
      }}
    >
      <input
        type="text"
        // biome-ignore lint/a11y/noRedundantRoles: without a datalist it has no such role by itself
        role="combobox"
        list={undefined}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={list[index] && `command-${list[index].id}`}
        aria-label="Find a page or command"
        placeholder="Search pages and commands"
        autocomplete="off"
        spellcheck={false}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={press}
      />
      <div id="palette-list" class="list" role="listbox" aria-label="Commands">
        {list.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
          <div
            key={command.id}
            id={`command-${command.id}`}
            role="option"
            aria-selected={i === index}
            tabIndex={-1}
            onClick={() => run(command)}
          >
            <span class="group quiet">{command.group}</span>
            <span class="title">{command.title}</span>
            {command.hint && <span class="hint quiet">{command.hint}</span>}
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {list.length === 0 && <p class="empty">No matches.</p>}
    </dialog>
  );
};
