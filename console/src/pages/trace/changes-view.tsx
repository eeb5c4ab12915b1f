import './id-views.css';
import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { hexByte } from '../../../../src/frame/hex-bytes.ts';
import type { DatabaseSignal } from '../../api/client.ts';
import { activeSignals, type BitIndex, bitsOf, readBits } from '../../codec/signal-bits.ts';
import { counted, formatCount, formatInstant } from '../../format/figures.ts';
import { channels, plans } from '../../state/bench.ts';
import { useInterval } from '../../state/use-interval.ts';
import { seenBefore } from '../../trace-core/bit-changes.ts';
import { directionText, idText } from '../../trace-core/frame-text.ts';
import type { ChangesReport, IdChanges } from '../../trace-core/id-report.ts';
import type { FoundFields } from '../../trace-core/row-messages.ts';
import { fileStatus, isFileShown } from '../../trace-files/open-file.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { CheckField, ToggleButton, unusableWhile } from '../../ui/fields.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column, numbers, type Sorting } from '../../ui/table-columns.ts';
import {
  type ChangesRow,
  changedBytesText,
  changesRows,
  nameSpans,
  runsText,
  stripBars,
  stripBase,
  stripSize,
} from './changes-rows.ts';
import { gatewayMessageOf, gatewayMessages } from './fault-marks.ts';
import { type IgnoredField, ignoredFields, protectionField } from './ignored-fields.ts';
import { NarrowView } from './narrow-view.tsx';
import { definitionsOf } from './tools/frame-detail.tsx';
import { shownRows } from './trace-client.ts';
import {
  askShown,
  channelName,
  isPaused,
  lastSelected,
  messageName,
  shownCatalogs,
  shownId,
} from './trace-state.ts';

const isSeenHidden = signal(false);
const areFieldsIgnored = signal(false);
const isNarrowing = signal(false);
const sorting = signal<Sorting | null>(null);

/** How often counters and checksums are searched again while they are ignored. */
const searchMs = 5000;
const noBits: ReadonlySet<BitIndex> = new Set();

/** A bar for each bit: the higher, the more often it changed. */
const BitStrip = ({ row }: { readonly row: ChangesRow }) => (
  <svg
    class="strip"
    viewBox={`0 0 ${stripSize.width} ${stripSize.height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={`${counted(row.changed, 'bit')} changed: ${changedBytesText(row.levels)}`}
  >
    <path class="base" d={stripBase(row.levels.length)} />
    <path d={stripBars(row.levels)} />
  </svg>
);

const columns: readonly Column<ChangesRow>[] = [
  column('channel', 'Channel', 120, channelName, { least: 84, spare: -2, order: channelName }),
  column('direction', 'Dir', 44, directionText, { spare: -1 }),
  column('id', 'ID', 84, idText, { align: 'end', mono: true, order: ({ id }) => id }),
  column('name', 'Name', 124, (row) => messageName(row) ?? '', { least: 72, grows: true }),
  numbers('frames', 'Frames', 76, ({ framesSinceMark }) => framesSinceMark, {
    ...{ spare: 0, order: ({ framesSinceMark }: ChangesRow) => framesSinceMark },
  }),
  numbers('changed', 'Bits', 60, ({ changed }) => changed, { order: ({ changed }) => changed }),
  column(
    'bits',
    'Changes, byte 0 first',
    stripSize.width + 20,
    (row) => changedBytesText(row.levels),
    {
      least: 160,
      render: (row) => <BitStrip row={row} />,
    },
  ),
];

const named = (each: DatabaseSignal) => ({ name: each.name, bits: bitsOf(each) });

const signalsOf = (row: ChangesRow) => {
  const message = definitionsOf(row)[0]?.message;
  if (!message) return [];
  return activeSignals(message, (each) => readBits(row.data, each)).map(named);
};

type FieldsOf = (id: IdChanges) => readonly IgnoredField[];

/** Looks the fields of an ID up once for each state of databases, gateways and the search. */
const fieldsLookup = (found: FoundFields | null): FieldsOf => {
  const known = new Map<number, readonly IgnoredField[]>();
  return (id) => {
    const there = known.get(id.serial);
    if (there) return there;
    const signals = definitionsOf(id)[0]?.message.signals ?? [];
    const message = gatewayMessageOf(id);
    const protection = message && protectionField(message);
    const fields = ignoredFields(signals.map(named), protection, found?.get(id.serial) ?? []);
    known.set(id.serial, fields);
    return fields;
  };
};

interface HeatProps {
  readonly row: ChangesRow;
  readonly report: ChangesReport;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

const HeatMap = ({ row, report: { cells, counts, markUs } }: HeatProps) => {
  const signals = signalsOf(row);
  return (
    <table class="heat" data-testid="changes-bits">
      <caption class="quiet">
        Changes of each bit{markUs !== null && ' since the mark'}
        {signals.length > 0 && ', signals above them'}
      </caption>
      <thead>
        <tr>
          {['Byte', 'Hex', 7, 6, 5, 4, 3, 2, 1, 0].map((title) => (
            <th key={title} scope="col" class={title === 'Byte' ? 'number' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {Array.from(row.data, (value, byte) => (
        <tbody key={byte}>
          {signals.length > 0 && (
            <tr class="names">
              <td colSpan={2} />
              {nameSpans(signals, byte).map(({ name, bits }, at) => (
                <td
                  key={at}
                  colSpan={bits}
                  title={name ?? undefined}
                  data-signal={name ?? undefined}
                >
                  {name}
                </td>
              ))}
            </tr>
          )}
          <tr>
            <th scope="row" class="number">
              {byte}
            </th>
            <td class="mono">{hexByte(value)}</td>
            {[7, 6, 5, 4, 3, 2, 1, 0].map((place) => {
              const bit = 8 * byte + place;
              const count = counts?.[bit] ?? 0;
              const isHidden = count > 0 && row.levels[bit] === 0;
              const isSeen = ((cells[8 * row.from + bit] as number) & seenBefore) !== 0;
              const seen = isSeen ? ', changed before the mark' : '';
              return (
                <td
                  key={place}
                  class="mono"
                  data-bit={bit}
                  data-level={row.levels[bit] || undefined}
                  data-hidden={isHidden ? '' : undefined}
                  title={`Bit ${bit}: ${formatCount(count)} of ${counted(row.framesSinceMark, 'frame')}${seen}`}
                >
                  {count === 0 ? '·' : compact.format(count)}
                </td>
              );
            })}
          </tr>
        </tbody>
      ))}
    </table>
  );
};

const close = (): void => {
  shownId.value = null;
  document.querySelector<HTMLElement>('[data-testid="changes-table"]')?.focus();
};

interface DetailProps extends HeatProps {
  /** Counters and checksums, if they are ignored. */
  readonly fields: readonly IgnoredField[];
}

const FieldList = ({ fields }: Pick<DetailProps, 'fields'>) => (
  <PlainTable
    class="signals"
    testId="changes-fields"
    caption="Ignored"
    rows={fields}
    keyOf={(_, index) => index}
    columns={[
      ['Field', ({ kind }) => kind],
      ['Bits', ({ bits }) => runsText(bits), 'mono'],
      ['Because', ({ reason }) => reason, 'wrap'],
    ]}
  />
);

const Detail = ({ row, report, fields }: DetailProps) => {
  const name = messageName(row);
  return (
    <Panel
      title={name === null ? idText(row) : `${idText(row)} ${name}`}
      class="detail"
      testId="changes-detail"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
      actions={
        <button type="button" title="Escape" onClick={close}>
          Close
        </button>
      }
    >
      <ScrollArea>
        <p class="quiet">
          {counted(row.changed, 'bit')} of {8 * row.length} changed in{' '}
          {counted(row.framesSinceMark, 'frame')}
          {row.hidden > 0 && `, ${formatCount(row.hidden)} more hidden`}
        </p>
        <HeatMap row={row} report={report} />
        {fields.length > 0 && <FieldList fields={fields} />}
      </ScrollArea>
    </Panel>
  );
};

const sinceText = (markUs: number | null): string =>
  markUs === null ? 'No mark: all changes' : `Changes since ${formatInstant(markUs)}`;

const Tools = ({ report, shown }: { readonly report: ChangesReport; readonly shown: number }) => {
  const { markUs, total } = report;
  const isFile = isFileShown.value;
  const { state, isMarking = false } = fileStatus.value ?? {};
  const markedFrom = lastSelected.value;
  const isFixed = isFile ? state === 'reading' || isMarking : isPaused.value;
  return (
    <p class="tools">
      <button
        type="button"
        class="primary"
        data-testid="changes-mark"
        title={
          isFile
            ? 'Count changes from the row that was selected in the chronological view'
            : 'Count changes from now on'
        }
        {...unusableWhile(isFixed || (isFile && markedFrom === null))}
        onClick={() => askShown({ type: 'mark', serial: isFile ? markedFrom : null })}
      >
        Mark
      </button>
      <button
        type="button"
        data-testid="changes-unmark"
        {...unusableWhile(markUs === null || isFixed)}
        onClick={() => askShown({ type: 'unmark' })}
      >
        Remove mark
      </button>
      <CheckField
        label="Hide what changed before the mark"
        checked={isSeenHidden.value}
        testId="changes-hide-seen"
        onChange={setter(isSeenHidden)}
      />
      <CheckField
        label="Ignore counters and checksums"
        title="By the names of signals, or detected in the frames that are kept"
        checked={areFieldsIgnored.value}
        testId="changes-ignore"
        onChange={(areIgnored) => {
          areFieldsIgnored.value = areIgnored;
          if (areIgnored) shownRows.peek().askFields();
        }}
      />
      {!isFile && (
        <ToggleButton
          isOn={isNarrowing}
          testId="changes-narrow"
          title="Find the field of a value by whether it goes up, down or stays the same"
        >
          Narrow down
        </ToggleButton>
      )}
      <span class="quiet" data-testid="changes-since">
        {isFile && isMarking ? 'Counting…' : sinceText(markUs)}; {formatCount(shown)} of{' '}
        {counted(total, 'ID')}
      </span>
    </p>
  );
};

export const ChangesView = () => {
  const source = shownRows.value;
  const searches = useSignal(0);
  useInterval('trace', searches, searchMs);
  useEffect(() => {
    if (areFieldsIgnored.peek()) source.askFields();
  }, [source, searches.value]);
  const found = source.fields.value;
  const fieldsOf = useMemo(
    () => fieldsLookup(found),
    [
      ...[found, gatewayMessages.value, shownCatalogs.value],
      ...[plans.data.value, channels.data.value],
    ],
  );
  const ignoredOf = useMemo(() => {
    const known = new Map<number, ReadonlySet<BitIndex>>();
    return (id: IdChanges): ReadonlySet<BitIndex> => {
      const bits = known.get(id.serial) ?? new Set(fieldsOf(id).flatMap((field) => field.bits));
      known.set(id.serial, bits);
      return bits;
    };
  }, [fieldsOf]);
  const report = source.changes.value;
  const ids = useMemo(() => new Map(report?.ids.map((id) => [id.serial, id])), [report]);
  if (report === null) return null;
  const rows = changesRows(report, {
    isSeenHidden: isSeenHidden.value,
    ignoredOf: areFieldsIgnored.value ? ignoredOf : () => noBits,
  });
  const selected = rows.find(({ serial }) => serial === shownId.value);
  const signalsAt = (serial: number): readonly DatabaseSignal[] => {
    const id = ids.get(serial);
    return (id && definitionsOf(id)[0]?.message.signals) ?? [];
  };
  const ignoredAt = (serial: number): ReadonlySet<BitIndex> => {
    const id = areFieldsIgnored.value ? ids.get(serial) : undefined;
    return id ? ignoredOf(id) : noBits;
  };
  return (
    <div class="by-id-view">
      <Tools report={report} shown={rows.length} />
      <div class="stage" data-detail={selected ? '' : undefined}>
        {isNarrowing.value && !isFileShown.value ? (
          <NarrowView report={report} signalsOf={signalsAt} ignoredOf={ignoredAt} />
        ) : (
          <DataTable
            id="changes"
            label="Changes by ID"
            columns={columns}
            rows={rows}
            sorting={sorting}
            keyOf={({ serial }) => serial}
            selected={({ serial }) => serial === shownId.value}
            onSelect={({ serial }) => {
              shownId.value = serial;
            }}
            rowAttributes={(row) => ({
              'data-id': idText(row),
              'data-changed': String(row.changed),
            })}
            empty={
              report.ids.length > 0
                ? 'No bit changed that had not changed before the mark.'
                : 'No frames with data.'
            }
          />
        )}
        {selected && (
          <Detail
            row={selected}
            report={report}
            fields={areFieldsIgnored.value ? fieldsOf(selected) : []}
          />
        )}
      </div>
    </div>
  );
};
