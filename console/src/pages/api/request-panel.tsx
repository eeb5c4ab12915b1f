import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import {
  type JsonSchema,
  resolveSchema,
  type Schemas,
} from '../../../../src/base/json-schema/json-schema.ts';
import { typeWord } from '../../../../src/base/json-schema/schema-text.ts';
import { framesSubprotocol, tokenPrefix } from '../../../../src/frame/frames-subprotocol.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { type Choice, SelectField, TextField, unusableWhile } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setting } from '../../ui/set-signal.ts';
import type { ApiParameter } from './api-operations.ts';
import {
  allowedText,
  type Extent,
  fieldNames,
  type TemplateBody,
  templateText,
} from './body-template.ts';
import type { OperationCall } from './call-state.ts';
import { FieldType, OperationText } from './operation-detail.tsx';
import { checkRequest, curlText, curlTokenHint } from './request-draft.ts';

interface ParameterFieldProps {
  readonly call: OperationCall;
  readonly parameter: ApiParameter;
  readonly schemas: Schemas;
}

const hintOf = ({ description, schema }: ApiParameter, schemas: Schemas): string => {
  const { type } = resolveSchema(schema, schemas);
  return [
    description ?? schema.description,
    allowedText(schema, schemas),
    ...(type === 'array' ? ['separate values with commas'] : []),
  ]
    .filter(Boolean)
    .join('; ');
};

const choicesOf = (schema: JsonSchema): readonly Choice[] | null => {
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (!values) return null;
  return [
    { value: '', label: 'Omit' },
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
  const choices = choicesOf(resolveSchema(parameter.schema, schemas));
  return choices ? (
    <SelectField {...common} choices={choices} onChange={change} />
  ) : (
    <TextField {...common} onInput={change} />
  );
};

interface RequestPanelProps {
  readonly call: OperationCall;
  readonly schemas: Schemas;
}

const pageOf = (id: string): { readonly page: string; readonly title: string } =>
  id.startsWith('signal.')
    ? { page: 'signals', title: 'Signals' }
    : { page: 'trace', title: 'Trace' };

const StreamGuide = ({ call, schemas }: RequestPanelProps) => {
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
        This operation is a stream. The <a href={`#${page}`}>{title}</a> page reads it; to read it
        elsewhere:
      </p>
      {stream === 'sse' ? (
        <>
          <pre>{curlText(request, { origin: location.origin, needsToken, isStream: true })}</pre>
          {needsToken && <p class="quiet">{curlTokenHint}</p>}
          <p class="quiet">
            The header <code>Last-Event-ID</code> or the parameter <code>after</code> resumes after
            an event. A <code>gap</code> event reports missed events.
          </p>
        </>
      ) : (
        <>
          <pre>
            {`new WebSocket(${JSON.stringify(socket)}, [${offered.map((name) => JSON.stringify(name)).join(', ')}])`}
          </pre>
          <p class="quiet">
            Each binary message is one event; a text message reports a gap. The parameter{' '}
            <code>after</code> resumes after an event.
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

const minLines = 4;
const maxLines = 18;

const extents: Readonly<Record<Extent, string>> = { short: 'Required fields', full: 'All fields' };

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
        {(Object.keys(extents) as Extent[]).map((extent) => (
          <button
            key={extent}
            type="button"
            class="link"
            data-testid={`template-${extent}`}
            onClick={() => call.setBody(templateText(body, schemas, extent))}
          >
            {extents[extent]}
          </button>
        ))}
      </span>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(maxLines, Math.max(minLines, lines))}
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

const FieldTable = (props: { readonly schema: JsonSchema; readonly schemas: Schemas }) => {
  const { schemas } = props;
  const schema = resolveSchema(props.schema, schemas);
  const { properties = {}, required = [] } = schema;
  const fields = fieldNames(schema).map((name) => ({ name, field: properties[name] ?? {} }));
  return (
    <PlainTable
      class="reference"
      caption="Body fields"
      hasRowHeads
      hasHead={false}
      rows={fields}
      keyOf={({ name }) => name}
      columns={[
        ['Name', ({ name }) => <code>{name}</code>],
        [
          'Type',
          ({ name, field }) => (
            <FieldType type={typeWord(field, schemas)} isRequired={required.includes(name)} />
          ),
        ],
        [
          'Description',
          ({ field }) => (
            <>
              {field.description ?? resolveSchema(field, schemas).description}{' '}
              <span class="quiet">{allowedText(field, schemas)}</span>
            </>
          ),
          'wrap',
        ],
      ]}
    />
  );
};

interface CopyButtonProps {
  readonly label: string;
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
        onBlur={setting(isCopied, false)}
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
        <OperationText {...operation}>
          {operation.permission && <span class="quiet">Permission: {operation.permission}.</span>}
        </OperationText>
        {operation.parameters.length > 0 && (
          <div class="fields">
            {operation.parameters.map((parameter) => (
              <ParameterField
                key={parameter.name}
                call={call}
                parameter={parameter}
                schemas={schemas}
              />
            ))}
          </div>
        )}
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
