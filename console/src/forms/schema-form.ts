import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { JsonSchema } from '../../../src/base/json-schema/json-schema.ts';
import type { Answer, OperationId } from '../api/client.ts';
import { formatCount } from '../format/figures.ts';
import { type OpenApiDocument, openApi } from '../state/bench.ts';
import type { Choice } from '../ui/fields.tsx';
import { fieldSchema, isRequired, type Problem } from './contract.ts';
import { integerOf, microsecondsOf, numberOf } from './number-text.ts';
import { type RequestForm, requestForm, type Submission } from './request-form.ts';

export type DraftValue = string | boolean | readonly string[];

type Of<Fields, Value> = Value | ((draft: Fields) => Value);

export interface Control<Value = DraftValue> {
  readonly label: string;
  readonly value: Value;
  readonly error: string | null;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly testId?: string;
  readonly onChange: (value: Value) => void;
  readonly problemOf: (field: string) => string | null;
}

export type FieldLayout<Fields extends object> = {
  [Key in keyof Fields & string]: LayoutOf<Fields, Key>;
}[keyof Fields & string];

interface LayoutOf<Fields extends object, Key extends keyof Fields & string> {
  readonly key: Key;
  /** Schema name, such as `source.id`. Default: the key. */
  readonly field?: string;
  /** A unit is appended if the schema name ends with one. */
  readonly label: Of<Fields, string>;
  readonly testId?: string;
  readonly class?: 'all' | 'pair' | 'rest' | 'wide';
  /** Default: the schema's default, otherwise the example of a required field. */
  readonly placeholder?: Of<Fields, string>;
  readonly hint?: Of<Fields, string | undefined>;
  /** Entered in milliseconds, although the schema has microseconds. */
  readonly inMilliseconds?: boolean;
  /** Makes the field a choice; an enum always is one. */
  readonly choices?: Of<Fields, readonly (Choice | string)[]>;
  readonly isSegmented?: boolean;
  readonly none?: Of<Fields, string>;
  readonly suggestions?: Of<Fields, readonly string[]>;
  readonly isShown?: (draft: Fields) => boolean;
  readonly shown?: (draft: Fields) => Fields[Key];
  readonly change?: (value: Fields[Key], draft: Fields) => Partial<Fields>;
  readonly read?: (value: Fields[Key]) => unknown;
  readonly render?: (control: Control<Fields[Key]>, draft: Fields) => ComponentChildren;
  readonly isAction?: boolean;
}

export interface SchemaForm<Id extends OperationId, Fields extends object>
  extends Omit<RequestForm<Id>, 'submit'> {
  readonly id: Id;
  readonly draft: Signal<Fields>;
  readonly layout: readonly FieldLayout<Fields>[];
  change(part: Partial<Fields>): void;
  body(): Readonly<Record<string, unknown>>;
  submit(submission?: Partial<Submission<Id>>): Promise<Answer<Id> | null>;
}

export const resolve = <Fields, Value>(of: Of<Fields, Value>, draft: Fields): Value =>
  typeof of === 'function' ? (of as (draft: Fields) => Value)(draft) : of;

const unitOf = (field: string): string | undefined =>
  /_(ms|us)$/.exec(field)?.[1]?.replace('us', 'µs');

export const labelOf = <Fields extends object>(
  { key, field = key, label, inMilliseconds }: FieldLayout<Fields>,
  draft: Fields,
): string => {
  const unit = inMilliseconds ? 'ms' : unitOf(field);
  return `${resolve(label, draft)}${unit === undefined ? '' : ` (${unit})`}`;
};

/** Tooltip of a field: description, range and default, in the unit of the field. */
export const helpOf = (schema: JsonSchema, inMilliseconds = false): string => {
  const { description, minimum, maximum, default: usual } = schema;
  const shown = (value: number): string =>
    (inMilliseconds ? value / 1000 : value).toLocaleString('en');
  const hasRange = minimum !== undefined && maximum !== undefined;
  return [
    ...(description === undefined ? [] : [description]),
    ...(hasRange ? [`${shown(minimum)} to ${shown(maximum)}`] : []),
    ...(usual === undefined
      ? []
      : [`Default: ${typeof usual === 'number' ? shown(usual) : String(usual)}`]),
  ].join('. ');
};

const readText = (text: string, schema: JsonSchema | null): unknown => {
  if (schema?.type === 'integer' || schema?.type === 'number') {
    return schema['x-hex'] ? integerOf(text) : numberOf(text);
  }
  if (schema?.type === 'boolean') return text === '' ? '' : text === 'true' || text === 'on';
  return text.trim();
};

const put = (body: Record<string, unknown>, field: string, value: unknown): void => {
  const [first = '', ...rest] = field.split('.');
  if (rest.length === 0) body[first] = value;
  else {
    body[first] ??= {};
    put(body[first] as Record<string, unknown>, rest.join('.'), value);
  }
};

/** Request body of a draft. An empty or unticked field is omitted unless it is required. */
export const bodyOf = <Fields extends object>(
  document: OpenApiDocument | null,
  id: OperationId,
  layout: readonly FieldLayout<Fields>[],
  draft: Fields,
): Readonly<Record<string, unknown>> => {
  const body: Record<string, unknown> = {};
  for (const { key, field = key, isShown, read, inMilliseconds } of layout) {
    if (isShown?.(draft) === false) continue;
    const typed = draft[key] as DraftValue;
    let value: unknown = typed;
    if (read) value = read(draft[key] as never);
    else if (inMilliseconds) value = microsecondsOf(String(typed));
    else if (typeof typed === 'string') value = readText(typed, fieldSchema(document, id, field));
    const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0);
    const isOmitted = value === undefined || (isEmpty && !isRequired(document, id, field));
    // The answer "no" of a yes/no choice is sent.
    if (!isOmitted || (value === false && typeof typed === 'string')) put(body, field, value);
  }
  return body;
};

export const durationProblems = (
  schema: JsonSchema | null,
  field: string,
  text: string,
): readonly Problem[] => {
  const us = microsecondsOf(text);
  if (us === undefined) return [];
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema ?? {};
  if (typeof us === 'string') return [{ field, message: 'Must be a number of milliseconds' }];
  if (us < minimum) return [{ field, message: `Must be at least ${minimum / 1000}` }];
  if (us > maximum) return [{ field, message: `Must be at most ${formatCount(maximum / 1000)}` }];
  return Number.isInteger(us) ? [] : [{ field, message: 'Must be a multiple of 0.001' }];
};

export const schemaForm = <Id extends OperationId, Fields extends object>(
  id: Id,
  first: Fields,
  layout: readonly FieldLayout<Fields>[],
  form: RequestForm<Id> = requestForm(id),
): SchemaForm<Id, Fields> => {
  const draft = signal(first);
  const body = () => bodyOf(openApi.data.peek(), id, layout, draft.peek());
  const problems = (): readonly Problem[] =>
    layout
      .filter(({ inMilliseconds, isShown }) => inMilliseconds && isShown?.(draft.peek()) !== false)
      .flatMap(({ key, field = key }) => {
        const schema = fieldSchema(openApi.data.peek(), id, field);
        return durationProblems(schema, field, String(draft.peek()[key]));
      });
  return {
    ...form,
    id,
    draft,
    layout,
    body,
    change: (part) => {
      draft.value = { ...draft.peek(), ...part };
      for (const { key, field = key } of layout) if (key in part) form.touch(field);
    },
    submit: async ({ problems: own = [], ...rest } = {}) => {
      if (!openApi.data.peek()) await openApi.refresh();
      return form.submit({
        body: body(),
        visible: layout.map(({ key, field = key }) => field),
        ...rest,
        problems: [...own, ...problems()],
      });
    },
  };
};
