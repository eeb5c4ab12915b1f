import { computed, signal, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../../api/api-error.ts';
import { counted, formatCount } from '../../../format/figures.ts';
import { caretLines, offsetOf, refusalText } from '../../../forms/condition-text.ts';
import { type Command, offerCommands } from '../../../state/commands.ts';
import { goTo, isShown } from '../../../state/pages.ts';
import type { SearchResult } from '../../../trace-core/row-search.ts';
import { fileStatus, isFileShown } from '../../../trace-files/open-file.ts';
import { unusableWhile } from '../../../ui/fields.tsx';
import { sendDefinitions } from '../expansion.ts';
import { selectFound } from '../selection.ts';
import { shownRows } from '../trace-client.ts';
import { chooseView, pause, selected, view } from '../trace-state.ts';

const text = signal('');
const result = signal<SearchResult | null>(null);
const isSearching = signal(false);

/** Frames with a wrong checksum are searched, until a condition is typed. */
const areChecksums = signal(false);

// A search is of the rows of its source.
shownRows.subscribe(() => {
  result.value = null;
});

const condition = computed(() => (areChecksums.value ? null : text.value.trim()));

/** Shows the next row at which the condition fires, or the one before. */
const find = async (by: 1 | -1): Promise<void> => {
  const wanted = condition.peek();
  if (wanted === '' || isSearching.peek()) return;
  isSearching.value = true;
  const from = view.peek() === 'frames' ? (selected.peek()?.serial ?? null) : null;
  chooseView('frames');
  pause();
  sendDefinitions();
  const rows = shownRows.peek();
  const found = await rows.search({ text: wanted, from, by });
  isSearching.value = false;
  if (rows !== shownRows.peek()) return;
  result.value = found;
  if (found.serial !== null) {
    rows.found.value = { eventId: null, serial: found.serial, error: null };
  }
};

const outcomeOf = ({ number, count, hidden, checked }: SearchResult): string => {
  if (checked?.ids === 0) return 'No ID with a checksum';
  const isRead = !isFileShown.value || fileStatus.value?.state !== 'reading';
  const others = `${hidden > 0 ? `, ${formatCount(hidden)} hidden by the filter` : ''}${isRead ? '' : '; the file is being read'}`;
  if (count === 0) return `No row found${others}`;
  if (number === 0) return `No further row; ${counted(count, 'row')} in all${others}`;
  return `${formatCount(number)} of ${counted(count, 'row')}${others}`;
};

const maxRules = 2;

/** What the search compared the frames with. */
const Checked = ({ ids, rules }: NonNullable<SearchResult['checked']>) => (
  <span class="quiet" title={rules.join('; ')} data-testid="trace-find-rules">
    {counted(ids, 'ID')} with {rules.slice(0, maxRules).join('; ')}
    {rules.length > maxRules && `; ${counted(rules.length - maxRules, 'more rule')}`}
  </span>
);

const Outcome = () => {
  const found = result.value;
  if (isSearching.value) return <span class="quiet">Searching…</span>;
  if (found === null || found.text !== condition.value) return null;
  const error = found.error && new ApiError(found.error);
  const offset = error && offsetOf(error);
  return (
    <span class="find-outcome" role="status" data-testid="trace-find-outcome">
      {error === null ? (
        <>
          <span class="quiet">{outcomeOf(found)}</span>
          {found.checked && found.checked.ids > 0 && <Checked {...found.checked} />}
        </>
      ) : (
        <>
          {offset !== null && <pre aria-hidden="true">{caretLines(found.text ?? '', offset)}</pre>}
          <span data-tone="bad">{refusalText(error)}</span>
        </>
      )}
    </span>
  );
};

const command = (id: string, title: string, keys: string, by: 1 | -1): Command => ({
  ...{ id: `trace-find-${id}`, group: 'Trace', title, keys },
  run: () => {
    goTo('trace');
    void find(by);
  },
});

const findCommands = (): readonly Command[] => [
  command('next', 'Find next row', 'F3', 1),
  command('previous', 'Find previous row', 'Shift F3', -1),
];

export const FindBar = () => {
  const field = useRef<HTMLInputElement>(null);
  const isEmpty = useComputed(() => condition.value === '').value;
  const isFound = (result.value?.count ?? 0) > 0 && result.value?.text === condition.value;
  useEffect(() => offerCommands(findCommands), []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'F3' || !isShown('trace')) return;
      event.preventDefault();
      if (condition.peek() === '') field.current?.focus();
      else void find(event.shiftKey ? -1 : 1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <search class="find-bar" aria-label="Find rows">
      <label>
        Find
        <kbd>F3</kbd>
        <input
          type="text"
          class="mono"
          ref={field}
          value={text.value}
          placeholder="signal Engine.Speed > 3000"
          title="A condition as recorders have it: frame 123, signal Engine.Speed > 3000, change Door.Open, error, silence 123 100ms"
          autocomplete="off"
          spellcheck={false}
          data-testid="trace-find"
          onInput={(event) => {
            text.value = event.currentTarget.value;
            areChecksums.value = false;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void find(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <button
        type="button"
        title="Shift F3"
        data-testid="trace-find-previous"
        {...unusableWhile(isEmpty || isSearching.value)}
        onClick={() => void find(-1)}
      >
        Previous
      </button>
      <button
        type="button"
        title="F3"
        data-testid="trace-find-next"
        {...unusableWhile(isEmpty || isSearching.value)}
        onClick={() => void find(1)}
      >
        Next
      </button>
      <button
        type="button"
        title="Frames whose checksum is wrong: an XOR, a sum or a CRC-8 that the other frames of their ID have"
        data-testid="trace-find-checksums"
        {...unusableWhile(isSearching.value)}
        onClick={() => {
          text.value = '';
          areChecksums.value = true;
          void find(1);
        }}
      >
        Wrong checksums
      </button>
      <Outcome />
      {isFound && (
        <button type="button" data-testid="trace-find-select" onClick={selectFound}>
          Select all
        </button>
      )}
    </search>
  );
};
