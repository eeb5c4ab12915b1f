import type { GatewayTask } from '../../api/schema.ts';
import { formatCount, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { timingBars } from './timing-bars.ts';

/** Counters of a task that are shown once they count. */
const counters = [
  ...(['accepted', 'sent', 'failed', 'pending', 'unconfirmed', 'coalesced', 'late'] as const),
  ...(['missed', 'queued_requests', 'cancelled_requests'] as const),
  ...(['processor_rejected_requests', 'generated', 'injected', 'unprotected'] as const),
  ...(['dropped', 'repeated', 'suppressed', 'fault_conflicts'] as const),
] as const;

const always: readonly string[] = ['accepted', 'sent', 'failed', 'late', 'missed'];

const widths = [
  ['p99', 'far'],
  ['p95', 'near'],
  ['p50', 'half'],
] as const;

/** The five groups of measurements as bars on one scale: half, 95 and 99 of a hundred. */
const Timings = ({ task }: { readonly task: GatewayTask }) => (
  <table class="timings" data-testid="task-timings">
    <thead>
      <tr>
        <th>Timing</th>
        <td />
        <th class="number">p50</th>
        <th class="number">p95</th>
        <th class="number">p99</th>
        <th class="number">max</th>
      </tr>
    </thead>
    <tbody>
      {timingBars(task).map((bar) => (
        <tr key={bar.name} data-timing={bar.name}>
          <td title={`${bar.meaning}; ${formatCount(bar.timing.count)} measurements`}>
            {bar.title}
          </td>
          <td class="bar-cell">
            <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
              {widths.map(([name, look]) => (
                <rect key={name} class={look} x="0" y="2" height="6" width={bar[name]} />
              ))}
            </svg>
          </td>
          {(['p50', 'p95', 'p99', 'max'] as const).map((name) => (
            <td key={name} class="number">
              {bar.timing.count === 0 ? '–' : formatMicroseconds(bar.timing[name])}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** All that is known of one task. */
export const TaskDetail = ({ task }: { readonly task: GatewayTask }) => (
  <div class="task-detail" data-testid="task-detail">
    <h3>
      {task.id} <span class="quiet">{task.mode === 'request' ? 'sends on request' : ''}</span>
    </h3>
    {task.error && (
      <p data-tone="bad" data-testid="task-error">
        <span aria-hidden="true">▲</span> {task.error.message} (<code>{task.error.code}</code>),{' '}
        {formatInstant(task.error.timestamp_us)}. It goes with the next transmission that succeeds.
      </p>
    )}
    <Timings task={task} />
    <dl class="task-counters">
      {counters
        .filter((name) => always.includes(name) || task[name] > 0)
        .map((name) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd class="number">{formatCount(task[name])}</dd>
          </div>
        ))}
      <div>
        <dt>last lateness</dt>
        <dd class="number">{formatMicroseconds(task.last_lateness_us)}</dd>
      </div>
      <div>
        <dt>largest lateness</dt>
        <dd class="number">{formatMicroseconds(task.max_lateness_us)}</dd>
      </div>
    </dl>
  </div>
);
