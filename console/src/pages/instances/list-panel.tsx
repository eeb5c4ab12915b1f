import type { GatewaySummary } from '../../api/schema.ts';
import { capabilities } from '../../state/bench.ts';
import { chooseInstance, chosenInstance, gateways, instances } from '../../state/gateways.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { countText } from './limit-text.ts';

const columns: readonly Column<GatewaySummary>[] = [
  {
    id: 'instance',
    title: 'Name',
    width: 112,
    least: 80,
    grows: true,
    text: (row) => row.instance,
  },
  {
    id: 'state',
    title: 'State',
    width: 96,
    text: ({ state }) => state,
    render: ({ state }) => <StateMark state={state} />,
  },
  {
    id: 'health',
    title: 'Health',
    width: 100,
    text: ({ health }) => health,
    render: ({ health }) => <StateMark state={health} />,
  },
  {
    id: 'faults',
    title: 'Faults on',
    width: 80,
    align: 'end',
    text: ({ enabled_faults }) => String(enabled_faults),
    render: ({ enabled_faults }) =>
      enabled_faults > 0 ? (
        <span data-tone="warn">
          <span aria-hidden="true">▲</span> {enabled_faults}
        </span>
      ) : (
        '–'
      ),
  },
];

/** The instances that are loaded. */
export const ListPanel = () => {
  const list = instances.value ?? [];
  const limit = useResource(capabilities).data.value?.limits.gateway_instances ?? null;
  const awaited = instances.value === null;
  return (
    <Panel
      title="Instances"
      testId="instances"
      class="instance-list"
      freshness={freshness(gateways)}
      header={<span class="aside">{countText(list.length, limit)}</span>}
    >
      <DataTable
        id="instances"
        label="Instances"
        columns={columns}
        count={list.length}
        rowAt={(index) => list[index] as GatewaySummary}
        keyOf={({ instance }) => instance}
        selected={({ instance }) => instance === chosenInstance.value}
        onSelect={({ instance }) => chooseInstance(instance)}
        rowAttributes={({ instance }) => ({ 'data-instance': instance })}
        empty={awaited ? '' : 'None is loaded. Choose a project below.'}
        testId="instances-table"
      />
    </Panel>
  );
};
