import type { ModbusScan, ModbusWireRecord, ModbusWriting } from '../../api/client.ts';
import { counted, formatInstant, formatMicroseconds, formatNumber } from '../../format/figures.ts';
import { Notice } from '../../ui/notice.tsx';
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { rowsOf, type ValueRow } from './register-view.ts';
import { type Outcome, scanning } from './request-state.ts';
import { shownUnits } from './units.ts';

const valueColumns: readonly PlainColumn<ValueRow>[] = [
  ['Address', ({ address }) => address, 'number mono'],
  ['Reference', ({ reference }) => reference, 'mono'],
  ['Raw', ({ registers }) => registers, 'mono wrap'],
  [
    'Value',
    ({ value }) => <strong title={value ?? ''}>{value !== null && formatNumber(value)}</strong>,
    'number mono',
  ],
];

const Rounded = ({ rounded }: Pick<ModbusWriting, 'rounded'>) =>
  rounded.length === 0 ? null : (
    <Notice tone="warn" testId="modbus-rounded">
      {rounded.map(({ index, given, written }) => (
        <p key={index}>
          {given} cannot be represented exactly; {written} was written.
        </p>
      ))}
    </Notice>
  );

const Trace = ({ trace }: { readonly trace: readonly ModbusWireRecord[] | undefined }) =>
  trace === undefined ? null : (
    <ul class="wire" data-testid="modbus-wire">
      {trace.map(({ timestamp_us, direction, data }, at) => (
        <li key={at}>
          <span class="quiet">
            {formatInstant(timestamp_us, 6)} {direction.toUpperCase()}
          </span>{' '}
          <code>{data.replaceAll(/(..)(?=.)/g, '$1 ')}</code>
        </li>
      ))}
    </ul>
  );

const unitColumns: readonly PlainColumn<ModbusScan['units'][number]>[] = [
  ['Unit ID', ({ unit }) => unit, 'number mono'],
  ['State', ({ state }) => <StateMark state={state} />],
  [
    'Response time',
    ({ round_trip_us }) => (round_trip_us === null ? '–' : formatMicroseconds(round_trip_us)),
    'number',
  ],
  [
    'Result',
    ({ exception, error, trace }) => (
      <>
        {exception ? `${exception.code} ${exception.name}` : error?.message}
        <Trace trace={trace} />
      </>
    ),
    'wrap',
  ],
];

interface ScannedProps {
  readonly scan: ModbusScan;
  /** A cancelled or failed scan covers fewer units. */
  readonly total: number;
}

const Scanned = ({ scan, total }: ScannedProps) => (
  <>
    <p role="status" data-testid="modbus-scanned">
      {counted(scan.units.length, 'unit')} found at {scan.endpoint}, {scan.silent.length} without an
      answer.
      {scan.units.length + scan.silent.length < total &&
        !scanning.value &&
        ` Stopped after ${scan.units.length + scan.silent.length} of ${counted(total, 'unit')}.`}
    </p>
    <PlainTable
      columns={unitColumns}
      rows={scan.units}
      keyOf={({ unit }) => unit}
      rowAttributes={({ unit }) => ({ 'data-unit': unit })}
    />
    {scan.silent.length > 0 && (
      <p class="quiet" data-testid="modbus-silent">
        No answer: {shownUnits(scan.silent)}
      </p>
    )}
  </>
);

export const AnswerView = ({ outcome }: { readonly outcome: Outcome }) => {
  if (outcome.mode === 'scan') {
    return (
      <section class="answer" data-testid="modbus-answer">
        <Scanned scan={outcome.answer} total={outcome.total} />
      </section>
    );
  }
  const { answer } = outcome;
  return (
    <section class="answer" data-testid="modbus-answer">
      <p role="status">
        {counted(answer.values.length, 'value')}{' '}
        {outcome.mode === 'read' ? 'read from' : 'written to'} unit {answer.unit} at{' '}
        <code>{answer.endpoint}</code>
        {answer.attempts > 1 && ` (attempt ${answer.attempts})`}
      </p>
      {outcome.mode === 'write' && <Rounded rounded={outcome.answer.rounded} />}
      <PlainTable
        columns={valueColumns}
        rows={rowsOf(answer)}
        keyOf={({ address }) => address}
        testId="modbus-answer-values"
      />
      <Trace trace={answer.trace} />
    </section>
  );
};
