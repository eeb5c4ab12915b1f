import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { framesSubprotocol, tokenPrefix } from '../../../../src/frame/frames-subprotocol.ts';
import type { JsonSchema } from '../../state/bench.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { type Choice, SelectField, TextField, unusableWhile } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { ApiParameter } from './api-operations.ts';
import {
  allowedText,
  type Extent,
  fieldNames,
  resolved,
  type Schemas,
  type TemplateBody,
  templateText,
  typeText,
} from './body-template.ts';
import type { OperationCall } from './call-state.ts';
import { checkRequest, curlText, curlTokenHint } from './request-draft.ts';

interface ParameterFieldProps {
  readonly call: OperationCall;
  readonly parameter: ApiParameter;
  readonly schemas: Schemas;
}

const hintOf = ({ description, schema }: ApiParameter, schemas: Schemas): string => {
  const { type } = resolved(schema, schemas);
  return [
    description ?? schema.description,
    allowedText(schema, schemas),
    ...(type === 'array' ? ['several with commas between them'] : []),
  ]
    .filter(Boolean)
    .join('; ');
};

const choicesOf = (schema: ReturnType<typeof resolved>): readonly Choice[] | null => {
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (!values) return null;
  return [
    { value: '', label: 'left out' },
    ...values.map((value) => ({ value: String(value), label: String(value) })),
  ];
};

const ParameterField = ({ call, parameter, schemas }: ParameterFieldProps) => {
  const { name, required } = parameter;
  const common = {
    label: `${name}${required ? ' (required)' : ''}`,
    value: call.draft.value.parameters[name] ?? '',
    hint: hintOf(parameter, schemas),
    error: call.problems.value.find(({ field }) => field === name)?.message,
    testId: `parameter-${name}`,
  };
  const change = (text: string): void => call.setParameter(name, text);
  const choices = choicesOf(resolved(parameter.schema, schemas));
  return choices ? (
    <SelectField {...common} choices={choices} onChange={change} />
  ) : (
    <TextField {...common} onInput={change} />
  );
};

interface ParameterFieldsProps {
  readonly call: OperationCall;
  readonly schemas: Schemas;
}

const ParameterFields = ({ call, schemas }: ParameterFieldsProps) => {
  const { parameters } = call.operation;
  if (parameters.length === 0) return null;
  return (
    <div class="fields">
      {parameters.map((parameter) => (
        <ParameterField key={parameter.name} call={call} parameter={parameter} schemas={schemas} />
      ))}
    </div>
  );
};

interface StreamGuideProps {
  readonly call: OperationCall;
  readonly schemas: Schemas;
}

const pageOf = (id: string): { readonly page: string; readonly title: string } =>
  id.startsWith('signal.')
    ? { page: 'signals', title: 'Signals' }
    : { page: 'trace', title: 'Trace' };

const StreamGuide = ({ call, schemas }: StreamGuideProps) => {
  const { id, stream, path } = call.operation;
  const needsToken = rememberedToken.get() !== null;
  const offered = [framesSubprotocol, ...(needsToken ? [`${tokenPrefix}…`] : [])];
  const request = checkRequest(call.operation, call.draft.value, schemas).request ?? {
    method: 'GET',
    path,
    body: undefined,
  };
  const { page, title } = pageOf(id);
  const socket = `${location.origin.replace(/^http/, 'ws')}${request.path}`;
  return (
    <section class="guide" data-testid="stream-guide">
      <p>
        This answer has no end, so it is followed and not called. The{' '}
        <a href={`#${page}`}>{title}</a> page does so; from elsewhere:
      </p>
      {stream === 'sse' ? (
        <>
          <pre>{curlText(request, { origin: location.origin, needsToken, isStream: true })}</pre>
          {needsToken && <p class="quiet">{curlTokenHint}</p>}
          <p class="quiet">
            Go on behind an event with the header <code>Last-Event-ID</code> or with{' '}
            <code>after</code>; an event <code>gap</code> tells what was missed.
          </p>
        </>
      ) : (
        <>
          <pre>
            {`new WebSocket(${JSON.stringify(socket)}, [${offered.map((name) => JSON.stringify(name)).join(', ')}])`}
          </pre>
          <p class="quiet">
            Every binary message is one event; a text message tells of a gap. Go on behind an event
            with <code>after</code>.
          </p>
        </>
      )}
    </section>
  );
};

interface BodyFieldProps {
  readonly call: OperationCall;
  readonly body: TemplateBody;
  readonly schemas: Schemas;
}

const fewestLines = 4;

const mostLines = 18;

const extents: readonly { readonly extent: Extent; readonly label: string }[] = [
  { extent: 'short', label: 'Short' },
  { extent: 'full', label: 'Full' },
];

const BodyField = ({ call, body, schemas }: BodyFieldProps) => {
  const id = useId();
  const { body: text } = call.draft.value;
  const names = new Set(call.operation.parameters.map(({ name }) => name));
  const problems = call.problems.value.filter(({ field }) => !names.has(field));
  const lines = text.split('\n').length + 1;
  return (
    <div class="field">
      <span class="actions">
        <label for={id}>Body</label>
        <span class="grow" />
        <span class="quiet">Template</span>
        {extents.map(({ extent, label }) => (
          <button
            key={extent}
            type="button"
            class="link"
            data-testid={`template-${extent}`}
            onClick={() => call.setBody(templateText(body, schemas, extent))}
          >
            {label}
          </button>
        ))}
      </span>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(mostLines, Math.max(fewestLines, lines))}
        spellcheck={false}
        autocomplete="off"
        value={text}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        data-testid="request-body"
        onInput={(event) => call.setBody(event.currentTarget.value)}
      />
      <ul id={`${id}-problems`} class="problems" data-testid="body-problems" role="status">
        {problems.map(({ field, message }) => (
          <li key={`${field} ${message}`} data-tone="bad">
            {field !== '' && <code>{field}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
};

interface FieldTableProps {
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
}

const FieldTable = (props: FieldTableProps) => {
  const schema = resolved(props.schema, props.schemas);
  const { properties = {}, required = [] } = schema;
  return (
    <table class="reference">
      <caption>Fields of the body</caption>
      <tbody>
        {fieldNames(schema).map((name) => {
          const field = properties[name] ?? {};
          return (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {typeText(field, props.schemas)}
                {required.includes(name) && <p class="quiet">required</p>}
              </td>
              <td class="wrap">
                {field.description ?? resolved(field, props.schemas).description}{' '}
                <span class="quiet">{allowedText(field, props.schemas)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

interface CopyButtonProps {
  readonly label: string;
  /** Null where there is nothing to copy now. */
  readonly text: () => string | null;
  readonly testId?: string;
}

const CopyButton = ({ label, text, testId }: CopyButtonProps) => {
  const isCopied = useSignal(false);
  const forHand = useSignal<string | null>(null);
  const copy = async (): Promise<void> => {
    const wanted = text();
    if (wanted === null) return;
    try {
      await navigator.clipboard.writeText(wanted);
      isCopied.value = true;
      forHand.value = null;
    } catch {
      forHand.value = wanted;
    }
  };
  return (
    <>
      <button
        type="button"
        data-testid={testId}
        onClick={() => void copy()}
        onBlur={() => {
          isCopied.value = false;
        }}
      >
        {label}
      </button>
      <span role="status" class="quiet">
        {isCopied.value && 'Copied'}
      </span>
      {forHand.value !== null && <pre class="by-hand">{forHand.value}</pre>}
    </>
  );
};

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
