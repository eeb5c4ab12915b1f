import type { Act } from '../../forms/act.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { unusableWhile } from '../../ui/unusable.ts';

interface WorkHeaderProps {
  /** Begins the names that tests find its parts by. */
  readonly name: string;
  /** What is shown of the state; null before the first answer. */
  readonly state: string | null;
  /** In place of the state's own word. */
  readonly label?: string | undefined;
  readonly isRunning: boolean;
  /** What to do first, while nothing was done yet. */
  readonly hint: string | null;
  readonly stop: Act;
}

/** What stands beside the title of something that runs until it is stopped. */
export const WorkHeader = ({ name, state, label, isRunning, hint, stop }: WorkHeaderProps) => (
  <>
    {state !== null && (
      <StateMark
        state={state}
        {...(label === undefined ? {} : { label })}
        testId={`${name}-state`}
        live
      />
    )}
    {hint !== null && <span class="quiet">{hint}</span>}
    <span class="grow" />
    {isRunning && (
      <button
        type="button"
        {...unusableWhile(stop.isBusy.value)}
        onClick={() => void stop.run()}
        data-testid={`${name}-stop`}
      >
        Stop
      </button>
    )}
  </>
);
