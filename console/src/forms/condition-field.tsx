import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import type { PageId } from '../state/pages.ts';
import { useInterval } from '../state/use-interval.ts';
import { useSettled } from '../state/use-settled.ts';
import { TextField } from '../ui/fields.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { type CheckedCondition, conditionCheck } from './condition-check.ts';
import {
  caretLines,
  firedText,
  kindText,
  offsetOf,
  refusalText,
  termText,
} from './condition-text.ts';
import type { Control } from './schema-form.ts';

const typingMs = 300;
/** The count is of the last minute, so it changes without typing. */
const recountMs = 5000;

interface NoteProps {
  readonly of: CheckedCondition;
  readonly testId: string;
}

const Note = ({ of: { text, report, error }, testId }: NoteProps) => {
  const offset = error && offsetOf(error);
  if (error && offset === null) return <ErrorNotice error={error} testId={testId} />;
  return (
    <div class="condition-note" role="status" data-testid={testId}>
      {error && offset !== null && (
        <>
          <pre aria-hidden="true">{caretLines(text, offset)}</pre>
          <p data-tone="bad">{refusalText(error)}</p>
        </>
      )}
      {report && (
        <>
          <p>{firedText(report)}</p>
          <p class="quiet">{kindText(report)}</p>
          {report.terms.map((term, at) => (
            <p key={at} class="quiet">
              {termText(term)}
            </p>
          ))}
        </>
      )}
    </div>
  );
};

interface ConditionFieldProps extends Omit<Control<string>, 'problemOf'> {
  /** The page of the field, while which is shown its condition is counted again. */
  readonly page: PageId;
  readonly testId: string;
}

/** A condition that the service checks while it is typed. */
export const ConditionField = ({ page, onChange, ...field }: ConditionFieldProps) => {
  const { value, error, testId } = field;
  const check = useMemo(conditionCheck, []);
  const typed = value.trim();
  const settled = useSettled(typed, typingMs);
  const beat = useSignal(0);
  useInterval(page, beat, recountMs);
  useEffect(() => {
    if (isServed.peek() || settled === '') check.check(settled);
  }, [settled, beat.value]);
  const found = check.latest.value;
  return (
    <div class="condition-field">
      <TextField {...field} onInput={onChange} />
      {typed !== '' &&
        error === null &&
        (found?.text === typed ? (
          <Note of={found} testId={`${testId}-note`} />
        ) : (
          <p class="condition-note quiet">Checking…</p>
        ))}
    </div>
  );
};
