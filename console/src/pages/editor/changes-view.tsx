import { cellText } from '../../project-editor/cell-text.ts';
import type { FieldChange, RowChange } from '../../project-editor/project-diff.ts';
import { ScrollArea } from '../../ui/panel.tsx';
import { changes } from './editor-state.ts';

const marks = { added: '+', removed: '−', changed: '~', moved: '↕' } as const;

const FieldLine = ({ field, before, after }: FieldChange) => (
  <li>
    <code>{field}</code> {before !== undefined && <del>{cellText(before)}</del>}
    {before !== undefined && after !== undefined && ' → '}
    {after !== undefined && <ins>{cellText(after)}</ins>}
  </li>
);

const nameOf = ({ table, row }: RowChange): string =>
  table === null ? 'Project' : `${table} · ${row}`;

const maxShown = 500;

/** What saving would change in the file. */
export const ChangesView = () => {
  const all = changes.value;
  return (
    <ScrollArea class="changes" testId="editor-changes">
      {all.length === 0 && <p class="empty">No changes.</p>}
      <ul>
        {all.slice(0, maxShown).map((change) => (
          <li key={`${change.table}/${change.row}`} data-kind={change.kind}>
            <h3>
              <span aria-hidden="true">{marks[change.kind]}</span> {nameOf(change)}{' '}
              <span class="quiet">{change.kind}</span>
            </h3>
            <ul class="changed-fields">
              {change.fields.map((field) => (
                <FieldLine key={field.field} {...field} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {all.length > maxShown && <p>and {all.length - maxShown} more rows</p>}
    </ScrollArea>
  );
};
