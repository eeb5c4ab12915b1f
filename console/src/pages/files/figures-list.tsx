import type { ComponentChildren } from 'preact';
import type { Act } from '../../forms/act.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { StateMark } from '../../ui/state-mark.tsx';

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

type Row = readonly [label: string, value: ComponentChildren];

interface FiguresProps {
  readonly rows: readonly Row[];
  /** Longer ones, each on a line of its own, above the others. */
  readonly lines?: readonly Row[];
  /** Too long for one column, and too short for a line. */
  readonly pairs?: readonly Row[];
  readonly testId?: string;
}

const entries = (rows: readonly Row[], kind: string) =>
  rows.map(([label, value]) => (
    <div key={label} class={kind}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  ));

/** Figures with their names, in columns whose digits stand below each other. */
export const Figures = ({ rows, lines = [], pairs = [], testId }: FiguresProps) => (
  <dl class="figures" data-testid={testId}>
    {entries(lines, 'line')}
    {entries(rows, 'figure')}
    {entries(pairs, 'figure pair')}
  </dl>
);

interface RecordErrorProps {
  readonly error: {
    readonly code?: string;
    readonly reason?: string;
    readonly message: string;
  } | null;
  readonly testId: string;
}

/** Why work that once ran came to an end. */
export const WorkError = ({ error, testId }: RecordErrorProps) =>
  error && (
    <div class="notice" data-tone="bad" data-testid={testId} role="status">
      <p>
        <code>{error.code ?? error.reason}</code> {error.message}
      </p>
    </div>
  );
