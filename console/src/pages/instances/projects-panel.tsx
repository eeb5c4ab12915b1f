import { Segments } from '../../forms/segments.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ImportView } from './import-view.tsx';
import { view } from './instances-state.ts';
import { ProjectsView } from './projects-view.tsx';

/** What instances are made of. */
export const ProjectsPanel = () => (
  <Panel
    title="Projects"
    testId="projects"
    class="projects"
    header={
      <Segments
        label="Show"
        value={view.value}
        choices={[
          { value: 'projects', label: 'Load and validate' },
          { value: 'import', label: 'Import a database' },
        ]}
        onChange={(value) => {
          view.value = value;
        }}
        testId="projects-view"
      />
    }
  >
    {view.value === 'projects' ? <ProjectsView /> : <ImportView />}
  </Panel>
);
