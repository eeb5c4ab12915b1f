import { counted } from '../../format/figures.ts';
import { cellText } from '../../project-editor/cell-text.ts';
import { conflictKey, type MergeConflict, type Side } from '../../project-editor/merge-projects.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ScrollArea } from '../../ui/panel.tsx';
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx';
import {
  chooseSide,
  close,
  discardDraft,
  finishMerge,
  isMerged,
  merge,
  sideOf,
} from './editor-state.ts';

const nameOf = ({ table, row, field }: MergeConflict): string =>
  [table ?? 'Project', row ?? (table === null ? null : 'order of rows'), field]
    .filter((part) => part !== null)
    .join(' · ');

const shown = ({ field, table }: MergeConflict, value: unknown): string =>
  value !== undefined ? cellText(value) : table === null || field !== null ? 'not set' : 'no row';

const sideNames = { mine: 'Yours', theirs: 'In the file' } as const;

const SideChoice = (props: { readonly conflict: MergeConflict; readonly side: Side }) => {
  const { conflict, side } = props;
  return (
    <label class="check">
      <input
        type="radio"
        name={`merge ${conflictKey(conflict)}`}
        aria-label={`${nameOf(conflict)}, ${sideNames[side]}: ${shown(conflict, conflict[side])}`}
        checked={sideOf(conflict) === side}
        onChange={() => chooseSide(side, conflict)}
      />{' '}
      {shown(conflict, conflict[side])}
    </label>
  );
};

const columns: readonly PlainColumn<MergeConflict>[] = [
  ['Cell', nameOf, 'wrap'],
  ['Before', (conflict) => shown(conflict, conflict.base), 'wrap'],
  [sideNames.mine, (conflict) => <SideChoice conflict={conflict} side="mine" />, 'wrap'],
  [sideNames.theirs, (conflict) => <SideChoice conflict={conflict} side="theirs" />, 'wrap'],
];

const maxShown = 500;

const AllButton = ({ side, label }: { readonly side: Side; readonly label: string }) => (
  <button type="button" onClick={() => chooseSide(side, ...(merge.peek()?.conflicts ?? []))}>
    {label}
  </button>
);

/** Cells that were changed both here and by another program, to choose which value remains. */
export const MergeView = () => {
  const conflicts = merge.value?.conflicts ?? [];
  return (
    <>
      <Notice tone="warn" testId="editor-merge">
        <p>
          Another program changed the file since your draft began. Both of you changed{' '}
          {counted(conflicts.length, 'cell')}: choose which values remain. All other changes are
          merged.
        </p>
        <p class="actions">
          <AllButton side="mine" label="All of mine" />
          <AllButton side="theirs" label="All of the file" />
          <button type="button" class="danger" onClick={discardDraft}>
            Discard my draft
          </button>
        </p>
      </Notice>
      <ScrollArea class="merge">
        <PlainTable
          columns={columns}
          rows={conflicts.slice(0, maxShown)}
          keyOf={conflictKey}
          hasRowHeads
          rowAttributes={(conflict) => ({ 'data-conflict': nameOf(conflict) })}
        />
        {conflicts.length > maxShown && <p>and {conflicts.length - maxShown} more</p>}
      </ScrollArea>
    </>
  );
};

export const CloseButton = () => (
  <button type="button" data-testid="editor-close" onClick={close}>
    Close
  </button>
);

export const MergeActions = () => (
  <>
    <button
      type="button"
      data-testid="editor-merge-finish"
      {...unusableWhile(!isMerged.value)}
      onClick={finishMerge}
    >
      Merge
    </button>
    <CloseButton />
  </>
);
