import { signal } from '@preact/signals';
import { hexByte } from '../../../../src/frame/hex-bytes.ts';
import { type Answer, call } from '../../api/client.ts';
import { counted, formatTime } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { SelectField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { type Column, column } from '../../ui/table-columns.ts';
import { DtcReader, type DtcRecords } from './dtc-reader.ts';
import { limitMs, rememberService, spaced } from './request-history.ts';
import { AnswerNotice } from './service-answer.tsx';

type DtcAnswer = Answer<'uds.dtc'>;
type Dtcs = NonNullable<DtcAnswer['result']>;
type Dtc = Dtcs['dtcs'][number];

const reports = [
  { value: 'FF', label: 'All stored' },
  { value: '08', label: 'Confirmed' },
  { value: '04', label: 'Pending' },
  { value: '01', label: 'Test failed now' },
  { value: '80', label: 'Warning lamp on' },
  { value: 'supported', label: 'All that the ECU supports' },
] as const;

const report = signal<string>('FF');

interface Listed {
  readonly ecu: string;
  readonly at: Date;
  readonly answer: DtcAnswer;
}

const listed = signal<Listed | null>(null);
/** The ECU whose codes are cleared once that is confirmed. */
const clearing = signal<string | null>(null);

const reader = new DtcReader<DtcAnswer>((ecu, asked) =>
  call('uds.dtc', { ecu, ...asked }, { limitMs }),
);

const list = act(async (ecu: string) => {
  clearing.value = null;
  reader.clear();
  const asked = report.peek() === 'supported' ? { supported: true } : { mask: report.peek() };
  const answer = await call('uds.dtc', { ecu, ...asked }, { limitMs });
  rememberService(answer);
  listed.value = { ecu, at: new Date(), answer };
});

const show = act(() => reader.readPicked());

const cleared = signal<{ readonly ecu: string; readonly answer: Answer<'uds.clear'> } | null>(null);

const clear = act(async (ecu: string) => {
  clearing.value = null;
  cleared.value = null;
  const answer = await call('uds.clear', { ecu }, { limitMs });
  rememberService(answer);
  if (answer.positive) await list.run(ecu);
  cleared.value = { ecu, answer };
});

const statusText = ({ status_bits }: Dtc): string =>
  status_bits.map((bit) => bit.replaceAll('_', ' ')).join(', ');

const isFailing = ({ status_bits }: Dtc): boolean => status_bits.includes('test_failed');

const columns: readonly Column<Dtc>[] = [
  column('text', 'DTC', 104, ({ text }) => text, { mono: true, grows: true }),
  column('dtc', 'Code', 72, ({ dtc }) => dtc, { mono: true, spare: 1 }),
  column('status', 'Status', 60, ({ status }) => hexByte(status), { mono: true }),
  column('bits', 'Status in words', 380, statusText, {
    ...{ least: 180, grows: true },
    render: (dtc) => (
      <span data-tone={isFailing(dtc) ? 'warn' : undefined}>
        {isFailing(dtc) && '▲ '}
        {statusText(dtc)}
      </span>
    ),
  }),
];

const Records = ({ of }: { readonly of: DtcRecords<DtcAnswer> }) => {
  const { snapshot, extended } = of;
  const values = (snapshot.result?.snapshots ?? []).flatMap(({ record, values, data }) => [
    ...values.map((each) => ({ record, ...each })),
    ...(data === '' ? [] : [{ record, did: '', name: null, value: null, label: null, data }]),
  ]);
  const more = extended.result?.extended_data ?? [];
  return (
    <>
      <h3>Snapshot</h3>
      {values.length === 0 ? (
        <AnswerNotice answer={snapshot} text="No snapshot." testId="dtc-no-snapshot" />
      ) : (
        <PlainTable
          testId="dtc-snapshot"
          rows={values}
          keyOf={(_, index) => index}
          columns={[
            ['Record', ({ record }) => hexByte(record), 'mono'],
            ['DID', ({ did }) => did, 'mono'],
            ['Name', ({ name }) => name ?? ''],
            ['Value', ({ value, label }) => value ?? label ?? '', 'wrap'],
            ['Bytes', ({ data }) => spaced(data), 'mono wrap'],
          ]}
        />
      )}
      <h3>Extended data</h3>
      {more.length === 0 ? (
        <AnswerNotice answer={extended} text="No extended data." testId="dtc-no-extended" />
      ) : (
        <PlainTable
          testId="dtc-extended"
          rows={more}
          keyOf={(_, index) => index}
          columns={[
            ['Record', ({ record }) => hexByte(record), 'mono'],
            ['Bytes', ({ data }) => spaced(data), 'mono wrap'],
          ]}
        />
      )}
    </>
  );
};

const Detail = ({ ecu, dtc }: { readonly ecu: string; readonly dtc: Dtc }) => {
  const shown = reader.records.value;
  const isShown = shown?.ecu === ecu && shown.dtc === dtc.dtc;
  return (
    <ScrollArea class="dtc-detail">
      <div class="stack" data-testid="dtc-detail">
        <h3>
          {dtc.text}: {statusText(dtc) || 'no status bit set'}
        </h3>
        <ErrorNotice
          error={show.isBusy.value ? null : show.error.value}
          testId="dtc-detail-error"
        />
        {isShown ? (
          <Records of={shown} />
        ) : (
          show.isBusy.value && <p class="quiet">Reading the snapshot…</p>
        )}
      </div>
    </ScrollArea>
  );
};

const ClearQuestion = ({ ecu }: { readonly ecu: string }) => (
  <Notice tone="warn" testId="dtc-clear-question">
    <p>Clear all trouble codes of {ecu}, with their snapshots?</p>
    <p class="actions">
      <button
        type="button"
        class="danger"
        data-testid="dtc-clear-confirm"
        onClick={() => void clear.run(ecu)}
      >
        Clear
      </button>
      <button type="button" onClick={setting(clearing, null)}>
        Cancel
      </button>
    </p>
  </Notice>
);

export const DtcsView = ({ ecu }: { readonly ecu: string }) => {
  const known = listed.value?.ecu === ecu ? listed.value : null;
  const rows = known?.answer.result?.dtcs ?? [];
  const chosen = rows.find(({ dtc }) => reader.isPicked({ ecu, dtc }));
  const isBusy = list.isBusy.value || clear.isBusy.value;
  return (
    <>
      <form
        class="line-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          cleared.value = null;
          void list.run(ecu);
        }}
      >
        <div class="fields">
          <SelectField
            label="Trouble codes"
            value={report.value}
            choices={reports}
            onChange={setter(report)}
            testId="dtc-report"
          />
          <div class="actions below-label">
            <button type="submit" class="primary" data-testid="dtc-read" {...unusableWhile(isBusy)}>
              Read
            </button>
            <button
              type="button"
              data-testid="dtc-clear"
              {...unusableWhile(isBusy)}
              onClick={setting(clearing, ecu)}
            >
              Clear…
            </button>
            <span class="quiet" data-testid="dtc-count">
              {known && `${counted(rows.length, 'code')} at ${formatTime(known.at)}`}
            </span>
          </div>
        </div>
      </form>
      {clearing.value === ecu && <ClearQuestion ecu={ecu} />}
      <ErrorNotice error={list.error.value ?? clear.error.value} testId="dtc-error" />
      {cleared.value?.ecu === ecu && (
        <AnswerNotice answer={cleared.value.answer} text="Cleared." testId="dtc-cleared" />
      )}
      {known?.answer.positive === false && (
        <AnswerNotice answer={known.answer} text="" testId="dtc-refused" />
      )}
      <DataTable<Dtc>
        id="dtcs"
        label={`Trouble codes of ${ecu}`}
        columns={columns}
        rows={rows}
        keyOf={({ dtc }) => dtc}
        selected={({ dtc }) => reader.isPicked({ ecu, dtc })}
        onSelect={({ dtc }) => {
          reader.pick({ ecu, dtc });
          void show.run();
        }}
        rowAttributes={({ dtc }) => ({ 'data-dtc': dtc })}
        empty={known?.answer.positive ? 'No trouble codes with this status.' : 'Not read yet.'}
      />
      {chosen && <Detail key={chosen.dtc} ecu={ecu} dtc={chosen} />}
    </>
  );
};

export const readDtcs = (ecu: string): void => void list.run(ecu);
export const askToClear = setter(clearing);
