import './signal-controls.css';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { DatabaseSignal, DecodedSignal } from '../api/client.ts';
import { textOfLabel } from '../codec/encode-message.ts';
import { limitsText } from '../codec/encode-signal.ts';
import { sliderOf } from '../codec/signal-slider.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import type { LatestValues } from './latest-values.ts';

interface RowProps {
  readonly entry: DecodedSignal;
  readonly definition: DatabaseSignal | undefined;
  readonly latest: LatestValues;
}

const LabelChoice = ({ entry, definition, latest }: RowProps) => {
  const labels = definition?.values ?? [];
  const isLabelled = labels.some(({ raw }) => raw === entry.raw);
  return (
    <select
      aria-label={`${entry.signal} label`}
      data-testid={`set-label-${entry.signal}`}
      value={isLabelled ? entry.raw : ''}
      onChange={({ currentTarget: { value } }) => {
        if (definition && value !== '') latest.put(entry.signal, textOfLabel(definition, value));
      }}
    >
      {!isLabelled && <option value="">–</option>}
      {labels.map(({ raw, text }) => (
        <option key={raw} value={raw}>
          {text}
        </option>
      ))}
    </select>
  );
};

const Slider = ({ entry, definition, latest }: RowProps) => {
  const slider = useMemo(() => (definition ? sliderOf(definition) : null), [definition]);
  if (!slider) return null;
  return (
    <input
      type="range"
      min={0}
      max={slider.steps}
      value={slider.positionOf(entry.raw)}
      aria-label={`${entry.signal} slider`}
      aria-valuetext={`${entry.value ?? entry.raw} ${entry.unit}`}
      data-testid={`set-slider-${entry.signal}`}
      onInput={({ currentTarget: { value } }) =>
        latest.put(entry.signal, slider.textAt(Number(value)))
      }
    />
  );
};

const Row = (props: RowProps) => {
  const { entry, definition, latest } = props;
  const { signal, value, raw, unit, label } = entry;
  const problem = latest.problemOf(signal);
  const noteId = `set-note-${signal}`;
  const hasLabels = (definition?.values.length ?? 0) > 0;
  // Until it is entered: new values of the task must not replace it.
  const typed = useSignal<string | null>(null);
  return (
    <tr data-signal={signal}>
      <th scope="row" title={definition?.comment ?? signal}>
        {signal}
      </th>
      <td>
        {hasLabels && <LabelChoice {...props} />}
        <Slider {...props} />
      </td>
      <td>
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          aria-label={signal}
          aria-invalid={problem !== null}
          aria-describedby={noteId}
          data-testid={`set-value-${signal}`}
          value={typed.value ?? latest.drafts.value[signal] ?? value ?? ''}
          onInput={({ currentTarget: { value: text } }) => {
            typed.value = text;
          }}
          onChange={({ currentTarget: { value: text } }) => {
            typed.value = null;
            latest.put(signal, text.trim());
          }}
          onBlur={() => {
            typed.value = null;
          }}
        />
      </td>
      <td>{unit}</td>
      <td data-field="label">{label}</td>
      <td class="number mono" data-field="raw">
        {raw}
      </td>
      <td class="note" id={noteId}>
        {problem === null ? (
          <span class="quiet">{definition && limitsText(definition)}</span>
        ) : (
          <span data-tone="bad">{problem}</span>
        )}
      </td>
    </tr>
  );
};

interface SignalControlsProps {
  readonly signals: readonly DecodedSignal[];
  readonly definitions: readonly DatabaseSignal[];
  readonly latest: LatestValues;
}

/** Signals that are sent, each with a slider or its labels; every change is sent. */
export const SignalControls = ({ signals, definitions, latest }: SignalControlsProps) => {
  const { error } = latest;
  const isPlaced = signals.some(({ signal }) => latest.problemOf(signal) !== null);
  return (
    <>
      <table class="signal-controls" data-testid="signal-controls">
        <thead>
          <tr>
            {['Signal', 'Set', 'Value', 'Unit', 'Label'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col" class="number">
              Raw
            </th>
            <th scope="col">Range</th>
          </tr>
        </thead>
        <tbody>
          {signals.map((entry) => (
            <Row
              key={entry.signal}
              entry={entry}
              definition={definitions.find(({ name }) => name === entry.signal)}
              latest={latest}
            />
          ))}
        </tbody>
      </table>
      {!isPlaced && <ErrorNotice error={error.value} testId="signal-controls-error" />}
    </>
  );
};
