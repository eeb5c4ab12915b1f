import { tableNames } from '../project/fields.ts';
import type { Project, ProjectTables } from '../project/project.ts';

/** A project without a row. */
export const emptyProject = (): Project => {
  const tables = Object.fromEntries(tableNames.map((name) => [name, []]));
  return {
    header: { format: 'gwproj', schema_version: 1, provenance: [] },
    ...(tables as unknown as ProjectTables),
  };
};
