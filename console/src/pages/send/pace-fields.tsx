import { fieldSchema } from '../../forms/contract.ts';
import { openApi } from '../../state/bench.ts';
import { TextField } from '../../ui/fields.tsx';
import type { PaceDraft } from './frame-draft.ts';
import { pace, result, sendForm } from './send-state.ts';

const changePace = (part: Partial<PaceDraft>): void => {
  pace.value = { ...pace.peek(), ...part };
  result.value = null;
  for (const field of Object.keys(part)) sendForm.touch(field === 'cycle_ms' ? 'cycle_us' : field);
};

const defaultOf = (field: string): string => {
  const value = fieldSchema(openApi.data.value, 'message.send', field)?.default;
  return value === undefined ? '' : String(value);
};

/** How often the frame is sent now. */
export const PaceFields = () => (
  <div class="fields">
    <TextField
      label="Count"
      value={pace.value.count}
      onInput={(count) => changePace({ count })}
      error={sendForm.problemOf('count')}
      placeholder={defaultOf('count')}
      testId="send-count"
    />
    <TextField
      label="Cycle (ms)"
      value={pace.value.cycle_ms}
      onInput={(cycle_ms) => changePace({ cycle_ms })}
      error={sendForm.problemOf('cycle_us')}
      placeholder={defaultOf('cycle_us')}
      testId="send-cycle"
    />
    <TextField
      label="Timeout (ms)"
      value={pace.value.timeout_ms}
      onInput={(timeout_ms) => changePace({ timeout_ms })}
      error={sendForm.problemOf('timeout_ms')}
      placeholder={defaultOf('timeout_ms')}
      testId="send-timeout"
    />
  </div>
);
