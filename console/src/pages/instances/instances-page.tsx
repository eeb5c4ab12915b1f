import './instances.css';
import { useEffect } from 'preact/hooks';
import { useInstance } from '../../gateway/use-instance.ts';
import { offerCommands } from '../../state/commands.ts';
import { chooseInstance, instances } from '../../state/gateways.ts';
import { projects } from '../../state/project-files.ts';
import { goTo } from '../../state/route.ts';
import { InstancePanel } from './instance-panel.tsx';
import { view } from './instances-state.ts';
import { ListPanel } from './list-panel.tsx';
import { ProjectsPanel } from './projects-panel.tsx';

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

/** Gateway instances: what is loaded and how it fares, and what can be loaded. */
export const InstancesPage = () => {
  const instance = useInstance('instances');
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="instances-page">
      <div class="instances-side">
        <ListPanel />
        <ProjectsPanel />
      </div>
      <InstancePanel instance={instance} />
    </div>
  );
};
