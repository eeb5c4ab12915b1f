import { sentence } from '../format/figures.ts';
import { type Column, column, type Traits } from './table-columns.ts';

/** Sign and tone of each state: shape and word first, colour only in addition. */
const looks = new Map(
  [
    ['●', 'good', 'live ok running active open listening healthy answering error_active'],
    ['●', 'good', 'present current'],
    ['✓', 'good', 'succeeded finished passed'],
    ['○', 'idle', 'connecting starting closing idle queued off closed'],
    ['◌', 'idle', 'awaited armed'],
    ['‖', 'idle', 'stopped paused cancelled'],
    ['◆', 'ask', 'token'],
    // words-ok: behind
    ['▲', 'warn', 'degraded restarting reconnecting refused behind backing_off silent late'],
    [
      '▲',
      'warn',
      'resynchronising exception stale outdated error_warning error_passive incomplete waiting not_observed',
    ],
    ['■', 'warn', 'expired channel_closed'],
    ['▲', 'bad', 'invalid'],
    ['■', 'bad', 'unreachable ended lost bus_off failed'],
  ].flatMap(([sign, tone, states = '']) =>
    states.split(' ').map((state) => [state, { sign, tone }] as const),
  ),
);

const unknown = { sign: '○', tone: 'idle' };

interface StateMarkProps {
  readonly state: string;
  readonly label?: string;
  readonly testId?: string;
  readonly live?: boolean;
}

export const StateMark = ({ state, label, testId, live = false }: StateMarkProps) => {
  const { sign, tone } = looks.get(state) ?? unknown;
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

export const connectionText = (state: string): string =>
  state === 'token' ? 'Token needed' : sentence(state);

export const states = <Row,>(
  id: string,
  title: string,
  width: number,
  stateOf: (row: Row) => string | null,
  traits: Traits<Row> = {},
): Column<Row> => ({
  ...column(id, title, width, (row: Row) => stateOf(row) ?? '–', traits),
  render: (row) => {
    const state = stateOf(row);
    return state === null ? '–' : <StateMark state={state} />;
  },
});
