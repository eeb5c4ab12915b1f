import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { counted } from '../../format/figures.ts';
import { rowHeight } from '../../ui/data-table.tsx';
import { onResize } from '../../ui/on-resize.ts';
import { setter } from '../../ui/set-signal.ts';
import { databaseKey, idText, parentIndex, type TreeRow } from './catalog-tree.ts';

interface SignalTreeProps {
  readonly rows: readonly TreeRow[];
  readonly isChosen: (row: TreeRow) => boolean;
  readonly noteOn: (row: TreeRow) => string;
  readonly onToggle: (row: TreeRow) => void;
  readonly onFold: (key: string, isOpen: boolean) => void;
}

const depths = { database: 1, message: 2, signal: 3 } as const;
const overscan = 8;

const labelOf = (row: TreeRow): string => {
  if (row.kind === 'database') return row.database;
  return row.kind === 'message' ? row.message.name : row.signal.name;
};

const asideOf = (row: TreeRow, noteOn: SignalTreeProps['noteOn']): string => {
  if (row.kind === 'database') return counted(row.count, 'message');
  if (row.kind === 'signal') return row.signal.unit;
  return [noteOn(row), idText(row.message)].filter((part) => part !== '').join(' ');
};

const hintOf = (row: TreeRow): string => {
  if (row.kind === 'database') return row.database;
  if (row.kind === 'message') return row.message.comment ?? row.message.name;
  const { name, minimum, maximum, unit, comment, values } = row.signal;
  const limits = minimum !== null && maximum !== null ? `${minimum} … ${maximum} ${unit}` : '';
  const names = values.map(({ raw, text }) => `${raw} ${text}`).join(', ');
  return [name, limits, names, comment ?? ''].filter((part) => part !== '').join('\n');
};

/** Only visible rows exist in the document. */
export const SignalTree = ({ rows, isChosen, noteOn, onToggle, onFold }: SignalTreeProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const at = useSignal(0);
  const index = Math.min(at.value, rows.length - 1);

  useLayoutEffect(
    () => onResize(scroller.current, (size) => setter(height)(size.height)),
    [height],
  );
  useEffect(() => {
    const node = scroller.current;
    if (!node || document.activeElement !== node) return;
    const place = index * rowHeight;
    if (place < node.scrollTop) node.scrollTop = place;
    else if (place + rowHeight > node.scrollTop + node.clientHeight) {
      node.scrollTop = place + rowHeight - node.clientHeight;
    }
  }, [index]);

  const act = (row: TreeRow): void => {
    if (row.kind === 'signal') onToggle(row);
    else onFold(row.key, !row.isOpen);
  };
  const goTo = (next: number): void => {
    at.value = Math.min(rows.length - 1, Math.max(0, next));
  };
  const press = (event: KeyboardEvent): void => {
    const row = rows[index];
    if (!row) return;
    const isOpen = row.kind !== 'signal' && row.isOpen;
    if (event.key === 'ArrowDown') goTo(index + 1);
    else if (event.key === 'ArrowUp') goTo(index - 1);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(rows.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') act(row);
    else if (event.key === 'ArrowRight') {
      if (row.kind !== 'signal' && !isOpen) onFold(row.key, true);
      else goTo(index + 1);
    } else if (event.key === 'ArrowLeft') {
      if (isOpen) onFold(row.key, false);
      else goTo(parentIndex(rows, index));
    } else return;
    event.preventDefault();
  };

  const first = Math.max(0, Math.floor(top.value / rowHeight) - overscan);
  const last = Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + overscan);
  return (
    <div
      ref={scroller}
      class="tree"
      role="tree"
      tabIndex={0}
      aria-label="Databases, messages and signals"
      aria-multiselectable="true"
      aria-activedescendant={rows[index] && `tree-${index}`}
      data-testid="signal-tree"
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      onKeyDown={press}
    >
      <div style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, offset) => {
          const place = first + offset;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
            <div
              key={row.key}
              id={`tree-${place}`}
              class="tree-row"
              role="treeitem"
              tabIndex={-1}
              aria-level={depths[row.kind]}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.kind === 'signal' ? undefined : row.isOpen}
              aria-checked={row.kind === 'signal' ? isChosen(row) : undefined}
              aria-current={place === index ? 'true' : undefined}
              data-kind={row.kind}
              data-name={labelOf(row)}
              title={hintOf(row)}
              style={{ top: `${place * rowHeight}px` }}
              onClick={() => {
                at.value = place;
                act(row);
              }}
            >
              <span class="sign" aria-hidden="true">
                {row.kind === 'signal' ? (isChosen(row) ? '☑' : '☐') : row.isOpen ? '▾' : '▸'}
              </span>
              <span class="name">{labelOf(row)}</span>
              <span class="aside">{asideOf(row, noteOn)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
};

export const openAtFirst = (databases: readonly string[]): ReadonlySet<string> =>
  new Set(databases.map(databaseKey));
