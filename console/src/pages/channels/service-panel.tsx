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
import { healthProblems, servicePage } from '../../ui/health-problems.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Fact } from './channel-facts.tsx';

const Threads = ({ threads }: Pick<Health['daemon'], 'threads'>) => (
  <table data-testid="threads">
    <thead>
      <tr>
        <th scope="col">Thread</th>
        <th scope="col">State</th>
        <th scope="col" class="number">
          Restarts
        </th>
        <th scope="col">Last failure</th>
      </tr>
    </thead>
    <tbody>
      {threads.map(({ name, state, restarts, last_failure }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <StateMark state={state} />
          </td>
          <td class="number">{formatCount(restarts)}</td>
          <td class="wrap">{last_failure ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Versions = () => {
  const { data } = useResource(info);
  const known = data.value;
  return (
    <dl data-testid="versions">
      <Fact name={known?.product ?? 'Product'}>{known?.version ?? '–'}</Fact>
      <Fact name="Contract">{known?.contract ?? '–'}</Fact>
      <Fact name="API">{known?.api ?? '–'}</Fact>
      <Fact name="Node" whole>
        {known ? `${known.node} ${known.platform}` : '–'}
      </Fact>
    </dl>
  );
};

const Daemon = ({ daemon }: Pick<Health, 'daemon'>) => {
  const { count } = daemon.scheduler.lateness_us;
  const { p50, p99, p999, max } = daemon.scheduler.last_minute_lateness_us;
  return (
    <>
      <h3>
        Daemon <StateMark state={daemon.status} />
      </h3>
      <dl>
        <Fact name="Uptime">{formatUptime(daemon.uptime_us / 1_000_000)}</Fact>
        <Fact name="Process">{daemon.pid}</Fact>
        <Fact name="Real time">{daemon.realtime}</Fact>
        <Fact name="Tasks">{formatCount(daemon.scheduler.tasks)}</Fact>
        <Fact name="Runs">{formatCount(count)}</Fact>
        <Fact name="Lateness, last minute" whole>
          {count === 0
            ? 'nothing was due yet'
            : `p50 ${formatMicroseconds(p50)}, p99 ${formatMicroseconds(p99)}, p99.9 ${formatMicroseconds(p999)}, worst ${formatMicroseconds(max)}`}
        </Fact>
      </dl>
      <Threads threads={daemon.threads} />
    </>
  );
};

const Web = ({ web }: Pick<Health, 'web'>) => (
  <>
    <h3>
      Web service <StateMark state={web.status} />
    </h3>
    <dl>
      <Fact name="Listens at" whole>
        <code>{web.listen ?? '–'}</code>
      </Fact>
      <Fact name="Clients">{formatCount(web.clients)}</Fact>
      <Fact name="Requests">{formatCount(web.requests)}</Fact>
      <Fact name="Log dropped" alarm={web.log_records_dropped > 0}>
        {formatCount(web.log_records_dropped)}
      </Fact>
    </dl>
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
        <p>The daemon’s log on the bench machine has the details.</p>
      )}
    </Notice>
  );
};

/** How the service fares, part by part, and what it is. */
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
        {known && <Daemon daemon={known.daemon} />}
        {known && <Web web={known.web} />}
        {known && (
          <>
            <h3>
              Broker <StateMark state={known.broker.status} />
            </h3>
            <dl>
              <Fact name="Channels">{formatCount(known.broker.channels)}</Fact>
              <Fact name="Impaired" alarm={known.broker.impaired.length > 0}>
                {known.broker.impaired.map(({ selector }) => selector).join(', ') || 'none'}
              </Fact>
            </dl>
          </>
        )}
      </ScrollArea>
    </Panel>
  );
};
