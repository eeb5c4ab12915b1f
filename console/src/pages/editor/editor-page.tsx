import './editor.css';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { counted } from '../../format/figures.ts';
import { problemText } from '../../project-editor/problem-index.ts';
import { rowsOf } from '../../project-editor/project-document.ts';
import { pageId, pageQuery } from '../../state/pages.ts';
import { type ProjectFile, projects } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Segments, TextField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { ChangesView } from './changes-view.tsx';
import {
  changes,
  chosenTable,
  continueHere,
  document,
  draftFailure,
  draftFiles,
  fileChange,
  fileError,
  isBusy,
  isChanged,
  isChecking,
  isTakenOver,
  listDrafts,
  loadValidator,
  merge,
  open,
  opened,
  problems,
  redo,
  restoredAt,
  save,
  tables,
  undo,
  view,
} from './editor-state.ts';
import { FlowView } from './flow-view.tsx';
import { CloseButton, MergeActions, MergeView } from './merge-view.tsx';
import { addRow, selectRow, setHeader } from './row-edits.ts';
import { RowForm } from './row-form.tsx';
import { TableGrid } from './table-grid.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const fileColumns: readonly Column<ProjectFile>[] = [
  column('file', 'Project', 240, ({ file }) => file, { least: 120, grows: true }),
  column('modified', 'Modified', 148, ({ modified_us }) => clock.format(modified_us / 1000)),
  column('draft', 'Draft', 140, ({ file }) =>
    draftFiles.value.includes(file) ? 'unsaved changes' : '',
  ),
  column('actions', '', 88, () => '', {
    render: ({ file }) => (
      <button
        type="button"
        class="inline"
        aria-label={`Edit ${file}`}
        {...unusableWhile(isBusy.value)}
        onClick={() => void open(file)}
      >
        Edit
      </button>
    ),
  }),
];

const newFile = signal('');

const FilesView = () => {
  const { data, error } = useResource(projects);
  return (
    <Panel title="Edit a project" testId="editor-files">
      <ErrorNotice error={fileError.value ?? error.value} testId="editor-error" />
      <form
        class="line-form"
        onSubmit={(event) => {
          event.preventDefault();
          const name = newFile.peek().trim();
          if (name !== '') void open(name.endsWith('.gwproj') ? name : `${name}.gwproj`);
        }}
      >
        <div class="fields">
          <TextField
            label="New project"
            placeholder="pump.gwproj"
            value={newFile.value}
            onInput={setter(newFile)}
            testId="editor-new"
          />
          <div class="actions below-label">
            <button type="submit" data-testid="editor-create">
              Create
            </button>
          </div>
        </div>
      </form>
      <DataTable
        id="editor-files"
        label="Projects"
        columns={fileColumns}
        rows={data.value?.files ?? []}
        keyOf={({ file }) => file}
        rowAttributes={({ file }) => ({ 'data-file': file })}
        empty={data.value ? 'No .gwproj files in the project folder of the daemon.' : ''}
      />
    </Panel>
  );
};

const TableTabs = () => (
  <nav class="tables" aria-label="Tables">
    {tables.value.map(({ name, description }) => {
      const count = rowsOf(document.value, name).length;
      const wrong = problems.value.inTable(name);
      return (
        <button
          key={name}
          type="button"
          title={description}
          class="table-tab"
          aria-current={name === chosenTable.value}
          data-table={name}
          onClick={() => {
            chosenTable.value = name;
          }}
        >
          {name} <span class="quiet">{count}</span>
          {wrong > 0 && (
            <span data-tone="bad">
              {' '}
              <span aria-hidden="true">⚠</span> {wrong}
            </span>
          )}
        </button>
      );
    })}
  </nav>
);

const headerFields = ['id', 'name', 'description'] as const;

const HeaderFields = () => (
  <div class="fields">
    {headerFields.map((field) => {
      const [problem] = problems.value.at(null, null, [field]);
      const value = document.value[field];
      return (
        <TextField
          key={field}
          label={`Project ${field}`}
          value={typeof value === 'string' ? value : ''}
          error={problem === undefined ? null : problemText(problem)}
          onInput={(text) => setHeader(field, text === '' ? undefined : text)}
          testId={`editor-${field}`}
        />
      );
    })}
  </div>
);

const maxListed = 50;

const ProblemList = () => {
  const { all, total } = problems.value;
  if (total === 0) return null;
  return (
    <ScrollArea class="problem-list">
      <h3>{counted(total, 'problem')}</h3>
      <ul data-testid="editor-problems">
        {all.slice(0, maxListed).map((problem, at) => (
          <li key={at}>
            <button
              type="button"
              class="inline"
              onClick={() => {
                if (problem.table === null || problem.index === null) return;
                selectRow(problem.table, problem.index);
              }}
            >
              {[problem.table, problem.row, problem.field].filter(Boolean).join(' · ') || 'Project'}
            </button>{' '}
            {problemText(problem)}
          </li>
        ))}
        {total > maxListed && <li>and {total - maxListed} more</li>}
      </ul>
    </ScrollArea>
  );
};

const stateText = (): string => {
  if (isBusy.value) return 'Working…';
  if (!isChanged.value) return 'Saved';
  const count = counted(changes.value.length, 'changed row');
  return draftFailure.value
    ? `${count}, kept until the window closes`
    : `${count}, kept in this browser`;
};

const keys = (event: KeyboardEvent): void => {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  if (key === 's') void save();
  else if (key === 'z' && !event.shiftKey) undo();
  else if (key === 'y' || key === 'z') redo();
  else return;
  event.preventDefault();
};

const Toolbar = () => {
  const history = opened.value?.history;
  const [undoable, redoable] = [history?.undoLabel ?? null, history?.redoLabel ?? null];
  return (
    <>
      <Segments
        label="View"
        value={view.value}
        choices={[
          { value: 'tables', label: 'Tables' },
          { value: 'flow', label: 'Flow' },
          { value: 'changes', label: `Changes (${changes.value.length})` },
        ]}
        onChange={setter(view)}
        testId="editor-view"
      />
      <button
        type="button"
        title={undoable ?? undefined}
        data-testid="editor-undo"
        {...unusableWhile(undoable === null)}
        onClick={undo}
      >
        Undo
      </button>
      <button
        type="button"
        title={redoable ?? undefined}
        data-testid="editor-redo"
        {...unusableWhile(redoable === null)}
        onClick={redo}
      >
        Redo
      </button>
      <button
        type="button"
        data-testid="editor-save"
        {...unusableWhile(isBusy.value || !isChanged.value)}
        onClick={() => {
          // What is written is seen first.
          if (view.peek() === 'changes') void save();
          else view.value = 'changes';
        }}
      >
        {view.value === 'changes' ? 'Save' : 'Review and save'}
      </button>
      <CloseButton />
    </>
  );
};

const notes = {
  changed: 'Another program changed the file. Its changes are merged with yours.',
  removed: 'Another program removed the file. Saving writes it again.',
} as const;

/** Two windows share the draft: it is edited in the one that changed it last. */
const TakenOverView = () => (
  <Notice tone="warn" testId="editor-taken-over">
    <p>Another window of this browser changed this project since, and edits the shared draft.</p>
    <p class="actions">
      <button type="button" onClick={() => void continueHere()}>
        Continue here with its changes
      </button>
    </p>
  </Notice>
);

const TablesView = () => (
  <div class="editor-tables">
    <TableTabs />
    <div class="editor-grid">
      <div class="grid-head">
        <button
          type="button"
          class="inline"
          data-testid="editor-add"
          onClick={() => addRow(chosenTable.peek())}
        >
          Add row
        </button>
        <span class="quiet">
          {tables.value.find(({ name }) => name === chosenTable.value)?.description}
        </span>
      </div>
      <TableGrid />
      <ProblemList />
    </div>
    <div class="editor-row">
      <HeaderFields />
      <RowForm />
    </div>
  </div>
);

const views = { tables: TablesView, flow: FlowView, changes: ChangesView };

const Shown = () => {
  if (isTakenOver.value) return <TakenOverView />;
  if (merge.value !== null) return <MergeView />;
  const View = views[view.value];
  return <View />;
};

const ProjectView = ({ file }: { readonly file: string }) => (
  <Panel
    title={file}
    testId="editor"
    onKeyDown={keys}
    header={
      <span class="aside" role="status" data-testid="editor-state">
        {stateText()} · {isChecking.value ? 'checking…' : counted(problems.value.total, 'problem')}
      </span>
    }
    actions={isTakenOver.value ? <CloseButton /> : merge.value ? <MergeActions /> : <Toolbar />}
  >
    <ErrorNotice error={fileError.value} testId="editor-error" />
    {fileChange.value !== null && (
      <Notice tone="warn" testId="editor-file-change">
        <p>{notes[fileChange.value]}</p>
      </Notice>
    )}
    {restoredAt.value !== null && isChanged.value && (
      <Notice testId="editor-restored">
        <p>Continues with your changes of {clock.format(restoredAt.value)}.</p>
      </Notice>
    )}
    <Shown />
  </Panel>
);

export const EditorPage = () => {
  useEffect(() => {
    loadValidator();
    void listDrafts();
  }, []);
  const wanted = pageId.value === 'editor' ? pageQuery.value.get('file') : null;
  useEffect(() => {
    if (wanted !== null && opened.peek()?.file !== wanted) void open(wanted);
  }, [wanted]);
  const file = opened.value?.file ?? null;
  return (
    <div class="editor-page">{file === null ? <FilesView /> : <ProjectView file={file} />}</div>
  );
};
