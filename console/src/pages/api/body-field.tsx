import { useId } from 'preact/hooks';
import { type Extent, type Schemas, type TemplateBody, templateText } from './body-template.ts';
import type { OperationCall } from './call-state.ts';

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

/** The body as JSON, from a template of its schema, with what the contract has against it. */
export const BodyField = ({ call, body, schemas }: BodyFieldProps) => {
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
