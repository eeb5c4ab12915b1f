import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { GatewaySignal, GatewaySignalRules } from '../../api/schema.ts';
import { act } from '../../forms/act.ts';
import { setSignal } from '../../gateway/actions.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { valueText } from '../../gateway/quality-mark.tsx';
import { SelectField, TextField, withGone } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { controlOf, draftProblem, rangeText } from './set-rules.ts';

interface SetControlProps {
  readonly instance: FollowedInstance;
  readonly entry: GatewaySignal;
}

/** What the signal may be, asked for once: it does not change while the instance is there. */
const useRules = ({ instance, entry }: SetControlProps) => {
  const rules = useSignal<GatewaySignalRules | null>(null);
  const error = useSignal<ApiError | null>(null);
  const generation = instance.generation.value;
  useEffect(() => {
    const params = { instance: instance.name, signal: entry.id };
    call('gateway.signal', { params }).then(
      (answer) => {
        rules.value = answer;
      },
      (thrown: ApiError) => {
        error.value = thrown;
      },
    );
  }, [entry.id, generation]);
  return { rules: rules.value, error: error.value };
};

/** Gives a software signal a value: by a switch, a number or a choice of labels, as its type is. */
export const SetControl = ({ instance, entry }: SetControlProps) => {
  const { rules, error } = useRules({ instance, entry });
  const draft = useSignal('');
  const confirmed = useSignal<string | null>(null);
  const set = useMemo(
    () =>
      act(async () => {
        confirmed.value = null;
        const answer = await setSignal(instance.name, entry.id, draft.peek().trim());
        confirmed.value = valueText(answer);
        draft.value = '';
      }),
    [instance, entry.id],
  );
  const send = (value: string): void => {
    draft.value = value;
    void set.run();
  };
  if (error) return <ErrorNotice error={error} testId="set-rules-error" />;
  if (!rules) return <p class="quiet">Looking up what it may be…</p>;
  const control = controlOf(rules);
  const problem = draft.value.trim() === '' ? null : draftProblem(draft.value, rules);
  return (
    <div class="set-control" data-testid="set-control">
      {control === 'switch' && (
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            aria-checked={entry.value === '1'}
            data-testid="set-switch"
            checked={entry.value === '1'}
            disabled={set.isBusy.value}
            onChange={(event) => send(event.currentTarget.checked ? '1' : '0')}
          />{' '}
          {entry.value === '1' ? 'On' : 'Off'}
        </label>
      )}
      {control === 'labels' && (
        <SelectField
          label="Set to"
          value={entry.value ?? ''}
          choices={withGone(
            rules.labels.map(({ value, label }) => ({ value, label: `${label} (${value})` })),
            entry.value ?? '',
            `${entry.value} · no label`,
          )}
          onChange={send}
          testId="set-choice"
        />
      )}
      {control === 'number' && (
        <form
          class="set-number"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (problem === null && draft.value.trim() !== '') void set.run();
          }}
        >
          <TextField
            label={`Set to${entry.unit ? `, ${entry.unit}` : ''}`}
            value={draft.value}
            onInput={(text) => {
              draft.value = text;
            }}
            placeholder={entry.value ?? ''}
            error={problem}
            hint={rangeText(rules)}
            testId="set-value"
          />
          <button
            type="submit"
            class="primary"
            data-testid="set-submit"
            disabled={set.isBusy.value || problem !== null || draft.value.trim() === ''}
          >
            Set
          </button>
        </form>
      )}
      <span role="status" data-testid="set-confirmed" data-tone="good">
        {set.isBusy.value && 'Sending…'}
        {confirmed.value !== null && !set.isBusy.value && `✓ The service has ${confirmed.value}`}
      </span>
      <ErrorNotice error={set.error.value} testId="set-error" />
    </div>
  );
};
