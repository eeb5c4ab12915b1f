import { BusbarError } from '../../base/errors/busbar-error.ts';
import { fieldPath, type PathSegment } from '../../base/json/field-path.ts';
import { isJsonObject, type JsonValue } from '../../base/json/json-value.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { invalidProject, maxProblems, type ProblemCode, Problems } from './problems.ts';
import { type Project, ProjectHeader, type RowOf, rowSchemas } from './project.ts';
import { ProjectDraft, problemOfRow, TableDraft } from './project-draft.ts';
import { compileCheck } from './shape.ts';
import { type TableName, tableNames } from './table-names.ts';
import { refuseUnsupported } from './validate/refuse-unsupported.ts';
import { validateProject } from './validate/validate-project.ts';

interface JsonDocument {
  readonly fields: Record<string, unknown>;
  /** Paths of the repeated keys to report. Further ones are only counted. */
  readonly repeated: readonly PathSegment[][];
}

/** Returns undefined and reports a problem if the file is not a single JSON object. */
export const readDocument = (bytes: Uint8Array, problems: Problems): JsonDocument | undefined => {
  const repeated: PathSegment[][] = [];
  const onRepeatedKey = (path: PathSegment[]): void => {
    if (repeated.length < maxProblems) repeated.push(path);
    else problems.addUnseen(1);
  };
  const file = { table: null, row: null, index: null } as const;
  let fields: JsonValue;
  try {
    fields = parseJsonBytes(bytes, { onRepeatedKey, sourceAt: ['plugins', null, 'context'] });
  } catch (thrown) {
    const { code, message, details } = BusbarError.from(thrown);
    if (code !== 'invalid_argument') throw thrown;
    problems.add({ ...file, field: String(details.field ?? ''), code: 'invalid_json', message });
    return undefined;
  }
  if (isJsonObject(fields)) return { fields, repeated };
  const message = 'The file must contain one JSON object';
  problems.add({ ...file, field: '', code: 'wrong_type', message });
  return undefined;
};

type JsonRecord = Record<string, unknown>;

const checkHeader = compileCheck(ProjectHeader);
const checkRow = Object.fromEntries(
  tableNames.map((name) => [name, compileCheck(rowSchemas[name])]),
) as Record<TableName, ReturnType<typeof compileCheck>>;

const isTableName = (name: unknown): name is TableName => tableNames.includes(name as TableName);

const noHeader: ProjectHeader = { format: 'gwproj', schema_version: 1, provenance: [] };

const rowIdOf = (value: unknown): string | null => {
  const id = (value as JsonRecord | null)?.id;
  return typeof id === 'string' ? id : null;
};

const shownId = (id: string | null): string | null => id?.slice(0, 512) ?? null;

class ProjectReader {
  readonly #problems = new Problems();

  read(bytes: Uint8Array): ProjectDraft {
    const document = readDocument(bytes, this.#problems);
    const fields = document?.fields ?? {};
    const tables = Object.fromEntries(
      tableNames.map((name) => [name, this.#readTable(name, fields[name])]),
    ) as unknown as ProjectDraft['tables'];
    const header = document && this.#readHeader(fields);
    for (const path of document?.repeated ?? []) this.#reportRepeated(path, fields);
    return new ProjectDraft(header ?? noHeader, tables, this.#problems);
  }

  #readHeader(document: JsonRecord): ProjectHeader | undefined {
    const entries = Object.entries(document).filter(([name]) => !isTableName(name));
    const header = checkHeader(Object.fromEntries(entries), [], (at, code, error) => {
      const field = fieldPath(at);
      this.#reportFile(field, code, `${field} ${error}`);
    });
    return header as ProjectHeader | undefined;
  }

  #readTable<Table extends TableName>(name: Table, value: unknown): TableDraft<RowOf<Table>> {
    const draft = new TableDraft<RowOf<Table>>();
    if (value === undefined) return draft;
    if (!Array.isArray(value)) {
      this.#reportFile(name, 'wrong_type', `${name} must be a list of rows`);
      draft.isList = false;
      return draft;
    }
    const at: PathSegment[] = [];
    for (let index = 0; index < value.length; index++) {
      const id = rowIdOf(value[index]);
      const report = (path: readonly PathSegment[], code: ProblemCode, error: string): void =>
        this.#problems.add(problemOfRow(name, shownId(id), index, fieldPath(path), code, error));
      const row = checkRow[name](value[index], at, report) as RowOf<Table> | undefined;
      if (row === undefined) draft.unsound.push(value[index]);
      if (id === null || draft.add(id, row, index)) continue;
      if (row !== undefined) draft.unsound.push(row);
      report(['id'], 'duplicate_id', 'is the id of another row too; give this one its own');
    }
    return draft;
  }

  #reportRepeated(path: readonly PathSegment[], document: JsonRecord): void {
    const error = 'is given more than once; keep one';
    const [name, index, ...field] = path;
    if (isTableName(name) && typeof index === 'number') {
      const row = shownId(rowIdOf((document[name] as unknown[])[index]));
      const inRow = fieldPath(field);
      this.#problems.add(problemOfRow(name, row, index, inRow, 'duplicate_key', error));
      return;
    }
    const inFile = fieldPath(path);
    this.#reportFile(inFile, 'duplicate_key', `${inFile} ${error}`);
  }

  #reportFile(field: string, code: ProblemCode, message: string): void {
    this.#problems.add({ table: null, row: null, index: null, field, code, message });
  }
}

/** Parses a project file as completely as possible, and collects its problems. */
export const readProject = (bytes: Uint8Array): ProjectDraft => new ProjectReader().read(bytes);

export const loadProject = (bytes: Uint8Array, file?: string): Project => {
  const draft = readProject(bytes);
  refuseUnsupported(draft);
  validateProject(draft);
  if (draft.problems.total > 0) throw invalidProject('project', draft.problems, file);
  return draft.toProject();
};
