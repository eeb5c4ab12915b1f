import { type TableName, tableNames } from './fields.ts';
import type { Project } from './project.ts';

/** How many rows each table of a project has. */
export const countTables = (project: Project): Record<TableName, number> =>
  Object.fromEntries(tableNames.map((name) => [name, project[name].length])) as Record<
    TableName,
    number
  >;
