import { useEffect, useMemo } from 'preact/hooks';
import { call, type GatewaySignal } from '../../api/client.ts';
import { setSignal } from '../../gateway/actions.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { valueText } from '../../gateway/quality-mark.tsx';
import { SelectField, TextField, unusableWhile, withGone } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { setter } from '../../ui/set-signal.ts';
import { controlOf, draftProblem, rangeText, signalSetting } from './set-rules.ts';

interface SetControlProps {
  readonly instance: FollowedInstance;
  readonly entry: GatewaySignal;
  /** While false, typed text is kept but cannot be sent. */
  readonly canSend: boolean;
}

export const SetControl = ({ instance, entry, canSend }: SetControlProps) => {
  const setting = useMemo(
    () =>
      signalSetting({
        ask: () => call('gateway.signal', { instance: instance.name, signal: entry.id }),
        send: async (value) => valueText(await setSignal(instance.name, entry.id, value)),
      }),
    [instance, entry.id],
  );
  // Loaded once: the rules of an instance do not change.
  useEffect(() => {
    if (canSend && setting.rules.peek() === null) void setting.asking.run();
  }, [setting, canSend]);
  const { draft, confirmed, sending, asking } = setting;
  const rules = setting.rules.value;
  if (asking.error.value) {
    return (
      <>
        <ErrorNotice error={asking.error.value} testId="set-rules-error" />
        <button
          type="button"
          data-testid="set-rules-again"
          {...unusableWhile(asking.isBusy.value)}
          onClick={() => void asking.run()}
        >
          Retry
        </button>
      </>
    );
  }
  if (!rules) return canSend && <p class="quiet">Loading the value range…</p>;
  const control = controlOf(rules);
  const isBusy = sending.isBusy.value;
  // Another client can have set the signal in the meantime.
  const isConfirmed = confirmed.value !== null && confirmed.value === valueText(entry);
  const problem = draft.value.trim() === '' ? null : draftProblem(draft.value, rules);
  const chosen = draft.value === '' && control === 'labels' ? (entry.value ?? '') : draft.value;
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
            {...unusableWhile(isBusy || !canSend)}
            onChange={(event) => setting.submit(event.currentTarget.checked ? '1' : '0')}
          />{' '}
          {entry.value === '1' ? 'On' : 'Off'}
        </label>
      )}
      {control !== 'switch' && (
        <form
          class="set-value"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (problem === null && canSend) setting.submit(chosen);
          }}
        >
          {control === 'labels' ? (
            <SelectField
              label="Set to"
              value={chosen}
              choices={withGone(
                rules.labels.map(({ value, label }) => ({ value, label: `${label} (${value})` })),
                chosen,
                `${chosen} · no label`,
              )}
              onChange={setter(draft)}
              testId="set-choice"
            />
          ) : (
            <TextField
              label={`Set to${entry.unit ? ` (${entry.unit})` : ''}`}
              value={draft.value}
              onInput={setter(draft)}
              placeholder={entry.value ?? ''}
              error={problem}
              hint={rangeText(rules)}
              testId="set-value"
            />
          )}
          <button
            type="submit"
            class="primary"
            data-testid="set-submit"
            {...unusableWhile(isBusy || !canSend || problem !== null || chosen.trim() === '')}
          >
            Set
          </button>
        </form>
      )}
      <span role="status" data-testid="set-confirmed" data-tone="good">
        {isBusy && 'Sending…'}
        {isConfirmed && !isBusy && `✓ Set to ${confirmed.value}`}
      </span>
      <ErrorNotice error={sending.error.value} testId="set-error" />
    </div>
  );
};
