import { useEffect, useRef } from 'preact/hooks';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { LinResponse, SendResult } from '../../api/client.ts';
import { counted, formatInstant } from '../../format/figures.ts';
import { sources } from '../../forms/bench-sources.ts';
import { selectorChoices } from '../../forms/channel-selectors.ts';
import { ChannelField } from '../../forms/controls.tsx';
import { SchemaFields, SubmitButton } from '../../forms/schema-fields.tsx';
import { channels } from '../../state/bench.ts';
import { Facts } from '../../ui/facts.tsx';
import { CheckField, Segments, TextField } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { freshness } from '../../ui/use-resource.ts';
import { Compose } from './compose.tsx';
import { RawFrame } from './raw-frame.tsx';
import { submit } from './send-actions.ts';
import {
  activeForm,
  chooseChannel,
  chosenBus,
  isAdvanced,
  isSlaveSending,
  mode,
  result,
  selector,
  sendForm,
  source,
  taskForm,
} from './send-state.ts';

const listId = 'send-selectors';

const SendChannel = () => {
  const form = activeForm.value;
  const error = form.problemOf('channel');
  return (
    <div class="send-channel">
      {isAdvanced.value ? (
        <TextField
          label="Channel"
          value={selector.value}
          onInput={chooseChannel}
          error={error}
          placeholder="<serial>/<port>, name, network or slot"
          list={listId}
          testId="send-channel"
        />
      ) : (
        <ChannelField
          label="Channel"
          value={selector.value}
          sources={sources.value}
          onChange={chooseChannel}
          error={error}
          testId="send-channel"
        />
      )}
      <CheckField
        label="Advanced"
        checked={isAdvanced.value}
        onChange={(checked) => {
          isAdvanced.value = checked;
          form.touch('channel');
        }}
        testId="send-advanced"
      />
      <datalist id={listId}>
        {selectorChoices(sources.value).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  );
};

const spaced = (data: string): string => data.replaceAll(/(..)(?=.)/g, '$1 ');

const Response = ({ response }: { readonly response: LinResponse }) => (
  <Facts
    testId="lin-response"
    of={[
      ['ID', `0x${hexDigits(response.id, 2)}`, { mono: true }],
      ['Data', spaced(response.data), { mono: true }],
      ['Checksum', `${hexDigits(response.checksum, 2)} ${response.checksum_model}`, { mono: true }],
      ['Time', formatInstant(response.timestamp_us)],
    ]}
  />
);

/** The frame of a message by name, with its values as they were encoded. */
const SentMessage = ({ answer }: { readonly answer: SendResult }) => {
  const { message, id = 0, extended = false, data = '', signals = [], response } = answer;
  const digits = chosenBus.value === 'lin' ? 2 : extended ? 8 : 3;
  return (
    <>
      <p data-testid="sent-frame">
        <strong>{message}</strong>{' '}
        <code>
          {hexDigits(id, digits)} {response ? '' : spaced(data)}
        </code>
      </p>
      <PlainTable
        testId="sent-signals"
        hasRowHeads
        rows={signals}
        keyOf={({ signal }) => signal}
        columns={[
          ['Signal', ({ signal }) => signal],
          ['Value', ({ value }) => value ?? '–', 'number'],
          ['Unit', ({ unit }) => unit],
          ['Label', ({ label }) => label ?? ''],
          ['Raw', ({ raw }) => raw, 'number mono'],
        ]}
      />
    </>
  );
};

const SendOutcome = () => {
  if (!result.value) return null;
  const { at, answer } = result.value;
  const { accepted, channel, resolved, slot, response } = answer;
  const frames = counted(accepted, 'frame');
  return (
    <Notice tone="good" testId="send-result">
      <p>
        {frames} accepted on {channel}
        {resolved !== null && ` (${resolved})`}, slot {slot}, at{' '}
        {formatInstant(at.getTime() * 1000)}
      </p>
      {answer.message !== undefined && <SentMessage answer={answer} />}
      {response && <Response response={response} />}
    </Notice>
  );
};

const sourceChoices = [
  { value: 'raw', label: 'Raw frame' },
  { value: 'database', label: 'From database' },
] as const;

const verbChoices = [
  { value: 'send', label: 'Send now' },
  { value: 'task', label: 'As TX task' },
] as const;

const SlaveHint = () => (
  <Notice tone="idle" testId="send-slave-hint">
    <p>This channel is a LIN slave. It only transmits in response to a master header.</p>
    <p class="actions">
      <button type="button" data-testid="send-as-response" onClick={setting(mode, 'task')}>
        Add as LIN response
      </button>
    </p>
  </Notice>
);

export const SendPanel = () => {
  const form = activeForm.value;
  const isTask = mode.value === 'task';
  // Below a long form it would not be seen.
  const refusal = useRef<HTMLDivElement>(null);
  useEffect(() => refusal.current?.scrollIntoView({ block: 'nearest' }), [form.error.value]);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <Panel
      title="Message send"
      testId="message-send"
      freshness={freshness(channels)}
      actions={
        <Segments
          label="Frame source"
          value={source.value}
          choices={sourceChoices}
          onChange={(value) => {
            source.value = value;
            form.clear();
          }}
          testId="send-source"
        />
      }
    >
      <form class="scroll stack send-form" noValidate onSubmit={onSubmit} data-testid="send-form">
        <SendChannel />
        {source.value === 'raw' ? <RawFrame /> : <Compose />}
        <hr />
        <Segments
          label="Transmission"
          value={mode.value}
          choices={verbChoices}
          onChange={setter(mode)}
          testId="send-mode"
        />
        {isSlaveSending.value ? (
          <SlaveHint />
        ) : (
          <>
            <div class="fields">
              {isTask ? <SchemaFields form={taskForm} /> : <SchemaFields form={sendForm} />}
            </div>
            <div class="actions">
              <SubmitButton form={form} testId="send-submit">
                {isTask ? 'Add task' : 'Send'}
              </SubmitButton>
              <span class="quiet">{form.isBusy.value ? 'Sending…' : <kbd>Enter</kbd>}</span>
            </div>
          </>
        )}
        {form.error.value && (
          <div ref={refusal}>
            <ErrorNotice error={form.error.value} testId="send-error" />
          </div>
        )}
        {!isTask && <SendOutcome />}
      </form>
    </Panel>
  );
};
