import type { GatewayImport } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/figures.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { imported, load, validate, view } from './instances-state.ts';
import { countsText } from './outcome-view.tsx';

/** What the import had to decide, or could not carry over. */
interface Note {
  readonly place: string;
  readonly what: string;
  readonly why: string;
}

const notesOf = ({ defaults, omitted }: GatewayImport): readonly Note[] => [
  ...omitted.map(({ message, signal, part, reason }) => ({
    place: signal === null ? message : `${message} · ${signal}`,
    what: part === 'labels' ? 'some labels left out' : `${part} left out`,
    why: reason,
  })),
  ...defaults.map(({ message, field, value, rule }) => ({
    place: message,
    what: `${field} = ${value}`,
    why: rule,
  })),
];

const columns: readonly Column<Note>[] = [
  {
    id: 'place',
    title: 'Message',
    width: 160,
    least: 112,
    grows: true,
    text: ({ place }) => place,
  },
  { id: 'what', title: 'What was done', width: 176, least: 120, text: ({ what }) => what },
  { id: 'why', title: 'Why', width: 200, least: 120, grows: true, text: ({ why }) => why },
];

/** What the last import made, and what to do with it next. */
export const ImportResult = () => {
  const result = imported.value;
  if (result === null) return null;
  const notes = notesOf(result);
  const total = result.defaults_total + result.omitted_total;
  const next = (run: (file: string) => Promise<void>) => () => {
    view.value = 'projects';
    void run(result.output);
  };
  return (
    <div class="outcome" data-testid="import-result">
      <Notice tone="good">
        <p>
          <span aria-hidden="true">✓</span> {result.output} was written: {countsText(result.added)}{' '}
          added.
        </p>
        <p class="actions">
          <button type="button" onClick={next(validate)}>
            Validate
          </button>
          <button type="button" data-testid="import-load" onClick={next(load)}>
            Load
          </button>
        </p>
      </Notice>
      {total > 0 && (
        <>
          <h3>
            {counted(total, 'thing')} that the file did not say or that could not be carried over
            {total > notes.length && `, ${formatCount(notes.length)} of which are shown`}
          </h3>
          <DataTable
            id="import-notes"
            label="What the import decided"
            columns={columns}
            count={notes.length}
            rowAt={(index) => notes[index] as Note}
            keyOf={(_, index) => index}
          />
        </>
      )}
    </div>
  );
};
