import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { dbcLimits } from '../../database/dbc/limits.ts';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { type TableName, tableNames } from '../project/fields.ts';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import type { Direction } from '../project/tables/messages.ts';
import type { ImportDefault } from '../project/tables/provenance.ts';
import { projectText } from '../project/write-project.ts';
import type { MissingCycle } from './cycle-rules.ts';
import { type ImportedDatabase, importDbc } from './import-dbc.ts';
import { type ImportNote, mostNotes } from './import-notes.ts';
import { mergeProject } from './merge-project.ts';
import { refuseDoubtful } from './refuse-doubtful.ts';

/** Whole files by the paths that the caller gives. Refusals name the argument. */
export interface ImportFiles {
  /** What a file holds; one byte more than the limit stands for all that is behind it. */
  read(path: string, field: string, limit: number): Uint8Array;
  /** Whether both paths lead to one file that exists. */
  isSame(path: string, other: string): boolean;
  /** Puts a file in the place of what is there, whole or not at all. */
  replace(path: string, field: string, bytes: Uint8Array): void;
}

/** The arguments as callers name them. */
export interface ImportArguments {
  /** DBC file. */
  readonly file: string;
  /** Project file to write. */
  readonly output: string;
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

export type RowCounts = Readonly<Record<TableName, number>>;

export interface ImportAnswer {
  readonly output: string;
  /** Null if the project has none: instances then take that of the bench. */
  readonly id: string | null;
  /** Rows of the project written. */
  readonly counts: RowCounts;
  /** Rows that came from the DBC file. */
  readonly added: RowCounts;
  readonly defaults: readonly ImportDefault[];
  readonly defaults_total: number;
  /** What of the DBC file is not in the project. */
  readonly omitted: readonly ImportNote[];
  readonly omitted_total: number;
}

/** Bytes of the largest project that is read. */
export const maxProjectBytes = 128 * 1024 * 1024;

const instanceName = /^[A-Za-z0-9_.-]{1,64}$/;
/** Words of the API in the places of instances. */
const reservedNames: readonly string[] = ['validate', 'import'];

const checkInstance = (instance: string | undefined): void => {
  if (instance === undefined) return;
  if (!instanceName.test(instance)) {
    throw invalidArgument('instance', 'instance must be 1 to 64 letters, digits and _ . -');
  }
  if (reservedNames.includes(instance)) {
    throw invalidArgument('instance', `instance must not be ${instance}, which the API uses`);
  }
};

const assertProjectSize = (bytes: number, path: string, field: string): void => {
  if (bytes <= maxProjectBytes) return;
  throw new BusbarError('capacity_exceeded', {
    message: `The project has more than ${maxProjectBytes} bytes: ${path}`,
    details: { field, path, limit: maxProjectBytes },
  });
};

const importFile = (files: ImportFiles, given: ImportArguments): ImportedDatabase => {
  const bytes = files.read(given.file, 'file', dbcLimits.fileBytes);
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

const readExisting = (files: ImportFiles, path: string): Project => {
  const bytes = files.read(path, 'merge', maxProjectBytes);
  assertProjectSize(bytes.length, path, 'merge');
  return loadProject(bytes, path);
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
const bytesOf = (project: Project, path: string): Uint8Array => {
  const pieces: Buffer[] = [];
  let size = 0;
  for (const text of projectText(project)) {
    const piece = Buffer.from(text);
    size += piece.length;
    assertProjectSize(size, path, 'output');
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
};

const countsOf = (project: Project): RowCounts =>
  Object.fromEntries(tableNames.map((table) => [table, project[table].length])) as RowCounts;

const addedTo = (existing: RowCounts | undefined, counts: RowCounts): RowCounts =>
  Object.fromEntries(
    tableNames.map((table) => [table, counts[table] - (existing?.[table] ?? 0)]),
  ) as RowCounts;

/**
 * Imports a DBC file into a project file. What is written was read back and validated first, so a
 * failure of any kind leaves the output, and what it was merged with, as they were.
 */
export const importProject = (files: ImportFiles, given: ImportArguments): ImportAnswer => {
  const { output, merge, instance } = given;
  checkInstance(instance);
  if (files.isSame(given.file, output)) {
    throw invalidArgument('output', 'output must not be the DBC file itself');
  }
  const imported = importFile(files, given);
  const existing = merge === undefined ? undefined : readExisting(files, merge);
  const id = idOf(existing, instance);
  const { project: addition, defaults, omitted } = imported;
  const project = withId(existing ? mergeProject(existing, addition) : addition, id);
  const bytes = bytesOf(project, output);
  loadProject(bytes, output);
  files.replace(output, 'output', bytes);
  const counts = countsOf(project);
  return {
    output,
    id: id ?? null,
    counts,
    added: addedTo(existing && countsOf(existing), counts),
    defaults: defaults.slice(0, mostNotes),
    defaults_total: defaults.length,
    omitted: omitted.slice(0, mostNotes),
    omitted_total: omitted.length,
  };
};
