import { type Choice, SelectField, TextField } from '../../ui/fields.tsx';
import type { ApiParameter } from './api-operations.ts';
import { resolved, type Schemas } from './body-template.ts';
import type { OperationCall } from './call-state.ts';
import { allowedText } from './schema-text.ts';

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

/** A field for everything that goes into the path and the query of an operation. */
export const ParameterFields = ({ call, schemas }: ParameterFieldsProps) => {
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
