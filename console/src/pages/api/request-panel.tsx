import { rememberedToken } from '../../storage/remembered.ts';
import { Panel } from '../../ui/panel.tsx';
import { unusableWhile } from '../../ui/unusable.ts';
import { BodyField } from './body-field.tsx';
import type { Schemas } from './body-template.ts';
import type { OperationCall } from './call-state.ts';
import { CopyButton } from './copy-button.tsx';
import { curlText, curlTokenHint } from './curl-text.ts';
import { FieldTable } from './field-table.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { checkRequest } from './request-draft.ts';
import { StreamGuide } from './stream-guide.tsx';

interface RequestPanelProps {
  readonly call: OperationCall;
  readonly schemas: Schemas;
}

const Actions = ({ call, schemas }: RequestPanelProps) => {
  const needsToken = rememberedToken.get() !== null;
  const curl = (): string | null => {
    const { request, problems } = checkRequest(call.operation, call.draft.peek(), schemas);
    call.problems.value = problems;
    if (!request) return null;
    return curlText(request, { origin: location.origin, needsToken });
  };
  return (
    <div class="actions">
      <button
        type="submit"
        class="primary"
        data-testid="send-request"
        title="Ctrl Enter"
        {...unusableWhile(call.isBusy.value)}
      >
        Send
      </button>
      {call.isBusy.value && (
        <button type="button" onClick={() => call.cancel()}>
          Cancel
        </button>
      )}
      <CopyButton label="Copy as curl" text={curl} testId="copy-curl" />
      {needsToken && (
        <span class="quiet" data-testid="curl-hint">
          {curlTokenHint}
        </span>
      )}
    </div>
  );
};

/** One operation: what it does, what it takes, and the button that carries it out. */
export const RequestPanel = ({ call, schemas }: RequestPanelProps) => {
  const { operation } = call;
  const submit = (event: Event): void => {
    event.preventDefault();
    void call.send(schemas);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || operation.stream) return;
    event.preventDefault();
    void call.send(schemas);
  };
  return (
    <Panel
      title={operation.id}
      class="request"
      testId="request"
      header={
        <code data-testid="request-line" title={operation.path}>
          <strong>{operation.method}</strong> {operation.path}
        </code>
      }
    >
      <form class="scroll" noValidate onSubmit={submit} onKeyDown={press}>
        <p>
          {operation.summary}.{' '}
          {operation.permission && <span class="quiet">Permission {operation.permission}.</span>}
        </p>
        {operation.description?.split('\n\n').map((paragraph) => (
          <p key={paragraph} class="quiet">
            {paragraph}
          </p>
        ))}
        <ParameterFields call={call} schemas={schemas} />
        {operation.body && <BodyField call={call} body={operation.body} schemas={schemas} />}
        {operation.stream ? (
          <StreamGuide call={call} schemas={schemas} />
        ) : (
          <Actions call={call} schemas={schemas} />
        )}
        {operation.body && <FieldTable schema={operation.body.schema} schemas={schemas} />}
      </form>
    </Panel>
  );
};
