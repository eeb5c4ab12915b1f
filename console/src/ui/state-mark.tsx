import type { Column, Traits } from './table-columns.ts';

/** How each state is told apart: by a shape and a word, and by colour only on top of these. */
const looks: Readonly<Record<string, { sign: string; tone: string }>> = {
  live: { sign: '●', tone: 'good' },
  ok: { sign: '●', tone: 'good' },
  running: { sign: '●', tone: 'good' },
  active: { sign: '●', tone: 'good' },
  open: { sign: '●', tone: 'good' },
  listening: { sign: '●', tone: 'good' },
  healthy: { sign: '●', tone: 'good' },
  answering: { sign: '●', tone: 'good' },
  error_active: { sign: '●', tone: 'good' },
  present: { sign: '●', tone: 'good' },
  current: { sign: '●', tone: 'good' },
  succeeded: { sign: '✓', tone: 'good' },
  finished: { sign: '✓', tone: 'good' },
  connecting: { sign: '○', tone: 'idle' },
  starting: { sign: '○', tone: 'idle' },
  closing: { sign: '○', tone: 'idle' },
  idle: { sign: '○', tone: 'idle' },
  awaited: { sign: '◌', tone: 'idle' },
  queued: { sign: '○', tone: 'idle' },
  off: { sign: '○', tone: 'idle' },
  closed: { sign: '○', tone: 'idle' },
  stopped: { sign: '‖', tone: 'idle' },
  paused: { sign: '‖', tone: 'idle' },
  token: { sign: '◆', tone: 'ask' },
  degraded: { sign: '▲', tone: 'warn' },
  restarting: { sign: '▲', tone: 'warn' },
  reconnecting: { sign: '▲', tone: 'warn' },
  refused: { sign: '▲', tone: 'warn' },
  behind: { sign: '▲', tone: 'warn' },
  backing_off: { sign: '▲', tone: 'warn' },
  silent: { sign: '▲', tone: 'warn' },
  late: { sign: '▲', tone: 'warn' },
  resynchronising: { sign: '▲', tone: 'warn' },
  exception: { sign: '▲', tone: 'warn' },
  stale: { sign: '▲', tone: 'warn' },
  outdated: { sign: '▲', tone: 'warn' },
  error_warning: { sign: '▲', tone: 'warn' },
  error_passive: { sign: '▲', tone: 'warn' },
  incomplete: { sign: '▲', tone: 'warn' },
  expired: { sign: '■', tone: 'warn' },
  channel_closed: { sign: '■', tone: 'warn' },
  invalid: { sign: '▲', tone: 'bad' },
  unreachable: { sign: '■', tone: 'bad' },
  ended: { sign: '■', tone: 'bad' },
  lost: { sign: '■', tone: 'bad' },
  bus_off: { sign: '■', tone: 'bad' },
  failed: { sign: '■', tone: 'bad' },
};

const unknown = { sign: '○', tone: 'idle' };

interface StateMarkProps {
  readonly state: string;
  /** In place of the state's own word. */
  readonly label?: string;
  readonly testId?: string;
  /** Read out when it changes. */
  readonly live?: boolean;
}

/** A state as shape and word. */
export const StateMark = ({ state, label, testId, live = false }: StateMarkProps) => {
  const { sign, tone } = looks[state] ?? unknown;
  return (
    <span
      class="state"
      data-tone={tone}
      data-state={state}
      data-testid={testId}
      {...(live ? { role: 'status' } : {})}
    >
      <span aria-hidden="true">{sign}</span> {label ?? state.replaceAll('_', ' ')}
    </span>
  );
};

/** A column of states with their marks; null is shown as `–`. */
export const states = <Row,>(
  id: string,
  title: string,
  width: number,
  stateOf: (row: Row) => string | null,
  traits: Traits<Row> = {},
): Column<Row> => ({
  ...{ id, title, width, text: (row) => stateOf(row) ?? '–', ...traits },
  render: (row) => {
    const state = stateOf(row);
    return state === null ? '–' : <StateMark state={state} />;
  },
});
