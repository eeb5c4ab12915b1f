import type { DatabaseSignal } from '../../api/client.ts';
import type { ComposedMessage, ComposedSignal } from '../../codec/encode-message.ts';
import { limitsText, type SignalInput } from '../../codec/encode-signal.ts';
import { counted } from '../../format/figures.ts';
import { activeForm, inputs, result } from './send-state.ts';

const asNumber = '#';

const setInput = (name: string, input: SignalInput): void => {
  inputs.value = { ...inputs.peek(), [name]: input };
  result.value = null;
  const form = activeForm.peek();
  for (const field of ['message', `signals.${name}`]) form.touch(field);
};

interface RowProps extends ComposedSignal {
  readonly onFocus: () => void;
}

const LabelSelect = ({ signal, input, noteId }: RowProps & { readonly noteId: string }) => (
  <select
    aria-label={`${signal.name} label`}
    aria-describedby={noteId}
    value={input.as === 'raw' ? input.text : asNumber}
    data-testid={`signal-label-${signal.name}`}
    onChange={({ currentTarget: { value } }) =>
      setInput(
        signal.name,
        value === asNumber ? { as: 'physical', text: '' } : { as: 'raw', text: value },
      )
    }
  >
    {signal.values.map(({ raw, text }) => (
      <option key={raw} value={raw}>
        {text}
      </option>
    ))}
    <option value={asNumber}>Number…</option>
  </select>
);

const factsOf = ({ start_bit, length, byte_order, comment }: DatabaseSignal): string =>
  `Start bit ${start_bit}, ${counted(length, 'bit')}, ${byte_order}${comment ? `\n${comment}` : ''}`;

const SignalRow = (props: RowProps) => {
  const { signal, input, encoded, isNamed, onFocus } = props;
  const noteId = `signal-note-${signal.name}`;
  const problem = activeForm.value.problemOf(`signals.${signal.name}`) ?? encoded.problem;
  const note = problem ?? encoded.warning;
  return (
    <tr data-signal={signal.name} onFocusIn={onFocus}>
      <th scope="row" title={factsOf(signal)}>
        {signal.name}
        {signal.is_switch && <span class="quiet"> mux</span>}
      </th>
      <td>
        <div class="signal-value">
          {signal.values.length > 0 && <LabelSelect {...props} noteId={noteId} />}
          {(input.as === 'physical' || signal.values.length === 0) && (
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              aria-label={signal.name}
              aria-invalid={problem !== null}
              placeholder={isNamed ? '' : 'not available'}
              aria-describedby={noteId}
              value={input.text}
              data-testid={`signal-value-${signal.name}`}
              onInput={({ currentTarget: { value } }) =>
                setInput(signal.name, { as: 'physical', text: value })
              }
            />
          )}
        </div>
      </td>
      <td>{signal.unit}</td>
      <td class="signal-note" id={noteId}>
        {note ? (
          <span data-tone={problem ? 'bad' : 'warn'}>{note}</span>
        ) : (
          <span class="quiet">{limitsText(signal)}</span>
        )}
      </td>
      <td class="number mono">{encoded.raw}</td>
    </tr>
  );
};

interface SignalInputsProps {
  readonly composed: ComposedMessage;
  readonly onFocus: (signal: DatabaseSignal) => void;
}

export const SignalInputs = ({ composed, onFocus }: SignalInputsProps) => (
  <div class="signal-inputs">
    <table data-testid="signal-inputs">
      <thead>
        <tr>
          <th scope="col">Signal</th>
          <th scope="col">Value</th>
          <th scope="col">Unit</th>
          <th scope="col">Range</th>
          <th scope="col" class="number">
            Raw
          </th>
        </tr>
      </thead>
      <tbody>
        {composed.signals.map((entry) => (
          <SignalRow key={entry.signal.name} {...entry} onFocus={() => onFocus(entry.signal)} />
        ))}
      </tbody>
    </table>
    {composed.left > 0 && (
      <p class="quiet">{counted(composed.left, 'signal')} inactive for these multiplexer values.</p>
    )}
  </div>
);
