import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { dbcLimits } from '../../database/dbc/limits.ts';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { type ProjectFiles, whileWriting } from '../files/project-files.ts';
import { fileTooLarge, instanceLimits, savedTooLarge } from '../instances/budget.ts';
import { checkInstanceName } from '../project/instance-name.ts';
import { loadProject } from '../project/load-project.ts';
import { Problems } from '../project/problems.ts';
import {
  countTables,
  type Project,
  type ProjectTables,
  type RowCounts,
} from '../project/project.ts';
import { problemOfRow } from '../project/project-draft.ts';
import { type TableName, tableNames } from '../project/table-names.ts';
import type { EndpointRow } from '../project/tables/endpoints.ts';
import type { Direction, MessageRow } from '../project/tables/messages.ts';
import { warningsOf } from '../project/warnings.ts';
import { savedPieces } from '../project/write-project.ts';
import type { MissingCycle } from './cycle-rules.ts';
import { type ImportedDatabase, importDbc } from './import-dbc.ts';
import { maxNotes, refuseDoubtful } from './import-notes.ts';
import type { GatewayImport } from './import-record.ts';

interface Row {
  readonly id: string;
}

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

const identifierOf = (
  { endpoint, direction, can_id, extended }: MessageRow,
  networks: ReadonlyMap<string, string>,
): string => JSON.stringify([networks.get(endpoint) ?? endpoint, direction, can_id, extended]);

const networksOf = (endpoints: readonly EndpointRow[]): ReadonlyMap<string, string> =>
  new Map(endpoints.map(({ id, network }) => [id, network]));

/** Reports rows that exist in both projects, in terms of the existing project. */
class ConflictFinder {
  readonly problems = new Problems();

  findIds(table: TableName, existing: readonly Row[], added: readonly Row[]): void {
    const addedIds = new Set(added.map(({ id }) => id));
    existing.forEach(({ id }, index) => {
      if (!addedIds.has(id)) return;
      const error = 'is also the id of a new row';
      this.problems.add(problemOfRow(table, id, index, 'id', 'duplicate_id', error));
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
      // Messages with the same id were already reported.
      if (other === undefined || other === row.id) return;
      const error = `is also that of the new ${other} in the same direction`;
      const problem = problemOfRow('messages', row.id, index, 'can_id', 'duplicate_message', error);
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
 * Appends the rows of one project to another. CAN endpoints of the same network are merged.
 * Duplicate ids, and messages with the same identifier, direction and network, are rejected
 * together.
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

export interface ImportArguments {
  readonly file: string;
  readonly output: string;
  readonly overwrite: boolean;
  readonly merge?: string | undefined;
  readonly instance?: string | undefined;
  readonly network: string;
  readonly direction: Direction;
  readonly missing_cycle?: MissingCycle | undefined;
  readonly default_period_ms?: number | undefined;
  readonly stale_after_ms?: number | undefined;
}

const readFile = (
  files: ProjectFiles,
  path: string,
  field: string,
  checkSize: (bytes: number) => void,
) => {
  const opened = files.open(path, field);
  try {
    checkSize(opened.size);
    return { bytes: opened.read(), version: opened.version };
  } finally {
    opened.close();
  }
};

const checkProjectSize = (field: string) => (bytes: number) => {
  if (bytes > instanceLimits.fileBytes) throw fileTooLarge(bytes, field);
};

const checkDatabaseSize = (bytes: number): void => {
  if (bytes <= dbcLimits.fileBytes) return;
  throw new BusbarError('invalid_database', {
    message: `The file has ${bytes} bytes, more than ${dbcLimits.fileBytes}`,
    details: { field: 'file', bytes, maximum: dbcLimits.fileBytes },
  });
};

const importFile = (files: ProjectFiles, given: ImportArguments): ImportedDatabase => {
  const { bytes } = readFile(files, given.file, 'file', checkDatabaseSize);
  const { database, diagnostics } = readDbc(bytes);
  refuseDoubtful(diagnostics);
  return importDbc(database, {
    network: given.network,
    direction: given.direction,
    missingCycle: given.missing_cycle,
    defaultPeriodMs: given.default_period_ms,
    staleAfterMs: given.stale_after_ms,
    file: basename(given.file),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
};

const readExisting = (files: ProjectFiles, path: string) => {
  const { bytes, version } = readFile(files, path, 'merge', checkProjectSize('merge'));
  return { project: loadProject(bytes, path), version };
};

const idOf = (existing: Project | undefined, instance: string | undefined): string | undefined => {
  const id = existing?.header.id;
  if (id === undefined || instance === undefined || id === instance) return id ?? instance;
  throw invalidArgument('instance', `instance must be ${id}, the id of the target project`);
};

const withId = ({ header, ...tables }: Project, id: string | undefined): Project => ({
  header: id === undefined ? header : { ...header, id },
  ...tables,
});

/** Joins pieces as bytes, because they can exceed the maximum length of a string. */
const bytesOf = (project: Project): Uint8Array => {
  const pieces = savedPieces(project, instanceLimits.fileBytes);
  if (pieces === null) throw savedTooLarge('output');
  return Buffer.concat(pieces);
};

const addedTo = (existing: RowCounts | undefined, counts: RowCounts): RowCounts =>
  Object.fromEntries(
    tableNames.map((table) => [table, counts[table] - (existing?.[table] ?? 0)]),
  ) as RowCounts;

/**
 * Imports a DBC file into a project file. The result is parsed and validated before it is
 * written, so that a failure leaves existing files unchanged.
 */
export const importProject = (files: ProjectFiles, given: ImportArguments): GatewayImport => {
  const { output, merge, instance } = given;
  if (instance !== undefined) checkInstanceName(instance);
  const target = files.follow(output, 'output');
  if (target !== undefined && target === files.follow(given.file, 'file')) {
    throw invalidArgument('output', 'output must not be the DBC file itself');
  }
  const imported = importFile(files, given);
  const read = merge === undefined ? undefined : readExisting(files, merge);
  const existing = read?.project;
  const id = idOf(existing, instance);
  const { project: addition, defaults, omitted } = imported;
  const project = withId(existing ? mergeProject(existing, addition) : addition, id);
  const bytes = bytesOf(project);
  loadProject(bytes, output);
  const isMergedInPlace = merge !== undefined && target === files.follow(merge, 'merge');
  files.replace(output, [bytes], {
    field: 'output',
    overwrite: given.overwrite,
    // Rejects the write if another import changed the file meanwhile.
    expected: isMergedInPlace ? read?.version : undefined,
  });
  const counts = countTables(project);
  return {
    output,
    id: id ?? null,
    counts,
    added: addedTo(existing && countTables(existing), counts),
    defaults: defaults.slice(0, maxNotes),
    defaults_total: defaults.length,
    omitted: omitted.slice(0, maxNotes),
    omitted_total: omitted.length,
    ...warningsOf(project),
  };
};

/** Runs one import per directory at a time, across processes: each adds to the previous result. */
export const importInTurn = (
  files: ProjectFiles,
  given: ImportArguments,
  clock: Clock,
): Promise<GatewayImport> =>
  whileWriting(files, { path: given.output, field: 'output' }, clock, () =>
    importProject(files, given),
  );
