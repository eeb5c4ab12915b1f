import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { counted, formatCount } from '../../format/figures.ts';
import { channels } from '../../state/bench.ts';
import { goTo } from '../../state/pages.ts';
import { maxOlder, type WindowFacts } from '../../trace-core/trace-engine.ts';
import { ColumnHeader } from '../../ui/data-table.tsx';
import { fitColumns } from '../../ui/fit-columns.ts';
import { columnWidths } from '../../ui/table-columns.ts';
import { byIdColumns, frameColumns, textOfRow } from './frame-columns.ts';
import { TableDriver } from './table-driver.ts';
import { foundEvent, isLoadingOlder, olderResult, traceStatus } from './trace-client.ts';
import {
  filterText,
  isDetailOpen,
  isPaused,
  loadOlder,
  pause,
  resume,
  selected,
  type TraceView,
  timeMode,
  view,
} from './trace-state.ts';

const isFiltering = (): boolean => Object.values(filterText.value).some((text) => text !== '');

const EmptyTrace = () => {
  const { received, state } = traceStatus.value;
  const open = channels.data.value?.channels;
  if (received > 0 && isFiltering()) {
    return <p class="empty">No frames match the filter.</p>;
  }
  if (state === 'stopped')
    return <p class="empty">Trace stopped. Press Start to receive frames.</p>;
  if (!open) return <p class="empty">Waiting for the service…</p>;
  if (open.length === 0) {
    return (
      <p class="empty">
        No open channels.{' '}
        <button type="button" onClick={() => goTo('channels')}>
          Open channel
        </button>
      </p>
    );
  }
  const can = open.find(({ bus }) => bus !== 'lin');
  return (
    <p class="empty">
      No frames yet. Send one on the <a href="#send">Send page</a>
      {can && (
        <>
          {' '}
          or run <code>busbar message send {can.selector} 123#DEADBEEF</code>
        </>
      )}
      .
    </p>
  );
};

interface FrameTableProps {
  readonly onFacts: (facts: WindowFacts) => void;
}

export const FrameTable = ({ onFacts }: FrameTableProps) => {
  const scroller = useRef<HTMLElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const driver = useRef<TableDriver | null>(null);
  const drivenView = useRef<TraceView | null>(null);
  const heldSerial = useRef<number | null>(null);
  const isEmpty = useSignal(true);
  const room = useSignal<number | null>(null);
  const shownView = view.value === 'by-id' ? 'by-id' : 'frames';
  const tableId = `trace-${shownView}`;
  const dragged = columnWidths(tableId);
  const all = useComputed(() =>
    (view.value === 'frames' ? frameColumns : byIdColumns)(
      timeMode.value,
      () => driver.current?.originUs ?? Number.NaN,
    ),
  ).value;
  const fitted = fitColumns(all, dragged.value, room.value);
  const { widths } = fitted;
  // Wider columns do not bring hidden ones back: that would rebuild the rows.
  const columns = useMemo(() => fitted.columns, [all, fitted.columns.length]);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) room.value = entry.contentRect.width;
    });
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!scroller.current || !sizer.current || !table.current || !body.current) return;
    const nodes = {
      scroller: scroller.current,
      sizer: sizer.current,
      table: table.current,
      body: body.current,
    };
    // The scroll position belongs to one view: IDs start at the top, held frames at their
    // position.
    const isOther = drivenView.current !== shownView;
    drivenView.current = shownView;
    if (isOther && shownView === 'by-id') nodes.scroller.scrollTop = 0;
    const isHeld = isOther && shownView === 'frames' && isPaused.peek();
    const reported = (facts: WindowFacts): void => {
      isEmpty.value = facts.count === 0;
      onFacts(facts);
    };
    const made = new TableDriver(
      shownView,
      nodes,
      columns,
      reported,
      isHeld ? heldSerial.current : null,
    );
    driver.current = made;
    const stops = [made.start(), ...made.follow()];
    return () => {
      if (shownView === 'frames') heldSerial.current = made.firstSerial;
      for (const stop of stops) stop();
    };
  }, [shownView, columns]);

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
    const head = all.map(({ title }) => title).join('\t');
    const lines = rows.map((row) => textOfRow(all, row));
    event.clipboardData?.setData('text/plain', `${[head, ...lines].join('\n')}\n`);
    event.preventDefault();
  };

  return (
    <section
      class="table-scroll frames"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, copies and selects by keys
      tabIndex={0}
      aria-label={shownView === 'frames' ? 'Frames in chronological order' : 'Frames by ID'}
      data-testid="trace-table"
      data-view={shownView}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
    >
      <div
        ref={sizer}
        class="sizer"
        style={{ minWidth: `${widths.reduce((sum, each) => sum + each, 0)}px` }}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the section around it has the keys */}
        <table ref={table} onClick={onClick} style={{ '--columns': `${widths.join('px ')}px` }}>
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

export const OlderNote = () => {
  if (isLoadingOlder.value) return <span class="quiet">Loading older frames…</span>;
  const found = foundEvent.value;
  const result = olderResult.value;
  const error = found?.error ?? result?.error;
  if (error) {
    return (
      <span data-tone="bad" data-testid="older-note">
        <code>{error.code}</code> {error.message}
      </span>
    );
  }
  if (found?.serial === null) {
    return (
      <span data-tone="warn" data-testid="older-note" role="status">
        Event {formatCount(found.eventId)} is not stored.
      </span>
    );
  }
  if (!result) return null;
  const end = {
    history: ' No older frames available.',
    room: ` Limit of ${formatCount(maxOlder)} older frames reached.`,
  };
  return (
    <span class="quiet" data-testid="older-note" role="status">
      {counted(result.added, 'older frame')} loaded.{result.end && end[result.end]}
    </span>
  );
};
