import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type TableName, tableNames } from '../project/fields.ts';
import { Problems } from '../project/problems.ts';
import type { Project, ProjectTables } from '../project/project.ts';
import { problemOfRow } from '../project/project-draft.ts';
import type { EndpointRow } from '../project/tables/endpoints.ts';
import type { MessageRow } from '../project/tables/messages.ts';

interface Row {
  readonly id: string;
}

/** By which id the existing project knows the endpoints that are added. */
const endpointNames = (
  existing: readonly EndpointRow[],
  added: readonly EndpointRow[],
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { id, kind, network } of added) {
    const alike = existing.filter((row) => row.kind === kind && row.network === network);
    const known = alike.find((row) => row.id === id) ?? alike[0];
    if (kind === 'can' && known !== undefined) names.set(id, known.id);
  }
  return names;
};

/** What no two messages of a project may have in common. */
const identifierOf = (
  { endpoint, direction, can_id, extended }: MessageRow,
  networks: ReadonlyMap<string, string>,
): string => JSON.stringify([networks.get(endpoint) ?? endpoint, direction, can_id, extended]);

const networksOf = (endpoints: readonly EndpointRow[]): ReadonlyMap<string, string> =>
  new Map(endpoints.map(({ id, network }) => [id, network]));

/** Reports what both projects have; in the words of the existing one, whose file can be looked at. */
class ConflictFinder {
  readonly problems = new Problems();

  findIds(table: TableName, existing: readonly Row[], added: readonly Row[]): void {
    const addedIds = new Set(added.map(({ id }) => id));
    existing.forEach(({ id }, index) => {
      if (!addedIds.has(id)) return;
      const flaw = 'is the id of a row to be added too';
      this.problems.add(problemOfRow(table, id, index, 'id', 'duplicate_id', flaw));
    });
  }

  findIdentifiers(
    existing: readonly MessageRow[],
    added: readonly MessageRow[],
    networks: ReadonlyMap<string, string>,
  ): void {
    const byIdentifier = new Map(added.map((row) => [identifierOf(row, networks), row.id]));
    existing.forEach((row, index) => {
      const other = byIdentifier.get(identifierOf(row, networks));
      // Of messages with the same id it was said already.
      if (other === undefined || other === row.id) return;
      const flaw = `is that of ${other}, which is to be added in the same direction`;
      const problem = problemOfRow('messages', row.id, index, 'can_id', 'duplicate_message', flaw);
      this.problems.add(problem);
    });
  }

  assertNone(): void {
    const { shown, total } = this.problems;
    if (total === 0) return;
    const more = total === 1 ? '' : `, and ${total - 1} more`;
    throw new BusbarError('invalid_project', {
      message: `The projects cannot be merged: ${shown[0]?.message}${more}`,
      details: { field: 'merge', problems: shown, total },
    });
  }
}

/**
 * A project with the rows of another behind its own, which stay as they are. CAN endpoints of one
 * network become one. Rows of one id, and messages of one identifier, direction and network, are
 * refused, all of them at once.
 */
export const mergeProject = (existing: Project, addition: Project): Project => {
  const names = endpointNames(existing.endpoints, addition.endpoints);
  const added: ProjectTables = {
    ...addition,
    endpoints: addition.endpoints.filter(({ id }) => !names.has(id)),
    messages: addition.messages.map((row) => ({
      ...row,
      endpoint: names.get(row.endpoint) ?? row.endpoint,
    })),
  };
  const conflicts = new ConflictFinder();
  for (const table of tableNames) conflicts.findIds(table, existing[table], added[table]);
  const networks = networksOf([...existing.endpoints, ...added.endpoints]);
  conflicts.findIdentifiers(existing.messages, added.messages, networks);
  conflicts.assertNone();
  const tables = Object.fromEntries(
    tableNames.map((table) => [table, [...existing[table], ...added[table]]]),
  ) as unknown as ProjectTables;
  const provenance = [...existing.header.provenance, ...addition.header.provenance];
  return { header: { ...existing.header, provenance }, ...tables };
};
