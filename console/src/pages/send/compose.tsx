import { useSignal } from '@preact/signals';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { DatabaseMessage, DatabaseSignal } from '../../api/client.ts';
import { bitsOf } from '../../codec/signal-bits.ts';
import { counted } from '../../format/figures.ts';
import { catalogs } from '../../state/bench.ts';
import { goTo } from '../../state/pages.ts';
import { SelectField, withGone } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { setter } from '../../ui/set-signal.ts';
import { useResource } from '../../ui/use-resource.ts';
import {
  activeForm,
  chosenDatabase,
  chosenMessage,
  composed,
  databaseName,
  inputs,
  messageName,
  result,
  taskForm,
} from './send-state.ts';
import { SignalInputs } from './signal-inputs.tsx';

const chooseMessage = (name: string): void => {
  messageName.value = name;
  inputs.value = {};
  result.value = null;
  activeForm.peek().clear();
  const cycleMs = chosenMessage.peek()?.cycle_time_ms ?? 0;
  if (cycleMs > 0) taskForm.change({ period_us: String(cycleMs) });
};

const labelOf = ({ name, id, extended }: DatabaseMessage): string =>
  `${name} · 0x${hexDigits(id, extended ? 8 : 3)}`;

const byName = (one: DatabaseMessage, other: DatabaseMessage): number =>
  one.name.localeCompare(other.name);

const factsOf = ({ length, fd, brs, senders, cycle_time_ms }: DatabaseMessage): string =>
  [
    counted(length, 'byte'),
    fd ? (brs ? 'CAN FD with BRS' : 'CAN FD') : 'classic CAN',
    ...(cycle_time_ms ? [`cycle time ${cycle_time_ms} ms`] : []),
    ...(senders.length > 0 ? [`sent by ${senders.join(', ')}`] : []),
  ].join(' · ');

interface PreviewProps {
  readonly bytes: Uint8Array;
  readonly marked: DatabaseSignal | null;
}

const BytePreview = ({ bytes, marked }: PreviewProps) => {
  const touched = new Set(marked ? bitsOf(marked).map((place) => place >> 3) : []);
  return (
    <output class="bytes mono" aria-label="Payload" data-testid="compose-preview">
      {Array.from(bytes, (byte, at) => (
        <span key={at} data-marked={touched.has(at) ? '' : undefined} title={`Byte ${at}`}>
          {hexDigits(byte, 2)}
        </span>
      ))}
    </output>
  );
};

export const Compose = () => {
  const { data, error } = useResource(catalogs);
  const marked = useSignal<DatabaseSignal | null>(null);
  const message = chosenMessage.value;
  if (!data.value || data.value.size === 0) {
    return (
      <div class="empty" data-testid="compose-empty">
        <ErrorNotice error={error.value} />
        {data.value && (
          <p>
            No database loaded.{' '}
            <button type="button" onClick={() => goTo('files')}>
              Load database
            </button>
          </p>
        )}
      </div>
    );
  }
  const choose = (name: string): void => {
    databaseName.value = name;
    chooseMessage('');
  };
  const messages = [...(chosenDatabase.value?.message_page ?? [])].sort(byName);
  const problem = activeForm.value.problemOf('data');
  return (
    <div class="stack" data-testid="compose">
      <div class="fields">
        <SelectField
          label="Database"
          value={databaseName.value}
          choices={withGone(
            [...data.value.keys()].map((name) => ({ value: name, label: name })),
            databaseName.value,
            `${databaseName.value} · not loaded`,
          )}
          onChange={choose}
          testId="compose-database"
        />
        <div class="wide">
          <SelectField
            label="Message"
            value={messageName.value}
            choices={withGone(
              messages.map((each) => ({ value: each.name, label: labelOf(each) })),
              messageName.value,
              `${messageName.value} · not in the database`,
            )}
            onChange={chooseMessage}
            testId="compose-message"
          />
        </div>
      </div>
      {message && composed.value && (
        <>
          <p class="quiet">{factsOf(message)}</p>
          <SignalInputs composed={composed.value} onFocus={setter(marked)} />
          <BytePreview bytes={composed.value.bytes} marked={marked.value} />
        </>
      )}
      {problem && <small data-tone="bad">{problem}</small>}
    </div>
  );
};
