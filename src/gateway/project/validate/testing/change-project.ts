import type { ProjectDraft } from '../../project-draft.ts';
import type { LooseProject } from '../../testing/coolant-project.ts';
import { readLoose } from '../../testing/read-text.ts';
import { validateProject } from '../validate-project.ts';

/**
 * Changes to a project. A path is `table.row` or `table.row.field`, with rows by id: a missing
 * row is added, and undefined removes a value.
 */
export type Changes = Readonly<Record<string, unknown>>;

const changeRow = (rows: LooseProject[], id: string, value: unknown): void => {
  const place = rows.findIndex((row) => row.id === id);
  if (value === undefined) rows.splice(place, 1);
  else if (place < 0) rows.push({ id, ...(value as object) });
  else rows[place] = { id, ...(value as object) };
};

export const change = (project: LooseProject, changes: Changes): LooseProject => {
  for (const [path, value] of Object.entries(changes)) {
    const [table = '', id = '', ...fields] = path.split('.');
    const last = fields.pop();
    if (last === undefined) {
      changeRow(project[table], id, value);
      continue;
    }
    const row = project[table].find((candidate: LooseProject) => candidate.id === id);
    const holder = fields.reduce((inner, field) => inner[field], row);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return project;
};

/** Each problem as `table.row field code`. */
export const problemsOf = (draft: ProjectDraft): string[] =>
  draft.problems.shown.map(({ table, row, field, code }) => `${table}.${row} ${field} ${code}`);

export const validated = (project: LooseProject): ProjectDraft => {
  const draft = readLoose(project);
  validateProject(draft);
  return draft;
};
