import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { counted, formatCount } from '../../format/figures.ts';
import { channels } from '../../state/bench.ts';
import { goTo } from '../../state/pages.ts';
import type { WindowFacts } from '../../trace-core/row-windows.ts';
import { maxOlder } from '../../trace-core/trace-engine.ts';
import { fileStatus, isFileShown, openedFile } from '../../trace-files/open-file.ts';
import { ColumnHeader } from '../../ui/data-table.tsx';
import { fitColumns } from '../../ui/fit-columns.ts';
import { columnWidths } from '../../ui/table-columns.ts';
import { isShowingSignals, showMessages, showSignals } from './expansion.ts';
import { byIdColumns, frameColumns, signalsColumn, textOfFrames } from './frame-columns.ts';
import {
  copied,
  selectAll,
  selectAlso,
  selectedRows,
  selectOnly,
  selectTo,
  startNote,
} from './selection.ts';
import { TableDriver } from './table-driver.ts';
import { isLoadingOlder, liveRows, olderResult, traceStatus } from './trace-client.ts';
import {
  filterText,
  isDetailOpen,
  isFollowing,
  isPaused,
  loadOlder,
  pause,
  resume,
  selected,
  shownTime,
  view,
} from './trace-state.ts';

const isFiltering = (): boolean => Object.values(filterText.value).some((text) => text !== '');

const EmptyTrace = () => {
  const { received, state } = traceStatus.value;
  if (isFileShown.value) {
    const { rows = 0, state: reading } = fileStatus.value ?? {};
    if (rows > 0 && isFiltering()) return <p class="empty">No frames match the filter.</p>;
    return reading === 'ready' ? <p class="empty">The file contains no frames.</p> : null;
  }
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
  const drivenView = useRef<string | null>(null);
  const heldSerial = useRef<number | null>(null);
  const isEmpty = useSignal(true);
  const room = useSignal<number | null>(null);
  const shownView = view.value === 'by-id' ? 'by-id' : 'frames';
  const isFile = isFileShown.value;
  const tableId = `trace-${shownView}`;
  const dragged = columnWidths(tableId);
  const all = useComputed(() => {
    const columns = view.value === 'frames' ? frameColumns : byIdColumns;
    return columns(shownTime.value, () => driver.current?.originUs ?? Number.NaN);
  }).value;
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
    const driven = `${shownView}${isFile ? ' of the file' : ''}`;
    const isOther = drivenView.current !== driven;
    drivenView.current = driven;
    if (isOther && (shownView === 'by-id' || isFile)) nodes.scroller.scrollTop = 0;
    const isHeld = isOther && driven === 'frames' && isPaused.peek();
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
      if (driven === 'frames') heldSerial.current = made.firstSerial;
      for (const stop of stops) stop();
    };
  }, [shownView, columns, isFile, openedFile.value]);

  const onScroll = (): void => {
    driver.current?.scrolled();
    const { scrollTop = 1, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    const isAtTop = scrollTop === 0 && scrollHeight > clientHeight;
    if (!isAtTop || !isPaused.peek() || view.peek() !== 'frames' || olderResult.peek()?.end) return;
    loadOlder();
  };
  const fold = (isOpen: boolean, isAll: boolean): void => {
    const act = isAll ? showMessages : showSignals;
    act(shownView, selectedRows.peek(), isOpen);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    if (event.altKey) return;
    const select = shiftKey ? selectTo : selectOnly;
    const actions: Readonly<Record<string, () => void>> =
      event.ctrlKey || event.metaKey
        ? { a: selectEvery }
        : {
            ArrowDown: () => driver.current?.step(1, select),
            ArrowUp: () => driver.current?.step(-1, select),
            n: startNote,
            ArrowRight: () => fold(true, shiftKey),
            ArrowLeft: () => fold(false, shiftKey),
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
    const act = actions[key];
    if (!act && !driver.current?.turnPage(key)) return;
    event.preventDefault();
    act?.();
  };
  const selectEvery = (): void => {
    if (shownView === 'frames' && isFollowing.peek()) driver.current?.hold();
    selectAll();
  };
  const onClick = (event: MouseEvent): void => {
    const row = driver.current?.rowAt(event.target);
    if (!row || (document.getSelection()?.toString() && !event.shiftKey)) return;
    if (shownView === 'frames' && isFollowing.peek()) driver.current?.hold();
    const cell = event.target instanceof Element ? event.target.closest('td') : null;
    if (cell?.dataset.field === signalsColumn && row.line === 0) {
      showSignals(shownView, [row], !isShowingSignals(shownView, row));
      return;
    }
    if (event.shiftKey) selectTo(row);
    else if (event.ctrlKey || event.metaKey) selectAlso(row);
    else {
      selectOnly(row);
      isDetailOpen.value = true;
    }
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (document.getSelection()?.toString()) return;
    event.clipboardData?.setData('text/plain', copied.text());
    event.preventDefault();
  };
  useLayoutEffect(() => {
    // The rows in sight are newer than the selected ones.
    copied.text = () => {
      const inSight = driver.current?.rows ?? [];
      const frames = inSight
        .filter(({ line }) => line === 0)
        .map((row) => [row.serial, row] as const);
      const fresh = new Map(frames);
      const rows = selectedRows.peek().map((row) => fresh.get(row.serial) ?? row);
      return textOfFrames(all, rows.length > 0 ? rows : inSight);
    };
  }, [all]);

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
      onWheel={(event) => driver.current?.turnWheel(event)}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        // Shift and a click would select text.
        if (event.shiftKey) event.preventDefault();
      }}
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
  if (isFileShown.value) return null;
  if (isLoadingOlder.value) return <span class="quiet">Loading older frames…</span>;
  const found = liveRows.found.value;
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
        Event {formatCount(found.eventId ?? 0)} is not stored.
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
