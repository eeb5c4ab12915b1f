import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { OperationId } from '../api/client.ts';
import { openApi } from '../state/bench.ts';
import {
  CheckField,
  type Choice,
  Segments,
  SelectField,
  TextField,
  unusableWhile,
} from '../ui/fields.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { fieldSchema, isRequired } from './contract.ts';
import {
  type Control,
  type DraftValue,
  type FieldLayout,
  helpOf,
  labelOf,
  resolve,
  type SchemaForm,
} from './schema-form.ts';

interface FieldsForm<Fields extends object> {
  readonly id: OperationId;
  readonly draft: Signal<Fields>;
  readonly layout: readonly FieldLayout<Fields>[];
  problemOf(field: string): string | null;
  change(part: Partial<Fields>): void;
}

interface SuggestedProps extends Omit<Control<string>, 'problemOf'> {
  readonly title?: string;
  readonly suggestions?: readonly string[] | undefined;
}

export const SuggestedField = ({ suggestions, onChange, ...field }: SuggestedProps) => {
  const id = useId();
  if (!suggestions) return <TextField {...field} onInput={onChange} />;
  return (
    <>
      <TextField {...field} onInput={onChange} list={id} />
      <datalist id={id}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
};

const asChoice = (choice: Choice | string): Choice =>
  typeof choice === 'string' ? { value: choice, label: choice.replaceAll('_', ' ') } : choice;

interface FieldProps<Fields extends object> {
  readonly form: FieldsForm<Fields>;
  readonly layout: FieldLayout<Fields>;
}

const SchemaField = <Fields extends object>({ form, layout }: FieldProps<Fields>) => {
  const { key, field = key, none, suggestions } = layout;
  const draft = form.draft.value;
  const document = openApi.data.value;
  const schema = fieldSchema(document, form.id, field);
  const example = isRequired(document, form.id, field) ? schema?.examples?.[0] : undefined;
  const placeholder =
    layout.placeholder === undefined
      ? String(schema?.default ?? example ?? '')
      : resolve(layout.placeholder, draft);
  const hint = resolve(layout.hint, draft);
  const value = (layout.shown?.(draft) ?? draft[key]) as DraftValue;
  const change = (changed: DraftValue): void =>
    form.change(
      layout.change
        ? layout.change(changed as never, draft)
        : ({ [key]: changed } as Partial<Fields>),
    );
  const control = {
    label: labelOf(layout, draft),
    error: form.problemOf(field),
    ...(hint === undefined ? {} : { hint }),
    ...(layout.testId === undefined ? {} : { testId: layout.testId }),
    onChange: change,
  };
  if (layout.render) {
    const { problemOf } = form;
    const parts = { ...control, value, problemOf, ...(placeholder === '' ? {} : { placeholder }) };
    return <>{layout.render(parts as unknown as Control<Fields[keyof Fields & string]>, draft)}</>;
  }
  const title = schema ? helpOf(schema, layout.inMilliseconds) : '';
  if (typeof value === 'boolean') return <CheckField {...control} title={title} checked={value} />;
  const listed = resolve(layout.choices, draft) ?? schema?.enum?.map(String);
  if (listed) {
    const empty = none === undefined ? [] : [{ value: '', label: resolve(none, draft) }];
    const choices = [...empty, ...listed.map(asChoice)];
    if (layout.isSegmented) {
      return <Segments {...control} value={String(value)} choices={choices} />;
    }
    return <SelectField {...control} title={title} value={String(value)} choices={choices} />;
  }
  const parts = { ...control, title, value: String(value), placeholder };
  return <SuggestedField {...parts} suggestions={resolve(suggestions, draft)} />;
};

interface FieldsProps<Fields extends object> {
  readonly form: FieldsForm<Fields>;
  readonly areActions?: boolean;
}

export const SchemaFields = <Fields extends object>({ form, areActions }: FieldsProps<Fields>) => (
  <>
    {form.layout
      .filter(({ isAction = false }) => isAction === (areActions ?? false))
      .filter(({ isShown }) => isShown?.(form.draft.value) !== false)
      .map((layout) => {
        const field = <SchemaField key={layout.key} form={form} layout={layout} />;
        return layout.class ? (
          <div key={layout.key} class={layout.class}>
            {field}
          </div>
        ) : (
          field
        );
      })}
  </>
);

interface SubmitButtonProps {
  readonly form: { readonly isBusy: ReadonlySignal<boolean> };
  readonly testId: string;
  readonly children: ComponentChildren;
}

export const SubmitButton = ({ form, testId, children }: SubmitButtonProps) => (
  <button type="submit" class="primary" {...unusableWhile(form.isBusy.value)} data-testid={testId}>
    {children}
  </button>
);

interface FormViewProps<Id extends OperationId, Fields extends object> {
  readonly form: SchemaForm<Id, Fields>;
  readonly name: string;
  readonly class?: string;
  readonly submitId: string;
  readonly submitText: string;
  readonly onSubmit: (event: Event) => Promise<unknown>;
  readonly isOneLine?: boolean;
  readonly errorId?: string;
  readonly children?: ComponentChildren;
}

export const FormView = <Id extends OperationId, Fields extends object>({
  form,
  name,
  class: className = 'line-form',
  submitId,
  submitText,
  onSubmit,
  isOneLine = false,
  errorId = `${name}-error`,
  children,
}: FormViewProps<Id, Fields>) => {
  const actions = (
    <div class={isOneLine ? 'actions below-label' : 'actions'}>
      <SubmitButton form={form} testId={submitId}>
        {submitText}
      </SubmitButton>
      <SchemaFields form={form} areActions />
    </div>
  );
  return (
    <form
      class={className}
      noValidate
      data-testid={`${name}-form`}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
    >
      <div class="fields">
        <SchemaFields form={form} />
        {isOneLine && actions}
      </div>
      {children}
      {!isOneLine && actions}
      <ErrorNotice error={form.error.value} testId={errorId} />
    </form>
  );
};
