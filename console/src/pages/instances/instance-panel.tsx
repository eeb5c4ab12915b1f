import type { GatewayInstance } from '../../api/client.ts';
import { formatCount, formatInstant, formatRate, sentence } from '../../format/figures.ts';
import {
  type CounterRates,
  type RatedCounter,
  ratedCounters,
} from '../../gateway/counter-rates.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence } from '../../gateway/instance-bar.tsx';
import { capabilities } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { healthReasons, memoryText } from './health-reasons.ts';
import { InstanceActions } from './instance-actions.tsx';

interface CounterRow {
  readonly name: string;
  readonly title: string;
  readonly total: number;
  readonly rate: number | null;
  readonly isAlarm: boolean;
}

const alarming: readonly string[] = ['failed', 'unconfirmed', 'late', 'missed', 'poll_missed'];

const always: readonly string[] = ['accepted', 'sent', 'failed', 'coalesced', 'late', 'missed'];

const titles: Readonly<Partial<Record<string, string>>> = {
  fault_conflicts: 'Fault conflicts',
  processor_rejected_requests: 'Requests rejected',
  cancelled_requests: 'Requests cancelled',
  poll_coalesced: 'Polls coalesced',
  poll_missed: 'Polls missed',
};

const rowOf = (name: RatedCounter, status: GatewayInstance, rates: CounterRates): CounterRow => ({
  name,
  title: titles[name] ?? sentence(name),
  total: status[name],
  rate: status.state === 'running' ? rates.of(name) : null,
  isAlarm: alarming.includes(name) && status[name] > 0,
});

const gauge = (name: string, total: number, title = sentence(name)): CounterRow => ({
  name,
  title,
  total,
  rate: null,
  isAlarm: false,
});

const counterRows = (status: GatewayInstance, rates: CounterRates): readonly CounterRow[] => [
  ...ratedCounters
    .filter((name) => always.includes(name) || status[name] > 0)
    .map((name) => rowOf(name, status, rates)),
  gauge('pending', status.pending),
  ...(status.queued_requests > 0
    ? [gauge('queued_requests', status.queued_requests, 'Requests queued')]
    : []),
  ...Object.entries(status.rejected_frames)
    .filter(([, frames]) => frames > 0)
    .map(([reason, frames]) => ({
      ...gauge(`rejected_${reason}`, frames, `Frames rejected: ${reason}`),
      isAlarm: true,
    })),
];

type Endpoint = GatewayInstance['endpoints'][number];

const linkState = ({ connected, resolved }: Endpoint): string => {
  if (connected) return 'open';
  return resolved === null ? 'idle' : 'lost';
};

const linkLabels: Readonly<Record<string, string>> = {
  open: 'up',
  idle: 'not started',
  lost: 'down',
};

const endpointColumns: readonly Column<Endpoint>[] = [
  column('id', 'Endpoint', 104, ({ id }) => id, { least: 80, grows: true }),
  column('kind', 'Kind', 68, ({ kind }) => (kind === 'can' ? 'CAN' : 'Modbus')),
  column('network', 'Network', 116, ({ network }) => network, { least: 72, grows: true }),
  column('resolved', 'Connected to', 156, ({ resolved }) => resolved ?? '–', {
    least: 96,
    grows: true,
    mono: true,
  }),
  column('connected', 'Link', 104, (endpoint) => linkLabels[linkState(endpoint)] ?? '', {
    render: (endpoint) => (
      <StateMark state={linkState(endpoint)} label={linkLabels[linkState(endpoint)] ?? ''} />
    ),
  }),
];

const counterColumns: readonly Column<CounterRow>[] = [
  column('name', 'Counter', 148, ({ title }) => title, { least: 112, grows: true }),
  numbers('rate', 'Per second', 88, ({ rate }) => (rate === null ? '–' : formatRate(rate))),
  numbers('total', 'Total', 88, ({ total }) => total, {
    render: ({ total, isAlarm }) => (
      <span data-tone={isAlarm ? 'warn' : undefined}>{formatCount(total)}</span>
    ),
  }),
];

const Reasons = ({ instance }: { readonly instance: FollowedInstance }) => {
  const status = instance.status.value;
  if (!status) return null;
  const enabled = [...instance.faults.value.values()].filter((rule) => rule.enabled).length;
  const reasons = healthReasons(status, instance.tasks.value.values(), enabled);
  return (
    <section data-testid="health-reasons">
      <h3>Health</h3>
      {reasons.length === 0 ? (
        <p class="quiet">All endpoints are up. No failed tasks or E2E checks.</p>
      ) : (
        <ul class="reasons">
          {reasons.map(({ tone, text, step, href }) => (
            <li key={text}>
              <span data-tone={tone}>
                <span aria-hidden="true">▲</span> {text}
              </span>
              <br />
              <span class="quiet">{step}</span> {href && <a href={href}>Show</a>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const factsOf = (status: GatewayInstance): readonly Fact[] => [
  ['File', status.file, { whole: true }],
  ['Project', status.project_id ?? 'no ID'],
  ['Loaded', formatInstant(status.loaded_at_us)],
  ['Tasks', formatCount(status.task_total)],
  ['Memory', memoryText(status, capabilities.data.value?.limits.gateway_budget_bytes ?? null)],
];

export const InstancePanel = ({ instance }: { readonly instance: FollowedInstance | null }) => {
  const status = instance?.status.value ?? null;
  const isGone = instance?.state === 'gone';
  const isStale = instance?.state === 'stale' || isGone;
  const counters = status && instance ? counterRows(status, instance.rates) : [];
  return (
    <Panel
      title={instance?.name ?? 'Instance'}
      testId="instance"
      class="instance"
      header={
        status && (
          <>
            {!isGone && <StateMark state={status.state} testId="instance-state" live />}
            {!isGone && <StateMark state={status.health} testId="instance-health" live />}
            {isGone && <StateMark state="ended" label="Not loaded" testId="instance-follow" live />}
            {instance?.state === 'stale' && (
              <StateMark state="stale" testId="instance-follow" live />
            )}
            <span class="grow" />
            <a href={`#gateway-signals?instance=${encodeURIComponent(instance?.name ?? '')}`}>
              Tasks & signals
            </a>
          </>
        )
      }
    >
      <InstanceAbsence instance={instance} />
      {instance && status && !isGone && <InstanceActions key={instance.name} instance={instance} />}
      {instance && status && (
        <ScrollArea class="facts" isStale={isStale}>
          <Facts of={factsOf(status)} />
          <Reasons instance={instance} />
          <section>
            <h3>Endpoints</h3>
            <DataTable
              id="gateway-endpoints"
              label="Endpoints"
              columns={endpointColumns}
              rows={status.endpoints}
              keyOf={({ id }) => id}
              rowAttributes={({ id }) => ({ 'data-endpoint': id })}
            />
          </section>
          <section>
            <h3>Counters</h3>
            <DataTable
              id="gateway-counters"
              label="Counters"
              columns={counterColumns}
              rows={counters}
              keyOf={({ name }) => name}
              rowAttributes={({ name }) => ({ 'data-counter': name })}
            />
          </section>
        </ScrollArea>
      )}
    </Panel>
  );
};
