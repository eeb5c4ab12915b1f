import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatNumber, formatTime } from '../../format/figures.ts';
import { SchemaFields, SubmitButton } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { isTabShown } from '../../live/use-live.ts';
import { isServed } from '../../state/connection.ts';
import { isShown } from '../../state/pages.ts';
import { useInterval } from '../../state/use-interval.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { TextField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column } from '../../ui/table-columns.ts';
import { chosenEcu, links, view } from './diagnostics-state.ts';
import {
  addIdentifier,
  type IdentifierRow,
  identifiers,
  liveDids,
  maxLive,
  readDid,
  reader,
  removeIdentifier,
  rows,
  setLive,
} from './identifiers.ts';
import { rememberService } from './request-history.ts';
import { refusalText } from './service-answer.tsx';

const pollMs = 1000;

const valueText = ({ known }: IdentifierRow): string => {
  const { reading } = known ?? {};
  if (!reading) return '';
  if (reading.value !== null) return formatNumber(reading.value);
  return reading.label ?? reading.quality.replaceAll('_', ' ');
};

const Value = (row: IdentifierRow) => {
  const { reading = null, problem = null } = row.known ?? {};
  if (problem !== null) {
    return (
      <span data-tone="bad" title={problem}>
        ▲ {problem}
      </span>
    );
  }
  return reading === null || reading.value !== null ? (
    valueText(row)
  ) : (
    <span data-tone="warn">▲ {valueText(row)}</span>
  );
};

const columns: readonly Column<IdentifierRow>[] = [
  column('live', 'Live', 48, ({ isLive }) => (isLive ? 'on' : 'off'), {
    render: ({ ecu, did, isLive }) => (
      <input
        type="checkbox"
        aria-label={`Read ${did} once a second`}
        title="Read once a second"
        data-testid="did-live"
        checked={isLive}
        {...unusableWhile(!isLive && liveDids.value.length >= maxLive)}
        onClick={(event) => event.stopPropagation()}
        onChange={() => setLive(ecu, did, !isLive)}
      />
    ),
  }),
  column('did', 'DID', 64, ({ did, known }) => known?.reading?.did ?? did, {
    mono: true,
    grows: true,
  }),
  column('name', 'Name', 140, ({ name }) => name ?? '', { least: 84, grows: true }),
  column('value', 'Value', 240, valueText, { least: 120, grows: true, render: Value }),
  column('data', 'Bytes', 140, ({ known }) => known?.reading?.data ?? '', {
    ...{ least: 84, grows: true, mono: true, spare: 1 },
  }),
  column('form', 'Codec', 100, ({ form }) => form, { spare: 2 }),
  column('time', 'Read at', 84, ({ known }) =>
    known?.readAtMs == null ? '' : formatTime(new Date(known.readAtMs)),
  ),
  actionColumn('read', 72, {
    title: 'Read',
    nameOf: ({ did, name }) => name ?? did,
    run: ({ ecu, did }) => reader.read(ecu, [did]),
  }),
];

const picked = signal<string | null>(null);

const writing = schemaForm('uds.write', { value: '' }, [
  { key: 'value', label: 'New value', class: 'wide', testId: 'did-value' },
]);

const refusal = signal<string | null>(null);

const write = async ({ ecu, did, known }: IdentifierRow): Promise<void> => {
  refusal.value = null;
  const body = { did: known?.reading?.name ?? did, ...writing.body() };
  const answer = await writing.submit({ params: { ecu }, body, visible: ['value', 'did'] });
  if (!answer) return;
  rememberService(answer);
  refusal.value = refusalText(answer);
  if (answer.positive) await reader.read(ecu, [did]);
};

const WriteForm = ({ row }: { readonly row: IdentifierRow }) => (
  <form
    class="line-form below"
    noValidate
    data-testid="did-write-form"
    onSubmit={(event) => {
      event.preventDefault();
      void write(row);
    }}
  >
    <div class="fields">
      <SchemaFields form={writing} />
      <div class="actions below-label">
        <SubmitButton form={writing} testId="did-write">
          Write {row.name ?? row.did}
        </SubmitButton>
        {row.isAdded && (
          <button
            type="button"
            data-testid="did-remove"
            onClick={() => removeIdentifier(row.ecu, row.did)}
          >
            Remove from list
          </button>
        )}
      </div>
    </div>
    <ErrorNotice error={writing.error.value} testId="did-write-error" />
    {refusal.value !== null && (
      <Notice tone="warn" testId="did-refusal">
        <p>{refusal.value}</p>
      </Notice>
    )}
  </form>
);

const AddForm = ({ ecu }: { readonly ecu: string }) => {
  const typed = useSignal('');
  const error = useSignal<string | null>(null);
  return (
    <form
      class="line-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const did = readDid(typed.value);
        error.value = did === null ? 'Four hex digits, or a name' : null;
        if (did === null) return;
        addIdentifier(ecu, did);
        typed.value = '';
        void reader.read(ecu, [did]);
      }}
    >
      <div class="fields">
        <TextField
          label="Identifier"
          placeholder="F190"
          value={typed.value}
          error={error.value}
          onInput={setter(typed)}
          testId="did-add"
        />
        <div class="actions below-label">
          <button type="submit" data-testid="did-add-submit">
            Add and read
          </button>
          <button
            type="button"
            data-testid="did-read-all"
            {...unusableWhile(identifiers.value.length === 0 || reader.isBusy.value)}
            onClick={() =>
              void reader.read(
                ecu,
                identifiers.value.map(({ did }) => did),
              )
            }
          >
            Read all
          </button>
          <span class="quiet" data-testid="did-live-count">
            {liveDids.value.length > 0 && `${liveDids.value.length} of at most ${maxLive} live`}
          </span>
        </div>
      </div>
    </form>
  );
};

/** Reads the live values once a second while they can be seen. */
const usePolling = (): void => {
  const beat = useSignal(0);
  useInterval('diagnostics', beat, pollMs);
  useEffect(() => {
    const ecu = chosenEcu.peek();
    if (ecu !== null && isServed.peek() && liveDids.peek().length > 0) {
      void reader.poll(ecu, liveDids.peek());
    }
  }, [beat.value]);
  const isSeen = isShown('diagnostics') && isTabShown.value && view.value === 'identifiers';
  useEffect(() => () => reader.cancel(), [chosenEcu.value, isSeen]);
};

export const IdentifiersView = ({ ecu }: { readonly ecu: string }) => {
  usePolling();
  const row = rows.value.find(({ did }) => did === picked.value);
  return (
    <>
      <AddForm ecu={ecu} />
      <DataTable<IdentifierRow>
        id="identifiers"
        label={`Identifiers of ${ecu}`}
        columns={columns}
        rows={rows.value}
        keyOf={({ did }) => did}
        selected={({ did }) => did === picked.value}
        onSelect={(selected) => {
          picked.value = selected.did === picked.peek() ? null : selected.did;
          refusal.value = null;
          writing.clear();
          writing.change({ value: selected.known?.reading?.value ?? '' });
        }}
        rowAttributes={({ did }) => ({ 'data-did': did })}
        empty={
          links.data.value
            ? 'No identifiers. Name them in the bench file, or add one above.'
            : 'Loading…'
        }
      />
      {row && <WriteForm key={row.did} row={row} />}
    </>
  );
};
