import type { ModbusScan, ModbusWireRecord, ModbusWriting } from '../../api/client.ts';
import { counted, formatInstant, formatMicroseconds, formatNumber } from '../../format/figures.ts';
import { Notice } from '../../ui/notice.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { rowsOf } from './register-view.ts';
import { type Outcome, scanning } from './request-state.ts';
import { shownUnits } from './units.ts';

const Values = ({ answer }: { readonly answer: Extract<Outcome, { mode: 'read' }>['answer'] }) => (
  <table data-testid="modbus-answer-values">
    <thead>
      <tr>
        <th scope="col" class="number">
          Address
        </th>
        <th scope="col">Reference</th>
        <th scope="col">Raw</th>
        <th scope="col" class="number">
          Value
        </th>
      </tr>
    </thead>
    <tbody>
      {rowsOf(answer).map(({ address, reference, registers, value }) => (
        <tr key={address}>
          <td class="number mono">{address}</td>
          <td class="mono">{reference}</td>
          <td class="mono wrap">{registers}</td>
          <td class="number mono">
            <strong title={value ?? ''}>{value !== null && formatNumber(value)}</strong>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

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

interface ScannedProps {
  readonly scan: ModbusScan;
  /** Units to scan; a cancelled or failed scan covers fewer. */
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
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">
            Unit ID
          </th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Response time
          </th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {scan.units.map(({ unit, state, exception, round_trip_us, error, trace }) => (
          <tr key={unit} data-unit={unit}>
            <td class="number mono">{unit}</td>
            <td>
              <StateMark state={state} />
            </td>
            <td class="number">
              {round_trip_us === null ? '–' : formatMicroseconds(round_trip_us)}
            </td>
            <td class="wrap">
              {exception ? `${exception.code} ${exception.name}` : error?.message}
              <Trace trace={trace} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
      <Values answer={answer} />
      <Trace trace={answer.trace} />
    </section>
  );
};
