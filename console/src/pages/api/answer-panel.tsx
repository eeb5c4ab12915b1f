import { formatBytes } from '../../format/figures.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { type ApiAnswer, mostShown } from './api-call.ts';
import type { OperationCall } from './call-state.ts';

const AnswerHead = ({ answer }: { readonly answer: ApiAnswer }) => (
  <>
    <StateMark
      state={answer.status < 400 ? 'ok' : 'failed'}
      label={`${answer.status} ${answer.reason}`}
      testId="answer-status"
      live
    />
    <span class="quiet" data-testid="answer-time">
      {answer.elapsedMs < 10 ? answer.elapsedMs.toFixed(1) : answer.elapsedMs.toFixed(0)} ms
    </span>
    <span class="quiet">{formatBytes(answer.size)}</span>
    <span class="grow" />
    {answer.requestId && (
      <code class="request-id quiet" title={`Id of the request in the log: ${answer.requestId}`}>
        {answer.requestId}
      </code>
    )}
  </>
);

const save = (call: OperationCall, { text }: ApiAnswer): void => {
  const isJson = /^\s*[[{]/.test(text);
  const type = isJson ? 'application/json' : 'text/plain';
  saveFile(new Blob([text], { type }), `${call.operation.id}.${isJson ? 'json' : 'txt'}`);
};

/** What the service answered to the last request, or why it did not. */
export const AnswerPanel = ({ call }: { readonly call: OperationCall }) => {
  const answer = call.answer.value;
  return (
    <Panel
      title="Answer"
      class="answer"
      testId="answer"
      header={answer && <AnswerHead answer={answer} />}
    >
      <ErrorNotice error={call.error.value ?? answer?.error ?? null} testId="answer-error" />
      {answer?.isCut && (
        <Notice tone="warn">
          <p>
            Only the first {formatBytes(mostShown)} are shown.{' '}
            <button type="button" class="link" onClick={() => save(call, answer)}>
              Save all of it
            </button>
          </p>
        </Notice>
      )}
      {answer && answer.shown !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        <pre class="scroll" tabIndex={0} data-testid="answer-body">
          {answer.shown}
        </pre>
      )}
      {!answer && !call.error.value && (
        <p class="empty">
          {call.operation.stream
            ? 'A stream is not called from here.'
            : 'Send the request to see its answer here.'}
        </p>
      )}
    </Panel>
  );
};
