import { useSignal } from '@preact/signals';
import { type Command, commands, isPaletteOpen } from '../state/commands.ts';
import { KeyDialog } from './key-dialog.tsx';
import { SearchBox } from './search-box.tsx';
import { wordsOf } from './search-words.ts';
import { setter } from './set-signal.ts';

/** Cost of a match: at the start of the title, of a word, inside one, or scattered letters. */
const cost = { start: 0, word: 1, inside: 4, scattered: 20 };

const scatterOf = (text: string, letters: string): number | null => {
  let at = -1;
  let gaps = 0;
  for (const letter of letters) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    gaps += next - at - 1;
    at = next;
  }
  return gaps;
};

const isLetter = (letter: string | undefined): boolean =>
  letter !== undefined && /[a-z0-9]/.test(letter);

const costOf = (text: string, wanted: string): number | null => {
  if (text.startsWith(wanted)) return cost.start;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isLetter(text[at - 1])) return cost.word;
  }
  if (text.includes(wanted)) return cost.inside;
  const gaps = scatterOf(text, wanted);
  return gaps === null ? null : cost.scattered + gaps;
};

const fitOf = ({ title, group }: Command, words: readonly string[]): number | null => {
  let sum = 0;
  for (const word of words) {
    const inTitle = costOf(title.toLowerCase(), word);
    const inGroup = costOf(group.toLowerCase(), word);
    const found = Math.min(inTitle ?? Infinity, inGroup === null ? Infinity : inGroup + 2);
    if (found === Infinity) return null;
    sum += found;
  }
  return sum;
};

export const searchCommands = (
  commands: readonly Command[],
  wanted: string,
): readonly Command[] => {
  const words = wordsOf(wanted);
  return commands
    .map((command) => ({ command, fit: fitOf(command, words) }))
    .filter((entry): entry is { command: Command; fit: number } => entry.fit !== null)
    .sort((a, b) => a.fit - b.fit)
    .map(({ command }) => command);
};

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
