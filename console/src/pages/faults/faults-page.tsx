import './faults.css';
import { useMemo } from 'preact/hooks';
import type { GatewayFault, GatewayTask } from '../../api/client.ts';
import { counted, sentence } from '../../format/figures.ts';
import { switchFault } from '../../gateway/actions.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar, useInstance } from '../../gateway/instance-bar.tsx';
import { isWrong, QualityMark } from '../../gateway/quality-mark.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { ScrollArea } from '../../ui/panel.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { places, traceAddress, useTaskPlaces } from './fault-places.ts';
import { effectText, FaultSwitches, type LoadedInstance, triggerText } from './fault-switches.ts';

const switches = new FaultSwitches(switchFault);

const loadedOf = ({ name, status }: FollowedInstance): LoadedInstance => ({
  name,
  loadedAtUs: status.value?.loaded_at_us ?? 0,
});

const columnsOf = (
  instance: FollowedInstance,
  toggle: (rule: GatewayFault) => void,
  canSwitch: () => boolean,
): readonly Column<GatewayFault>[] => [
  column('enabled', 'Enabled', 64, ({ enabled }) => (enabled ? 'on' : 'off'), {
    render: (rule) => (
      <label class="fault-switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={rule.enabled}
          aria-label={`Fault rule ${rule.id}`}
          data-testid="fault-switch"
          checked={rule.enabled}
          {...unusableWhile(!canSwitch() || switches.isBusy(loadedOf(instance), rule.id))}
          onChange={() => toggle(rule)}
        />{' '}
        <span data-tone={rule.enabled ? 'warn' : 'idle'}>{rule.enabled ? 'on' : 'off'}</span>
      </label>
    ),
  }),
  column('id', 'Rule', 148, ({ id }) => id, { least: 104 }),
  column('task', 'Task', 132, ({ task }) => task, { least: 88, spare: 1 }),
  column('frames', 'Trace', 96, ({ task }) => places.value.get(task)?.id ?? '', {
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
  }),
  column('kind', 'Kind', 140, ({ kind }) => kind, { mono: true, spare: 5 }),
  column('effect', 'Effect', 196, effectText, { least: 120, grows: true }),
  column('trigger', 'Trigger', 236, triggerText, { least: 120, grows: true, spare: 2 }),
  numbers('fired', 'Fired', 68, ({ fired }) => fired),
];

const counters = [
  ...(['generated', 'injected', 'unprotected', 'dropped', 'repeated', 'suppressed'] as const),
  'fault_conflicts',
] as const;

const counterColumns: readonly Column<GatewayTask>[] = [
  column('id', 'Task', 148, ({ id }) => id, { least: 104, grows: true }),
  ...counters.map((name, at) =>
    numbers<GatewayTask>(
      name,
      name === 'fault_conflicts' ? 'Conflicts' : sentence(name),
      92,
      (task) => task[name],
      name === 'injected' || name === 'dropped' ? {} : { spare: 7 - at },
    ),
  ),
];

const Comments = ({ rules }: { readonly rules: readonly GatewayFault[] }) => {
  const commented = rules.filter(({ comment }) => comment);
  if (commented.length === 0) return null;
  return (
    <ScrollArea class="fault-comments">
      <ul class="fault-notes">
        {commented.map(({ id, comment }) => (
          <li key={id}>
            <strong>{id}</strong>: {comment}
          </li>
        ))}
      </ul>
    </ScrollArea>
  );
};

const maxNamed = 8;

const ReceivedSignals = ({ instance }: { readonly instance: FollowedInstance }) => {
  void instance.frame.value;
  const wrong = instance.signals.entries.filter(({ quality }) => isWrong(quality));
  const place = (page: string) => `#${page}?${new URLSearchParams({ instance: instance.name })}`;
  if (instance.held !== null || instance.signals.entries.length === 0) return null;
  return (
    <p class="fault-notes" data-testid="fault-signals">
      Signals with errors: {wrong.length === 0 && <span class="quiet">none</span>}
      {wrong.slice(0, maxNamed).map(({ id, quality }) => (
        <span key={id} data-signal={id}>
          <a href={`${place('flow')}&node=${encodeURIComponent(`signal:${id}`)}`}>{id}</a>{' '}
          <QualityMark quality={quality} held={instance.held} />
        </span>
      ))}
      <a href={place('gateway-signals')}>
        {wrong.length > maxNamed ? `${wrong.length - maxNamed} more` : 'All signals'}
      </a>
    </p>
  );
};

const FaultRules = ({ instance }: { readonly instance: FollowedInstance }) => {
  const toggle = ({ id, enabled }: GatewayFault): void =>
    void switches.turn(loadedOf(instance), id, !enabled);
  const columns = useMemo(
    () => columnsOf(instance, toggle, () => instance.state === 'live'),
    [instance],
  );
  const rules = [...instance.faults.value.values()];
  const enabled = rules.filter((rule) => rule.enabled);
  const failures = switches.failuresOf(loadedOf(instance), rules);
  return (
    <ListPanel
      name="faults"
      title="Fault rules"
      class="fault-rules"
      columns={columns}
      rows={rules}
      keyOf={({ id }) => id}
      rowAttributes={({ id, enabled: isOn }) => ({
        'data-rule': id,
        'data-enabled': isOn ? '' : undefined,
      })}
      empty="The project has no fault rules."
      header={<span class="aside">{counted(enabled.length, 'rule')} enabled</span>}
      actions={
        <button
          type="button"
          data-testid="faults-off"
          {...unusableWhile(enabled.length === 0 || instance.state !== 'live')}
          onClick={() => {
            for (const rule of enabled) toggle(rule);
          }}
        >
          Disable all
        </button>
      }
      footer={
        <>
          <Comments rules={rules} />
          <ReceivedSignals instance={instance} />
        </>
      }
    >
      {instance.status.value?.state !== 'running' && rules.length > 0 && (
        <Notice>
          <p>
            {instance.name} is not running. Enabled rules take effect, and start counting frames,
            when the instance starts.
          </p>
        </Notice>
      )}
      {failures.map(({ rules: refused, error }) => (
        <ErrorNotice
          key={refused[0]}
          error={error}
          subject={refused.join(', ')}
          testId="fault-error"
        />
      ))}
    </ListPanel>
  );
};

const FaultStatistics = ({ instance }: { readonly instance: FollowedInstance }) => {
  const concerned = new Set([...instance.faults.value.values()].map(({ task }) => task));
  const tasks = [...instance.tasks.value.values()].filter(({ id }) => concerned.has(id));
  return (
    <ListPanel
      name="fault-statistics"
      title="Fault statistics"
      class="fault-statistics"
      columns={counterColumns}
      rows={tasks}
      keyOf={({ id }) => id}
      rowAttributes={({ id }) => ({ 'data-task': id })}
      empty="No task has a fault rule."
    />
  );
};

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
          <FaultStatistics instance={instance} />
        </>
      )}
    </div>
  );
};
