import type { GatewayInstance, GatewayTask } from '../../api/client.ts';
import { counted, formatBytes, formatCount } from '../../format/figures.ts';
import { channelPlace, servicePage } from '../../ui/health-problems.ts';

const withLimit = (
  format: (value: number) => string,
  value: number,
  limit: number | null,
): string => (limit === null ? format(value) : `${format(value)} of ${format(limit)}`);

export const countText = (count: number, limit: number | null): string =>
  withLimit(formatCount, count, limit);

type Memory = Pick<GatewayInstance, 'memory_budget_bytes' | 'daemon_memory_budget_bytes'>;

export const memoryText = (status: Memory, limit: number | null): string => {
  const all = withLimit(formatBytes, status.daemon_memory_budget_bytes, limit);
  return `${formatBytes(status.memory_budget_bytes)}; all instances: ${all}`;
};

interface HealthReason {
  readonly tone: 'warn' | 'bad';
  readonly text: string;
  readonly step: string;
  readonly href?: string;
}

const placeIn = (page: string, instance: string): string =>
  `#${page}?${new URLSearchParams({ instance })}`;

const maxTasks = 5;

const endpointReasons = ({ state, endpoints }: GatewayInstance): HealthReason[] =>
  state !== 'running'
    ? []
    : endpoints
        .filter(({ connected }) => !connected)
        .map(({ id, kind, network, resolved, error }) => ({
          tone: 'bad',
          text: `Endpoint ${id} (${kind} network ${network}${resolved === null ? '' : `, ${resolved}`}) is down${
            error === null ? '' : `: ${error.message}`
          }`,
          ...(kind === 'can'
            ? {
                step: 'Open the channel again; the instance continues automatically.',
                href: resolved === null ? servicePage : channelPlace(resolved),
              }
            : {
                step: 'Check that the unit answers; the connection is retried automatically.',
                href: '#modbus',
              }),
        }));

const taskReasons = (
  { instance, failed_tasks }: GatewayInstance,
  tasks: Iterable<GatewayTask>,
): HealthReason[] => {
  const href = placeIn('gateway-signals', instance);
  const failed = [...tasks].filter(({ error }) => error !== null);
  const reported = failed.slice(0, maxTasks).map<HealthReason>(({ id, error }) => ({
    tone: 'bad',
    text: `Task ${id}: ${error?.message ?? ''} (${error?.code ?? ''})`,
    step: 'The next successful transmission clears the error.',
    href,
  }));
  const rest = failed_tasks - reported.length;
  if (rest <= 0) return reported;
  const text = `${counted(rest, `${reported.length > 0 ? 'more ' : ''}task`)} with an error`;
  return [...reported, { tone: 'bad', text, step: 'The list shows all of them.', href }];
};

const checkReasons = (status: GatewayInstance): HealthReason[] => {
  const { instance, failed_checks, failed_check_messages } = status;
  const [tone, href] = ['bad' as const, placeIn('gateway-signals', instance)];
  const step = 'Compare checksum, counter and data ID with the sender.';
  const named = failed_check_messages.map<HealthReason>((id) => {
    return { tone, text: `Message ${id} fails its E2E check`, step, href };
  });
  const rest = failed_checks - named.length;
  if (rest <= 0) return named;
  const text = `${counted(rest, 'more message')} with a failed E2E check`;
  return [...named, { tone, text, step: 'The list shows all of them.', href }];
};

export const healthReasons = (
  status: GatewayInstance,
  tasks: Iterable<GatewayTask>,
  enabledFaults: number,
): readonly HealthReason[] => [
  ...endpointReasons(status),
  ...checkReasons(status),
  ...taskReasons(status, tasks),
  ...(enabledFaults > 0
    ? [
        {
          tone: 'warn' as const,
          text: `${counted(enabledFaults, 'fault rule')} enabled`,
          step: 'Frames are corrupted or dropped on purpose until all rules are disabled.',
          href: placeIn('faults', status.instance),
        },
      ]
    : []),
];
