import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import { fieldPath, type PathSegment } from '../../../base/json/field-path.ts';
import type { JsonSchema } from '../../../base/json-schema/json-schema.ts';
import { cases } from '../../../base/testing/long.ts';
import { loadProject } from '../load-project.ts';
import type { Problem } from '../problems.ts';
import { rowSchemas } from '../project.ts';
import { formOf, keywordsOf } from '../shape.ts';
import { type TableName, tableNames } from '../table-names.ts';
import { coolantProject, type LooseProject } from '../testing/coolant-project.ts';
import { goldenBytes, goldenNames } from '../testing/golden-projects.ts';

const repository = resolve(import.meta.dirname, '../../../..');
const textsIn = (folder: string): (readonly [string, string])[] =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith('.gwproj'))
    .map((name) => [name, readFileSync(join(repository, folder, name), 'utf8')] as const);

const texts: readonly (readonly [string, string])[] = [
  ['coolant', JSON.stringify(coolantProject())],
  ...goldenNames('valid').map(
    (name) => [name, Buffer.from(goldenBytes('valid', name)).toString()] as const,
  ),
  ...textsIn('examples'),
  ...textsIn('tests/golden/gwproj'),
];
const projects = texts.map(([name, text]) => [name, JSON.parse(text) as LooseProject] as const);
/** Number of changed fields in all projects. */
let tried = 0;

const problemsOf = (project: LooseProject): readonly Problem[] => {
  try {
    loadProject(new TextEncoder().encode(JSON.stringify(project)));
    return [];
  } catch (thrown) {
    return BusbarError.from(thrown).details.problems as Problem[];
  }
};

/** A location in a project with an invalid field. */
interface Change {
  readonly table: TableName;
  readonly index: number;
  readonly path: readonly PathSegment[];
  readonly kind: string;
  readonly value: unknown;
}

/** Values that are invalid for a field in every project. */
function* wrongValues(schema: JsonSchema, isRequired: boolean): Generator<[string, unknown]> {
  yield ['of another type', [[]]];
  if (isRequired && schema.default === undefined) yield ['removed', undefined];
  if (schema['x-table'] !== undefined) yield ['dangling', 'no.such-row'];
  if (schema.enum) yield ['none of its choices', 'no such choice'];
  if (schema.maximum !== undefined) yield ['too large', schema.maximum + 1];
  if (schema.minimum !== undefined) yield ['too small', schema.minimum - 1];
  if (schema['x-rule'] !== undefined) yield ['of another form', ' not this '];
}

function* changesOf(
  schema: JsonSchema,
  value: unknown,
  at: PathSegment[],
): Generator<Omit<Change, 'table' | 'index'>> {
  const form = formOf(schema, value);
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) {
      for (const [kind, wrong] of wrongValues(form.items ?? {}, false)) {
        yield { path: [...at, place], kind, value: wrong };
      }
      yield* changesOf(form.items ?? {}, item, [...at, place]);
    }
  } else if (form.properties && typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(form.properties)) {
      if (!Object.hasOwn(value, name)) continue;
      const isRequired = form.required?.includes(name) ?? false;
      for (const [kind, wrong] of wrongValues(field, isRequired)) {
        yield { path: [...at, name], kind, value: wrong };
      }
      yield* changesOf(field, (value as LooseProject)[name], [...at, name]);
    }
  }
}

const changed = (project: LooseProject, { table, index, path, value }: Change): LooseProject => {
  const copy = structuredClone(project);
  const keys = [...path];
  const last = keys.pop() as PathSegment;
  const holder = keys.reduce((parent, key) => parent[key], copy[table][index]);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
};

describe.each(projects)('the fields of %s', (_, project) => {
  const changes = tableNames
    .flatMap((table) =>
      ((project[table] ?? []) as LooseProject[]).flatMap((row, index) =>
        Array.from(changesOf(keywordsOf(rowSchemas[table]), row, []), (change) => ({
          table,
          index,
          ...change,
        })),
      ),
    )
    .filter((_, place) => place % cases(10, 1) === 0);

  it('are all right as they are', () => {
    expect(problemsOf(project)).toEqual([]);
    tried += changes.length;
  });

  it('are named, with table and row, when one of them is wrong', () => {
    const unnamed = changes.filter(({ table, index, path, ...change }) => {
      const problems = problemsOf(changed(project, { table, index, path, ...change }));
      const field = fieldPath(path);
      return !problems.some(
        (problem) =>
          problem.table === table && problem.index === index && problem.field.startsWith(field),
      );
    });
    expect(
      unnamed.map(({ table, index, path, kind }) => [table, index, fieldPath(path), kind]),
    ).toEqual([]);
  });
});

it('are thousands of fields in all', () => {
  expect(tried).toBeGreaterThan(cases(500, 5_000));
});
