import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../format/figures.ts';
import { mostOlder, type WindowFacts } from '../../trace-core/trace-engine.ts';
import { ColumnHeader } from '../../ui/column-header.tsx';
import { columnWidths } from '../../ui/table-columns.ts';
import { EmptyTrace } from './empty-trace.tsx';
import { byIdColumns, type FrameColumn, frameColumns, textOfRow } from './frame-columns.ts';
import { TableDriver } from './table-driver.ts';
import { isLoadingOlder, loadOlder, olderResult } from './trace-client.ts';
import {
  isDetailOpen,
  isPaused,
  pause,
  resume,
  selected,
  type TraceView,
  timeMode,
  view,
} from './trace-state.ts';

interface FrameTableProps {
  readonly onFacts: (facts: WindowFacts) => void;
}

/** The frames, one after another or by identifier. */
export const FrameTable = ({ onFacts }: FrameTableProps) => {
  const scroller = useRef<HTMLElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const driver = useRef<TableDriver | null>(null);
  const drivenView = useRef<TraceView | null>(null);
  /** The first frame that was in sight when the other view was chosen. */
  const heldSerial = useRef<number | null>(null);
  const isEmpty = useSignal(true);
  const shownView = view.value;
  const tableId = `trace-${shownView}`;
  const dragged = columnWidths(tableId);
  const columns = useComputed(() =>
    (view.value === 'frames' ? frameColumns : byIdColumns)(
      timeMode.value,
      () => driver.current?.originUs ?? Number.NaN,
    ),
  ).value;
  const widths = columns.map(({ id, width }) => dragged.value[id] ?? width);

  useLayoutEffect(() => {
    if (!scroller.current || !sizer.current || !table.current || !body.current) return;
    const nodes = {
      scroller: scroller.current,
      sizer: sizer.current,
      table: table.current,
      body: body.current,
    };
    // Where one view was scrolled to means nothing in the other: identifiers begin at the top, and
    // frames that are held go on where they were.
    const isOther = drivenView.current !== shownView;
    drivenView.current = shownView;
    if (isOther && shownView === 'by-id') nodes.scroller.scrollTop = 0;
    const isHeld = isOther && shownView === 'frames' && isPaused.peek();
    const told = (facts: WindowFacts): void => {
      isEmpty.value = facts.count === 0;
      onFacts(facts);
    };
    const made = new TableDriver(
      shownView,
      nodes,
      columns,
      told,
      isHeld ? heldSerial.current : null,
    );
    driver.current = made;
    const stops = [made.start(), ...made.follow()];
    return () => {
      if (shownView === 'frames') heldSerial.current = made.firstSerial;
      for (const stop of stops) stop();
    };
  }, [shownView, columns]);

  /** Older frames are fetched when the user looks back and reaches the first one. */
  const onScroll = (): void => {
    driver.current?.scrolled();
    const { scrollTop = 1, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    const isAtTop = scrollTop === 0 && scrollHeight > clientHeight;
    if (!isAtTop || !isPaused.peek() || view.peek() !== 'frames' || olderResult.peek()?.end) return;
    loadOlder();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => driver.current?.step(1),
      ArrowUp: () => driver.current?.step(-1),
      Enter: () => {
        isDetailOpen.value = selected.peek() !== null;
      },
      Escape: () => {
        isDetailOpen.value = false;
      },
      ' ': () => {
        if (isPaused.peek()) resume();
        else pause();
      },
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const onClick = (event: MouseEvent): void => {
    const row = driver.current?.rowAt(event.target);
    if (!row || document.getSelection()?.toString()) return;
    if (shownView === 'frames' && !isPaused.peek()) driver.current?.hold();
    selected.value = row;
    isDetailOpen.value = true;
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (document.getSelection()?.toString()) return;
    const chosen = selected.peek();
    const rows = chosen ? [chosen] : (driver.current?.rows ?? []);
    const head = columns.map(({ title }) => title).join('\t');
    const lines = rows.map((row) => textOfRow(columns, row));
    event.clipboardData?.setData('text/plain', `${[head, ...lines].join('\n')}\n`);
    event.preventDefault();
  };

  return (
    <section
      class="table-scroll frames"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, copies and selects by keys
      tabIndex={0}
      aria-label={shownView === 'frames' ? 'Frames in order' : 'Frames by identifier'}
      data-testid="trace-table"
      data-view={shownView}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
    >
      <div ref={sizer} class="sizer" style={{ minWidth: `${widthOf(widths)}px` }}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the section around it has the keys */}
        <table ref={table} onClick={onClick} style={gridOf(columns, widths)}>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <ColumnHeader
                  key={column.id}
                  table={tableId}
                  column={column}
                  isFirst={i === 0}
                  width={widths[i] ?? column.width}
                />
              ))}
            </tr>
          </thead>
          <tbody ref={body} />
        </table>
        {isEmpty.value && <EmptyTrace />}
      </div>
    </section>
  );
};

/** Columns of those widths, of which one takes what is left. */
const gridOf = (
  columns: readonly FrameColumn[],
  widths: readonly number[],
): Record<string, string> => {
  const tracks = widths.map((width, i) =>
    columns[i]?.grows ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  return { '--columns': tracks.join(' ') };
};

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((total, each) => total + each, 0);

/** What became of the request for older frames. */
export const OlderNote = () => {
  if (isLoadingOlder.value) return <span class="quiet">Loading older frames…</span>;
  const result = olderResult.value;
  if (!result) return null;
  if (result.error) {
    return (
      <span data-tone="bad" data-testid="older-note">
        <code>{result.error.code}</code> {result.error.message}
      </span>
    );
  }
  const end = {
    history: ' The service keeps nothing older.',
    room: ` No more than ${formatCount(mostOlder)} older frames fit.`,
  };
  return (
    <span class="quiet" data-testid="older-note" role="status">
      {formatCount(result.added)} older frames loaded.{result.end && end[result.end]}
    </span>
  );
};
