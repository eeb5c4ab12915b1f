import { commands, isHelpOpen } from '../state/commands.ts';
import { KeyDialog } from './key-dialog.tsx';
import { setting } from './set-signal.ts';

/** Inputs without text; their keys belong to the page. */
const switches = 'input:is([type="radio"], [type="checkbox"], [type="button"], [type="submit"])';

/** Returns whether keys belong to a text field, or to a list with type-ahead. */
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

const commandKeys = (): ReadonlyMap<string, readonly Key[]> => {
  const groups = new Map<string, Key[]>();
  for (const { group, title, keys } of commands.value) {
    if (keys === undefined || everywhere.some((known) => known.keys === keys)) continue;
    groups.set(group, [...(groups.get(group) ?? []), { keys, does: title }]);
  }
  return groups;
};

const isKey = (event: KeyboardEvent): boolean =>
  event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event);

const KeyLists = () => (
  <div class="key-lists">
    <KeyList title="All pages" keys={everywhere} />
    <KeyList title="Tables" keys={tables} />
    {[...commandKeys()].map(([group, keys]) => (
      <KeyList key={group} title={group} keys={keys} />
    ))}
  </div>
);

export const HelpDialog = () => (
  <KeyDialog open={isHelpOpen} isKey={isKey} class="help" label="Keyboard shortcuts" testId="help">
    <header>
      <h2>Keyboard shortcuts</h2>
      <span class="grow" />
      <button type="button" onClick={setting(isHelpOpen, false)}>
        Close
      </button>
    </header>
    <KeyLists />
  </KeyDialog>
);
