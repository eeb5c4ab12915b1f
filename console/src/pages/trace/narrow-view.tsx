import { signal } from '@preact/signals';
import {
  allCandidates,
  type Candidates,
  countOf,
  type FieldReader,
  narrowedDown,
  type Outcome,
  type Snapshot,
} from '../../analysis/narrow-down.ts';
import type { DatabaseSignal } from '../../api/client.ts';
import type { BitIndex } from '../../codec/signal-bits.ts';
import { counted, formatCount } from '../../format/figures.ts';
import { directionText, idText } from '../../trace-core/frame-text.ts';
import type { ChangesReport, IdChanges } from '../../trace-core/id-report.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { type FieldChoice, fieldChoices, readerOf } from './narrow-fields.ts';
import { shownRows } from './trace-client.ts';
import { channelName, messageName, shownId } from './trace-state.ts';

interface Narrowing {
  readonly reader: FieldReader;
  readonly first: Snapshot;
  readonly last: Snapshot;
  readonly candidates: Candidates;
  /** Null for the start. */
  readonly outcome: Outcome | null;
  readonly former: Narrowing | null;
}

interface Row {
  readonly id: IdChanges;
  readonly place: number;
  readonly field: string;
  readonly first: number | null;
  readonly before: number | null;
  readonly now: number | null;
}

const chosenField = signal<FieldChoice>('u8');
const narrowing = signal<Narrowing | null>(null);

const maxRows = 1000;

const outcomeTexts: Readonly<Record<Outcome, string>> = {
  up: 'Went up',
  down: 'Went down',
  changed: 'Changed',
  same: 'Stayed the same',
};

const snapshotOf = ({ ids, data }: ChangesReport): Snapshot =>
  new Map(ids.map(({ serial, from, length }) => [serial, data.subarray(from, from + length)]));

const valueIn = (
  snapshot: Snapshot,
  { reader }: Narrowing,
  serial: number,
  place: number,
): number | null => {
  const data = snapshot.get(serial);
  return data ? reader.read(serial, data, place) : null;
};

const rowsOf = (state: Narrowing, report: ChangesReport): readonly Row[] => {
  const now = snapshotOf(report);
  const rows: Row[] = [];
  for (const id of report.ids) {
    for (const place of state.candidates.get(id.serial) ?? []) {
      if (rows.length === maxRows) return rows;
      const valueAt = (snapshot: Snapshot) => valueIn(snapshot, state, id.serial, place);
      rows.push({
        ...{ id, place, field: state.reader.nameOf(id.serial, place) },
        ...{ first: valueAt(state.first), before: valueAt(state.last), now: valueAt(now) },
      });
    }
  }
  return rows;
};

const value = (key: 'first' | 'before' | 'now', title: string, spare?: number): Column<Row> =>
  column(key, title, 92, ({ [key]: number }) => (number === null ? '–' : String(number)), {
    ...{ align: 'end', mono: true },
    ...(spare === undefined ? {} : { spare }),
  });

const columns: readonly Column<Row>[] = [
  column('channel', 'Channel', 120, ({ id }) => channelName(id), { least: 84, spare: 1 }),
  column('direction', 'Dir', 44, ({ id }) => directionText(id), { spare: 2 }),
  column('id', 'ID', 84, ({ id }) => idText(id), { align: 'end', mono: true }),
  column('name', 'Name', 124, ({ id }) => messageName(id) ?? '', { least: 72, grows: true }),
  column('field', 'Field', 124, ({ field }) => field, { least: 84, grows: true }),
  value('first', 'Start', -1),
  value('before', 'Last step', -2),
  value('now', 'Now'),
];

interface NarrowProps {
  readonly report: ChangesReport;
  readonly signalsOf: (serial: number) => readonly DatabaseSignal[];
  readonly ignoredOf: (serial: number) => ReadonlySet<BitIndex>;
}

const start = async ({ signalsOf, ignoredOf }: NarrowProps): Promise<void> => {
  const reader = readerOf(chosenField.peek(), signalsOf);
  const snapshot = snapshotOf(await shownRows.peek().nextChanges(shownId.peek()));
  const candidates = allCandidates(snapshot, reader, ignoredOf);
  narrowing.value = {
    ...{ reader, candidates, first: snapshot, last: snapshot },
    ...{ outcome: null, former: null },
  };
};

const step = async (state: Narrowing, outcome: Outcome): Promise<void> => {
  const now = snapshotOf(await shownRows.peek().nextChanges(shownId.peek()));
  if (narrowing.peek() !== state) return;
  const { candidates, reader, last } = state;
  const left = narrowedDown(candidates, reader, last, now, outcome);
  narrowing.value = { ...state, candidates: left, last: now, outcome, former: state };
};

const stepsOf = ({ outcome, former }: Narrowing): readonly string[] =>
  former && outcome ? [...stepsOf(former), outcomeTexts[outcome].toLowerCase()] : [];

const Tools = (props: NarrowProps) => {
  const state = narrowing.value;
  const steps = state ? stepsOf(state) : [];
  return (
    <p class="tools">
      <select
        aria-label="Fields"
        value={chosenField.value}
        data-testid="narrow-field"
        onChange={(event) => {
          chosenField.value = event.currentTarget.value as FieldChoice;
          narrowing.value = null;
        }}
      >
        {fieldChoices.map(({ value: choice, label }) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" data-testid="narrow-start" onClick={() => void start(props)}>
        {state ? 'Start again' : 'Start'}
      </button>
      {(Object.keys(outcomeTexts) as Outcome[]).map((outcome) => (
        <button
          key={outcome}
          type="button"
          data-testid={`narrow-${outcome}`}
          {...unusableWhile(state === null)}
          onClick={() => state && void step(state, outcome)}
        >
          {outcomeTexts[outcome]}
        </button>
      ))}
      <button
        type="button"
        data-testid="narrow-undo"
        {...unusableWhile(!state?.former)}
        onClick={() => {
          narrowing.value = state?.former ?? null;
        }}
      >
        Undo
      </button>
      <span class="quiet" data-testid="narrow-left" role="status">
        {state
          ? `${counted(countOf(state.candidates), 'field')} left${steps.length > 0 ? ` after: ${steps.join(', ')}` : ''}`
          : 'Press Start, change something, and say what its value did'}
      </span>
    </p>
  );
};

/** Finds the field of a value by what it did in one step after another. */
export const NarrowView = (props: NarrowProps) => {
  const state = narrowing.value;
  const rows = state ? rowsOf(state, props.report) : [];
  const count = state ? countOf(state.candidates) : 0;
  return (
    <div class="by-id-view">
      <Tools {...props} />
      <DataTable
        id="narrow"
        label="Fields that are left"
        columns={columns}
        rows={rows}
        keyOf={({ id, place }) => `${id.serial} ${place}`}
        selected={({ id }) => id.serial === shownId.value}
        onSelect={({ id }) => {
          shownId.value = id.serial;
        }}
        rowAttributes={({ id, field }) => ({ 'data-id': idText(id), 'data-field-name': field })}
        empty={state ? 'No field did that.' : 'Not started.'}
      />
      {count > rows.length && (
        <p class="quiet note">The first {formatCount(rows.length)} fields are shown.</p>
      )}
    </div>
  );
};
