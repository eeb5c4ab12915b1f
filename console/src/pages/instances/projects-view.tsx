import { formatBytes } from '../../format/figures.ts';
import { goTo } from '../../state/pages.ts';
import { type ProjectFile, projects } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { TextField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { busyFile, loadAsNamed, validate, wantedName } from './instances-state.ts';
import { OutcomeView } from './outcome-view.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const actionsOf = ({ file }: ProjectFile) => {
  const isBusy = busyFile.value !== null;
  const mine = busyFile.value === file;
  return (
    <span class="row-actions">
      <button
        type="button"
        class="inline"
        data-testid="validate"
        {...unusableWhile(isBusy)}
        aria-label={`Validate ${file}`}
        onClick={() => void validate(file)}
      >
        Validate
      </button>
      <button
        type="button"
        class="inline"
        data-testid="load"
        {...unusableWhile(isBusy)}
        aria-label={`Load ${file}`}
        onClick={() => void loadAsNamed(file)}
      >
        {mine ? 'Working…' : 'Load'}
      </button>
      <button
        type="button"
        class="inline"
        data-testid="edit"
        aria-label={`Edit ${file}`}
        onClick={() => goTo('editor', { file })}
      >
        Edit
      </button>
    </span>
  );
};

const columns: readonly Column<ProjectFile>[] = [
  column('file', 'Project', 160, ({ file }) => file, { least: 120, grows: true }),
  numbers('size', 'Size', 76, ({ bytes }) => formatBytes(bytes), { spare: 2 }),
  column('modified', 'Modified', 148, ({ modified_us }) => clock.format(modified_us / 1000), {
    spare: 1,
  }),
  numbers('actions', '', 186, () => '', { render: actionsOf }),
];

export const ProjectsView = () => {
  const { data, error, isLoading } = useResource(projects);
  const files = data.value?.files ?? [];
  return (
    <>
      <div class="line-form">
        <div class="fields">
          <div class="pair">
            <TextField
              label="Instance name (default: project ID)"
              value={wantedName.value}
              onInput={setter(wantedName)}
              testId="load-name"
            />
          </div>
          <div class="actions below-label">
            <button
              type="button"
              data-testid="refresh-projects"
              {...unusableWhile(isLoading.value)}
              onClick={() => void projects.refresh()}
            >
              {isLoading.value ? 'Refreshing…' : 'Refresh list'}
            </button>
          </div>
        </div>
      </div>
      <ErrorNotice error={error.value} testId="projects-error" />
      {data.value?.isComplete === false && (
        <Notice tone="warn">
          <p>The project folder is too large or too deep. Some projects may be missing.</p>
        </Notice>
      )}
      <DataTable
        id="projects"
        label="Projects"
        columns={columns}
        rows={files}
        keyOf={({ file }) => file}
        rowAttributes={({ file }) => ({ 'data-file': file })}
        empty={
          data.value
            ? 'No .gwproj files in the project folder of the daemon. Import a database to create one.'
            : ''
        }
      />
      <OutcomeView />
    </>
  );
};
