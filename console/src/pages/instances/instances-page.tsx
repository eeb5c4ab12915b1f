import './instances.css';
import { useEffect } from 'preact/hooks';
import type { GatewaySummary } from '../../api/client.ts';
import { useInstance } from '../../gateway/instance-bar.tsx';
import { capabilities } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { chooseInstance, chosenInstance, gateways, instances } from '../../state/gateways.ts';
import { goTo } from '../../state/pages.ts';
import { projects } from '../../state/project-files.ts';
import { Segments } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { countText } from './health-reasons.ts';
import { ImportView } from './import-view.tsx';
import { InstancePanel } from './instance-panel.tsx';
import { view } from './instances-state.ts';
import { ProjectsView } from './projects-view.tsx';

const columns: readonly Column<GatewaySummary>[] = [
  column('instance', 'Name', 112, ({ instance }) => instance, { least: 80, grows: true }),
  states('state', 'State', 96, ({ state }) => state),
  states('health', 'Health', 100, ({ health }) => health),
  numbers('faults', 'Active faults', 80, ({ enabled_faults }) => enabled_faults, {
    render: ({ enabled_faults }) =>
      enabled_faults > 0 ? (
        <span data-tone="warn">
          <span aria-hidden="true">▲</span> {enabled_faults}
        </span>
      ) : (
        '–'
      ),
  }),
];

const InstancesPanel = () => {
  const list = instances.value ?? [];
  const limit = useResource(capabilities).data.value?.limits.gateway_instances ?? null;
  const awaited = instances.value === null;
  return (
    <ListPanel<GatewaySummary>
      name="instances"
      title="Instances"
      class="instance-list"
      freshness={freshness(gateways)}
      header={<span class="aside">{countText(list.length, limit)}</span>}
      columns={columns}
      rows={list}
      keyOf={({ instance }) => instance}
      selected={({ instance }) => instance === chosenInstance.value}
      onSelect={({ instance }) => chooseInstance(instance)}
      rowAttributes={({ instance }) => ({ 'data-instance': instance })}
      empty={awaited ? '' : 'No instances. Load a project below.'}
    />
  );
};

const ProjectsPanel = () => (
  <Panel
    title="Projects"
    testId="projects"
    class="projects"
    header={
      <Segments
        label="View"
        value={view.value}
        choices={[
          { value: 'projects', label: 'Load and validate' },
          { value: 'import', label: 'Import a database' },
        ]}
        onChange={setter(view)}
        testId="projects-view"
      />
    }
  >
    {view.value === 'projects' ? <ProjectsView /> : <ImportView />}
  </Panel>
);

const group = 'Gateway';

const showView = (wanted: 'projects' | 'import') => () => {
  goTo('instances');
  view.value = wanted;
  if (wanted === 'projects') void projects.refresh();
};

const commands = () => [
  { id: 'gateway-load', group, title: 'Load a project', run: showView('projects') },
  { id: 'gateway-import', group, title: 'Import a database', run: showView('import') },
  ...(instances.value ?? []).map(({ instance }) => ({
    id: `gateway-show-${instance}`,
    group,
    title: `Show instance ${instance}`,
    run: () => chooseInstance(instance, 'instances'),
  })),
];

export const InstancesPage = () => {
  const instance = useInstance('instances');
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="instances-page">
      <div class="instances-side">
        <InstancesPanel />
        <ProjectsPanel />
      </div>
      <InstancePanel instance={instance} />
    </div>
  );
};
