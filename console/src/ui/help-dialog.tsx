import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { commands, isHelpOpen } from '../state/commands.ts';

/** Inputs that take no text; what is pressed on them is meant for the page. */
const switches = 'input:is([type="radio"], [type="checkbox"], [type="button"], [type="submit"])';

/** Whether keys belong to what is being typed, or to a list that is searched by typing. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches(`input:not(${switches}), textarea, select`);

interface Key {
  readonly keys: string;
  readonly does: string;
}

const everywhere: readonly Key[] = [
  { keys: 'Ctrl K', does: 'Find a page or command' },
  { keys: '?', does: 'Show this help' },
  { keys: 'Tab', does: 'Next control; with Shift, the previous one' },
  { keys: 'Esc', does: 'Close the dialog' },
];

const tables: readonly Key[] = [
  { keys: '↑ ↓', does: 'Select the previous or next row' },
  { keys: 'Ctrl C', does: 'Copy the selected rows, or all rows, as text' },
  { keys: '← →', does: 'On a column edge: change the width; with Shift, go to the next edge' },
];

const KeyList = ({ title, keys }: { readonly title: string; readonly keys: readonly Key[] }) => (
  <section>
    <h3>{title}</h3>
    <dl>
      {keys.map((key) => (
        <div key={key.keys}>
          <dt>
            <kbd>{key.keys}</kbd>
          </dt>
          <dd>{key.does}</dd>
        </div>
      ))}
    </dl>
  </section>
);

/** Keys that commands have, by the group of the command. */
const commandKeys = (): ReadonlyMap<string, readonly Key[]> => {
  const groups = new Map<string, Key[]>();
  for (const { group, title, keys } of commands.value) {
    if (keys === undefined || everywhere.some((known) => known.keys === keys)) continue;
    groups.set(group, [...(groups.get(group) ?? []), { keys, does: title }]);
  }
  return groups;
};

/** Opens with a question mark: every key there is. */
export const HelpDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = isHelpOpen.value;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event)) return;
      event.preventDefault();
      isHelpOpen.value = !isHelpOpen.peek();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    if (!open) return;
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, [open]);
  if (!open) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label="Keyboard shortcuts"
      data-testid="help"
      onClose={close}
    >
      <header>
        <h2>Keyboard shortcuts</h2>
        <span class="grow" />
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <div class="key-lists">
        <KeyList title="All pages" keys={everywhere} />
        <KeyList title="Tables" keys={tables} />
        {[...commandKeys()].map(([group, keys]) => (
          <KeyList key={group} title={group} keys={keys} />
        ))}
      </div>
    </dialog>
  );
};
