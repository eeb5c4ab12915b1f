import { Segments } from '../../forms/segments.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { channels } from '../../state/bench.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness } from '../../ui/use-resource.ts';
import { Compose } from './compose.tsx';
import { PaceFields } from './pace-fields.tsx';
import { RawFrame } from './raw-frame.tsx';
import { submit } from './send-actions.ts';
import { SendChannel } from './send-channel.tsx';
import { SendOutcome } from './send-result.tsx';
import { activeForm, isSlaveSending, mode, source } from './send-state.ts';
import { TaskFields } from './task-fields.tsx';

const sourceChoices = [
  { value: 'raw', label: 'Raw frame' },
  { value: 'database', label: 'From a database' },
] as const;

const verbChoices = [
  { value: 'send', label: 'Send now' },
  { value: 'task', label: 'As a task' },
] as const;

const SlaveHint = () => (
  <Notice tone="idle" testId="send-slave-hint">
    <p>This channel is a LIN slave: it sends nothing until the master asks for it.</p>
    <p class="actions">
      <button
        type="button"
        data-testid="send-as-response"
        onClick={() => {
          mode.value = 'task';
        }}
      >
        Make it a response
      </button>
    </p>
  </Notice>
);

/** One frame, typed or composed, that is sent now or made a task of. */
export const SendPanel = () => {
  const form = activeForm.value;
  const isTask = mode.value === 'task';
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <Panel
      title="Message send"
      testId="message-send"
      freshness={freshness(channels)}
      header={
        <>
          <span class="grow" />
          <Segments
            label="Where the frame comes from"
            value={source.value}
            choices={sourceChoices}
            onChange={(value) => {
              source.value = value;
              form.clear();
            }}
            testId="send-source"
          />
        </>
      }
    >
      <form class="scroll send-form" noValidate onSubmit={onSubmit} data-testid="send-form">
        <SendChannel />
        {source.value === 'raw' ? <RawFrame /> : <Compose />}
        <hr />
        <Segments
          label="What to do with the frame"
          value={mode.value}
          choices={verbChoices}
          onChange={(value) => {
            mode.value = value;
          }}
          testId="send-mode"
        />
        {isSlaveSending.value ? (
          <SlaveHint />
        ) : (
          <>
            {isTask ? <TaskFields /> : <PaceFields />}
            <div class="actions">
              <SubmitButton form={form} testId="send-submit">
                {isTask ? 'Add task' : 'Send'}
              </SubmitButton>
              <span class="quiet">{form.isBusy.value ? 'Under way…' : <kbd>Enter</kbd>}</span>
            </div>
          </>
        )}
        <ErrorNotice error={form.error.value} testId="send-error" />
        {!isTask && <SendOutcome />}
      </form>
    </Panel>
  );
};
