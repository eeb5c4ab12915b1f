import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { dbcLimits } from '../../database/dbc/limits.ts';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { type ProjectFiles, whileWriting } from '../files/project-files.ts';
import { fileTooLarge, instanceLimits, savedTooLarge } from '../instances/budget.ts';
import { tableNames } from '../project/fields.ts';
import { checkInstanceName } from '../project/instance-name.ts';
import { loadProject } from '../project/load-project.ts';
import { countTables, type Project } from '../project/project.ts';
import type { RowCounts } from '../project/row-counts.ts';
import { savedPieces } from '../project/saved-pieces.ts';
import type { Direction } from '../project/tables/messages.ts';
import { warningsOf } from '../project/warnings.ts';
import type { MissingCycle } from './cycle-rules.ts';
import { type ImportedDatabase, importDbc } from './import-dbc.ts';
import { mostNotes } from './import-notes.ts';
import type { GatewayImport } from './import-record.ts';
import { mergeProject } from './merge-project.ts';
import { refuseDoubtful } from './refuse-doubtful.ts';

/** The arguments as callers name them. */
export interface ImportArguments {
  /** DBC file. */
  readonly file: string;
  /** Project file to write. */
  readonly output: string;
  /** Whether an output that is there is replaced. */
  readonly overwrite: boolean;
  /** Project file to add to; `output` may name the same one. */
  readonly merge?: string | undefined;
  /** Becomes the id of the project. */
  readonly instance?: string | undefined;
  readonly network: string;
  readonly direction: Direction;
  readonly missing_cycle?: MissingCycle | undefined;
  readonly default_period_ms?: number | undefined;
  readonly stale_after_ms?: number | undefined;
}

/** The content of a file, unless it is too large, and the version that was read. */
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

/** The id of the project: a merge keeps the one that it finds. */
const idOf = (existing: Project | undefined, instance: string | undefined): string | undefined => {
  const id = existing?.header.id;
  if (id === undefined || instance === undefined || id === instance) return id ?? instance;
  throw invalidArgument('instance', `instance must be ${id}, the id of the project to merge with`);
};

const withId = ({ header, ...tables }: Project, id: string | undefined): Project => ({
  header: id === undefined ? header : { ...header, id },
  ...tables,
});

/** The bytes of a project file. Joined piece by piece: they may be more than a string can hold. */
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
 * Imports a DBC file into a project file. What is written was read back and validated first, so a
 * failure of any kind leaves the output, and what it was merged with, as they were.
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
    // Rows that another import has added since are not lost.
    expected: isMergedInPlace ? read?.version : undefined,
  });
  const counts = countTables(project);
  return {
    output,
    id: id ?? null,
    counts,
    added: addedTo(existing && countTables(existing), counts),
    defaults: defaults.slice(0, mostNotes),
    defaults_total: defaults.length,
    omitted: omitted.slice(0, mostNotes),
    omitted_total: omitted.length,
    ...warningsOf(project),
  };
};

/**
 * The same, one import of a directory at a time, of all processes: each adds to what the last one has
 * written.
 */
export const importInTurn = (
  files: ProjectFiles,
  given: ImportArguments,
  clock: Clock,
): Promise<GatewayImport> =>
  whileWriting(files, { path: given.output, field: 'output' }, clock, () =>
    importProject(files, given),
  );
