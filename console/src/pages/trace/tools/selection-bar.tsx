import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { counted, formatInstant } from '../../../format/figures.ts';
import { isGap } from '../../../trace-core/frame-row.ts';
import { isFileShown } from '../../../trace-files/open-file.ts';
import { unusableWhile } from '../../../ui/fields.tsx';
import {
  canShowMessages,
  definitionOf,
  isShowingSignals,
  showMessages,
  showSignals,
} from '../expansion.ts';
import { notes, setNote } from '../row-notes.ts';
import { copied, selectedRows, startNote, writtenNote } from '../selection.ts';
import { askEvent, shownRows } from '../trace-client.ts';
import { chooseView, pause, selected, view } from '../trace-state.ts';
import {
  filterFor,
  hide,
  identifiersOf,
  isSendable,
  openInSend,
  plot,
  plottedMessages,
} from './row-actions.ts';

interface ActionProps {
  readonly label: string;
  readonly title: string;
  readonly testId: string;
  readonly isUsable: boolean;
  readonly run: () => void;
}

const Action = ({ label, title, testId, isUsable, run }: ActionProps) => (
  <button
    type="button"
    title={title}
    data-testid={`trace-${testId}`}
    {...unusableWhile(!isUsable)}
    onClick={run}
  >
    {label}
  </button>
);

const NoteForm = () => {
  const field = useRef<HTMLInputElement>(null);
  // Before the next key arrives, which belongs to the note.
  useLayoutEffect(() => field.current?.focus(), []);
  const end = (text: string | null): void => {
    if (text !== null)
      setNote(
        selectedRows.peek().filter((row) => !isGap(row)),
        text.trim(),
      );
    writtenNote.value = null;
    document.querySelector<HTMLElement>('[data-testid="trace-table"]')?.focus();
  };
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault();
        end(writtenNote.peek() ?? '');
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') end(null);
      }}
    >
      <label>
        Note
        <input
          type="text"
          ref={field}
          maxLength={500}
          value={writtenNote.value ?? ''}
          data-testid="trace-note"
          onInput={(event) => {
            writtenNote.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit" data-testid="trace-note-save">
        Save
      </button>
      <button type="button" data-testid="trace-note-remove" onClick={() => end('')}>
        Remove
      </button>
    </form>
  );
};

/** Shows the row of a note. */
const goToNote = (index: number): void => {
  const note = notes.peek()[index];
  if (!note) return;
  chooseView('frames');
  pause();
  const { eventId } = note;
  // Rows of a file are numbered from 1.
  if (isFileShown.peek())
    shownRows.peek().found.value = { eventId, serial: eventId - 1, error: null };
  else askEvent(eventId);
};

const NoteList = () =>
  notes.value.length === 0 ? null : (
    <select
      aria-label="Notes"
      value=""
      data-testid="trace-notes"
      onChange={({ currentTarget }) => {
        goToNote(Number(currentTarget.value));
        currentTarget.value = '';
      }}
    >
      <option value="">{counted(notes.value.length, 'note')}</option>
      {notes.value.map(({ timestampUs, text }, index) => (
        <option key={index} value={index}>
          {formatInstant(timestampUs)} {text}
        </option>
      ))}
    </select>
  );

/** What can be done with the selected rows. */
export const SelectionBar = () => {
  const note = useSignal('');
  const rows = selectedRows.value;
  const shownView = view.value === 'by-id' ? 'by-id' : 'frames';
  const hasSignals = rows.some((row) => definitionOf(row) !== null);
  const isOpen = rows.some((row) => definitionOf(row) && isShowingSignals(shownView, row));
  const hasIds = identifiersOf(rows).length > 0;
  const current = selected.value;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(copied.text());
      note.value = `${counted(rows.length, 'row')} copied`;
    } catch {
      note.value = 'The browser denies this: press Ctrl C in the table';
    }
  };
  return (
    <div class="selection-bar" data-testid="trace-selection">
      <span class="quiet" data-testid="trace-selected">
        {rows.length === 0 ? 'No row selected' : `${counted(rows.length, 'row')} selected`}
      </span>
      <Action
        label={isOpen ? 'Hide signals' : 'Show signals'}
        title="Signals below the rows (→ shows, ← hides them)"
        testId="signals-toggle"
        isUsable={hasSignals}
        run={() => showSignals(shownView, rows, !isOpen)}
      />
      <Action
        label={isOpen ? 'Hide in all' : 'Show in all'}
        title="Signals below all rows with the same message (Shift → shows, Shift ← hides them)"
        testId="signals-all"
        isUsable={hasSignals && canShowMessages(shownView)}
        run={() => showMessages(shownView, rows, !isOpen)}
      />
      <Action
        label="Plot"
        title="Plot the signals of the messages"
        testId="plot"
        isUsable={plottedMessages(rows).length > 0}
        run={() => void plot(rows)}
      />
      <Action
        label="Filter"
        title="Show these IDs only"
        testId="filter-selected"
        isUsable={hasIds}
        run={() => filterFor(rows)}
      />
      <Action
        label="Hide IDs"
        title="Hide these IDs"
        testId="hide-selected"
        isUsable={hasIds}
        run={() => hide(rows)}
      />
      <Action
        label="Send"
        title="Open the current row on the Send page"
        testId="send-selected"
        isUsable={current !== null && isSendable(current)}
        run={() => current && openInSend(current)}
      />
      <Action
        label="Copy"
        title="Copy the rows (Ctrl C)"
        testId="copy"
        isUsable={rows.length > 0}
        run={() => void copy()}
      />
      <Action
        label="Note"
        title="Write a note about the rows, which exports contain (N)"
        testId="mark"
        isUsable={rows.some((row) => !isGap(row))}
        run={startNote}
      />
      {writtenNote.value !== null && <NoteForm />}
      <NoteList />
      {note.value !== '' && (
        <span class="quiet" role="status">
          {note.value}
        </span>
      )}
    </div>
  );
};
