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
  chooseDatabase,
  chooseMessage,
  chosenDatabase,
  chosenMessage,
  composed,
  databaseName,
  isAttached,
  messageName,
  offeredDatabases,
  slaveOfMessage,
} from './send-state.ts';
import { SignalInputs } from './signal-inputs.tsx';

const labelOf = ({ name, id, extended, lin }: DatabaseMessage): string =>
  `${name} · ${hexDigits(id, lin ? 2 : extended ? 8 : 3)}`;

const byName = (one: DatabaseMessage, other: DatabaseMessage): number =>
  one.name.localeCompare(other.name);

const formatOf = ({ lin, fd, brs }: DatabaseMessage): string => {
  if (lin) return `LIN, ${lin.checksum} checksum`;
  return fd ? (brs ? 'CAN FD with BRS' : 'CAN FD') : 'classic CAN';
};

const factsOf = (message: DatabaseMessage): string => {
  const { length, senders, cycle_time_ms } = message;
  return [
    counted(length, 'byte'),
    formatOf(message),
    ...(cycle_time_ms ? [`cycle time ${cycle_time_ms} ms`] : []),
    ...(senders.length > 0 ? [`sent by ${senders.join(', ')}`] : []),
  ].join(' · ');
};

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
  const messages = [...(chosenDatabase.value?.message_page ?? [])].sort(byName);
  const form = activeForm.value;
  const slave = slaveOfMessage.value;
  return (
    <div class="stack" data-testid="compose">
      <div class="fields">
        <SelectField
          label="Database"
          value={databaseName.value}
          choices={withGone(
            offeredDatabases.value.map((name) => ({
              value: name,
              label: isAttached(name) ? name : `${name} · not attached`,
            })),
            databaseName.value,
            `${databaseName.value} · not loaded`,
          )}
          onChange={chooseDatabase}
          error={form.problemOf('database')}
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
            error={form.problemOf('message')}
            testId="compose-message"
          />
        </div>
      </div>
      {message && composed.value && (
        <>
          <p class="quiet">{factsOf(message)}</p>
          {slave === null ? (
            <>
              <SignalInputs composed={composed.value} onFocus={setter(marked)} />
              <BytePreview bytes={composed.value.bytes} marked={marked.value} />
            </>
          ) : (
            <p data-testid="compose-read">
              {slave} sends this frame. The master sends the header and reads the response.
            </p>
          )}
        </>
      )}
    </div>
  );
};
