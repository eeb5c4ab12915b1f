import type { Health } from '../../api/client.ts';
import { formatCount, formatMicroseconds, formatTime, formatUptime } from '../../format/figures.ts';
import { info } from '../../state/bench.ts';
import {
  answeredAt,
  connection,
  connectionError,
  health,
  isServed,
} from '../../state/connection.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { healthProblems, servicePage } from '../../ui/health-problems.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';

type Scheduler = Health['daemon']['scheduler'];

const Versions = () => {
  const { data } = useResource(info);
  const known = data.value;
  return (
    <Facts
      testId="versions"
      of={[
        [known?.product ?? 'Product', known?.version ?? '–'],
        ['Contract', known?.contract ?? '–'],
        ['API', known?.api ?? '–'],
        ['Node', known ? `${known.node} ${known.platform}` : '–', { whole: true }],
      ]}
    />
  );
};

const latenessText = ({ lateness_us, last_minute_lateness_us }: Scheduler): string => {
  if (lateness_us.count === 0) return 'no data';
  const { p50, p99, p999, max } = last_minute_lateness_us;
  const shares = Object.entries({ p50, p99, 'p99.9': p999, max });
  const texts = shares.map(([name, us]) => `${name} ${formatMicroseconds(us)}`);
  return `${texts.join(', ')} (last minute)`;
};

interface PartProps {
  readonly name: string;
  readonly status: string;
  readonly facts: readonly Fact[];
}

const Part = ({ name, status, facts }: PartProps) => (
  <>
    <h3>
      {name} <StateMark state={status} />
    </h3>
    <Facts of={facts} />
  </>
);

const Parts = ({ daemon, web, broker }: Health) => (
  <>
    <Part
      name="Daemon"
      status={daemon.status}
      facts={[
        ['Uptime', formatUptime(daemon.uptime_us / 1_000_000)],
        ['PID', daemon.pid],
        ['Real-time', daemon.realtime],
        ['Tasks', formatCount(daemon.scheduler.tasks)],
        ['Task runs', formatCount(daemon.scheduler.lateness_us.count)],
        ['Lateness', latenessText(daemon.scheduler), { whole: true }],
      ]}
    />
    <PlainTable
      testId="threads"
      hasRowHeads
      rows={daemon.threads}
      keyOf={({ name }) => name}
      columns={[
        ['Thread', ({ name }) => name],
        ['State', ({ state }) => <StateMark state={state} />],
        ['Restarts', ({ restarts }) => formatCount(restarts), 'number'],
        ['Last failure', ({ last_failure }) => last_failure ?? '–', 'wrap'],
      ]}
    />
    <Part
      name="Web service"
      status={web.status}
      facts={[
        ['Address', <code>{web.listen ?? '–'}</code>, { whole: true }],
        ['Clients', formatCount(web.clients)],
        ['Requests', formatCount(web.requests)],
        ['Log drops', formatCount(web.log_records_dropped), { alarm: web.log_records_dropped > 0 }],
      ]}
    />
    <Part
      name="Broker"
      status={broker.status}
      facts={[
        ['Channels', formatCount(broker.channels)],
        [
          'Impaired',
          broker.impaired.map(({ selector }) => selector).join(', ') || 'none',
          { alarm: broker.impaired.length > 0 },
        ],
      ]}
    />
  </>
);

const HealthProblems = ({ of }: { readonly of: Health }) => {
  const found = healthProblems(of);
  if (found.length === 0) return null;
  return (
    <Notice tone="warn" testId="health-problems">
      <p>
        {found.map(({ text, href }) => (
          <>
            <a href={href}>{text}</a>.{' '}
          </>
        ))}
      </p>
      {found.some(({ href }) => href === servicePage) && (
        <p>See the daemon log on the bench machine for details.</p>
      )}
    </Notice>
  );
};

export const ServicePanel = () => {
  const known = health.value;
  const isStale = !isServed.value || connectionError.value !== null;
  return (
    <Panel
      title="Service"
      testId="health"
      class="service"
      freshness={{ isAwaited: !known, staleSince: isStale && known ? answeredAt.value : null }}
      header={
        <>
          {!isStale && known && <StateMark state={known.status} testId="health-status" />}
          <span class="grow" />
          {!isStale && answeredAt.value && (
            <span class="quiet" data-testid="health-updated">
              {formatTime(answeredAt.value)}
            </span>
          )}
        </>
      }
    >
      <ErrorNotice
        error={connectionError.value}
        tone={connection.value === 'token' ? 'ask' : 'bad'}
        testId="health-error"
      />
      {known && !isStale && <HealthProblems of={known} />}
      <ScrollArea>
        <Versions />
        {known && <Parts {...known} />}
      </ScrollArea>
    </Panel>
  );
};
