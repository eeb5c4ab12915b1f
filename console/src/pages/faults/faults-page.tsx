import './faults.css';
import { signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import type { GatewayFault, GatewayTask } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/figures.ts';
import { switchFault } from '../../gateway/actions.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar } from '../../gateway/instance-bar.tsx';
import { useInstance } from '../../gateway/use-instance.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { places, traceAddress, useTaskPlaces } from './fault-places.ts';
import { effectText, triggerText } from './fault-text.ts';

/** Rules that are being switched: their switches wait for the answer. */
const switching = signal<ReadonlySet<string>>(new Set());

const columnsOf = (
  instance: FollowedInstance,
  toggle: (rule: GatewayFault) => void,
  canSwitch: () => boolean,
): readonly Column<GatewayFault>[] => [
  {
    id: 'enabled',
    title: 'On',
    width: 64,
    text: ({ enabled }) => (enabled ? 'on' : 'off'),
    render: (rule) => (
      <label class="fault-switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={rule.enabled}
          aria-label={`Fault rule ${rule.id}`}
          data-testid="fault-switch"
          checked={rule.enabled}
          disabled={!canSwitch() || switching.value.has(rule.id)}
          onChange={() => toggle(rule)}
        />{' '}
        <span data-tone={rule.enabled ? 'warn' : 'idle'}>{rule.enabled ? 'on' : 'off'}</span>
      </label>
    ),
  },
  { id: 'id', title: 'Rule', width: 148, least: 104, text: ({ id }) => id },
  { id: 'task', title: 'Task', width: 132, least: 88, spare: 1, text: ({ task }) => task },
  {
    id: 'frames',
    title: 'In the trace',
    width: 96,
    text: ({ task }) => places.value.get(task)?.id ?? '',
    render: ({ task }) => {
      const place = places.value.get(task);
      return place ? (
        <a href={traceAddress(place, instance)} data-testid="fault-trace">
          {place.id}
        </a>
      ) : (
        '–'
      );
    },
  },
  { id: 'kind', title: 'Kind', width: 140, mono: true, spare: 5, text: ({ kind }) => kind },
  { id: 'effect', title: 'What it does', width: 196, least: 120, grows: true, text: effectText },
  {
    id: 'trigger',
    title: 'When',
    width: 236,
    least: 120,
    grows: true,
    spare: 2,
    text: triggerText,
  },
  {
    id: 'fired',
    title: 'Fired',
    width: 68,
    align: 'end',
    text: ({ fired }) => formatCount(fired),
  },
  {
    id: 'comment',
    title: 'Comment',
    width: 200,
    least: 120,
    grows: true,
    spare: 4,
    text: ({ comment = '' }) => comment,
  },
];

const deeds = [
  ...(['generated', 'injected', 'unprotected', 'dropped', 'repeated', 'suppressed'] as const),
  'fault_conflicts',
] as const;

const deedColumns: readonly Column<GatewayTask>[] = [
  { id: 'id', title: 'Task', width: 148, least: 104, grows: true, text: ({ id }) => id },
  ...deeds.map<Column<GatewayTask>>((name, at) => ({
    id: name,
    title: name === 'fault_conflicts' ? 'Conflicts' : `${name[0]?.toUpperCase()}${name.slice(1)}`,
    width: 92,
    align: 'end',
    ...(name === 'injected' || name === 'dropped' ? {} : { spare: 7 - at }),
    text: (task) => formatCount(task[name]),
  })),
];

const FaultRules = ({ instance }: { readonly instance: FollowedInstance }) => {
  const failure = useSignal<ApiError | null>(null);
  const toggle = async ({ id, enabled }: GatewayFault): Promise<void> => {
    switching.value = new Set([...switching.peek(), id]);
    try {
      await switchFault(instance.name, id, !enabled);
      failure.value = null;
    } catch (thrown) {
      failure.value = thrown as ApiError;
    } finally {
      switching.value = new Set([...switching.peek()].filter((each) => each !== id));
    }
  };
  const columns = useMemo(
    () =>
      columnsOf(
        instance,
        (rule) => void toggle(rule),
        () => instance.state === 'live',
      ),
    [instance],
  );
  const rules = [...instance.faults.value.values()];
  const enabled = rules.filter((rule) => rule.enabled);
  return (
    <Panel
      title="Fault rules"
      testId="faults"
      class="fault-rules"
      header={
        <>
          <span class="aside">{counted(enabled.length, 'rule')} on</span>
          <span class="grow" />
          <button
            type="button"
            data-testid="faults-off"
            disabled={enabled.length === 0 || instance.state !== 'live'}
            onClick={() => {
              for (const rule of enabled) void toggle(rule);
            }}
          >
            Switch all off
          </button>
        </>
      }
    >
      {instance.status.value?.state !== 'running' && rules.length > 0 && (
        <Notice>
          <p>
            {instance.name} does not run: rules that are on take effect when it is started, and
            count from there.
          </p>
        </Notice>
      )}
      <ErrorNotice error={failure.value} testId="fault-error" />
      <DataTable
        id="faults"
        label="Fault rules"
        columns={columns}
        count={rules.length}
        rowAt={(index) => rules[index] as GatewayFault}
        keyOf={({ id }) => id}
        rowAttributes={({ id, enabled: isOn }) => ({
          'data-rule': id,
          'data-enabled': isOn ? '' : undefined,
        })}
        empty="The project of this instance has no fault_rules."
        testId="faults-table"
      />
    </Panel>
  );
};

/** What rules have done to the frames of the tasks that they are about. */
const Deeds = ({ instance }: { readonly instance: FollowedInstance }) => {
  const concerned = new Set([...instance.faults.value.values()].map(({ task }) => task));
  const tasks = [...instance.tasks.value.values()].filter(({ id }) => concerned.has(id));
  return (
    <Panel title="What they have done" testId="fault-deeds" class="fault-deeds">
      <DataTable
        id="fault-deeds"
        label="What fault rules have done"
        columns={deedColumns}
        count={tasks.length}
        rowAt={(index) => tasks[index] as GatewayTask}
        keyOf={({ id }) => id}
        rowAttributes={({ id }) => ({ 'data-task': id })}
        empty="No task has a fault rule."
        testId="fault-deeds-table"
      />
    </Panel>
  );
};

/** Faults that can be put on the bus on purpose, and what they have done. */
export const FaultsPage = () => {
  const instance = useInstance('faults');
  useTaskPlaces(instance);
  const isStale = instance?.state === 'stale' || instance?.state === 'gone';
  return (
    <div class="gateway-page" data-stale={isStale ? '' : undefined}>
      <InstanceBar instance={instance}>
        <a href="#trace">Trace</a>
      </InstanceBar>
      <InstanceAbsence instance={instance} />
      {instance?.status.value && (
        <>
          <FaultRules instance={instance} />
          <Deeds instance={instance} />
        </>
      )}
    </div>
  );
};
