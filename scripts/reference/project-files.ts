import type { TSchema } from 'typebox';
import { type JsonSchema, shapeOf } from '../../src/base/json-schema/json-schema.ts';
import { publishedSchema, schemaDialect } from '../../src/base/json-schema/published-schema.ts';
import { rangeText } from '../../src/base/json-schema/schema-text.ts';
import { DidFile } from '../../src/diagnostics/dids.ts';
import { EcuModel } from '../../src/diagnostics/ecu-model.ts';
import { FlashSequence } from '../../src/diagnostics/flash-sequence.ts';
import { tableNames } from '../../src/gateway/project/fields.ts';
import { problemCodes } from '../../src/gateway/project/problems.ts';
import { ProjectHeader, rowSchemas } from '../../src/gateway/project/project.ts';
import { projectSchema, tableDescriptions } from '../../src/gateway/project/project-schema.ts';
import { keywordsOf } from '../../src/gateway/project/shape.ts';
import { code, generatedPage, table } from './markdown.ts';

const codes = (values: readonly unknown[]): string =>
  values.map((value) => code(`${value}`)).join(', ');

interface Form {
  readonly marks: readonly string[];
  readonly schema: JsonSchema;
}

const formsOf = (schema: JsonSchema): Form[] => {
  const field = schema['x-variant'];
  if (field === undefined) return [{ marks: [], schema }];
  return (schema.anyOf ?? []).flatMap(formsOf).map(({ marks, schema: form }) => {
    const values = form.properties?.[field]?.enum ?? [];
    return { marks: [`${field} ${codes(values)}`, ...marks], schema: form };
  });
};

const typeOf = (schema: JsonSchema): string => {
  const shape = shapeOf(schema);
  if (schema['x-table'] !== undefined) return `id of a row of ${code(schema['x-table'])}`;
  if (schema['x-variant'] !== undefined) return 'object';
  switch (shape.kind) {
    case 'union':
      return shape.branches.map(typeOf).join(', or ');
    case 'choice':
      return codes(shape.values);
    case 'list':
      return `list: ${typeOf(shape.items)}`;
    case 'string':
      return schema['x-rule']?.replace(/^must be /, 'text: ') ?? 'text';
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
    case 'number':
      return [shape.kind, rangeText(schema)].filter(Boolean).join(', ');
    default:
      return 'object';
  }
};

const neededText = (name: string, field: JsonSchema, { required = [] }: JsonSchema): string => {
  if (field.default !== undefined) return `default ${code(JSON.stringify(field.default))}`;
  return required.includes(name) ? 'required' : '';
};

type Row = readonly [field: string, needed: string, type: string, meaning: string];

const rowsOf = (schema: JsonSchema, path: string, unions: [string, JsonSchema][]): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = `${path}${name}`;
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    if (inner['x-variant'] !== undefined) unions.push([own, inner]);
    const row: Row = [
      code(own),
      neededText(name, field, schema),
      typeOf(field),
      field.description ?? '',
    ];
    const innerPath = `${own}${field.type === 'array' ? '[]' : ''}.`;
    return [row, ...(inner.properties ? rowsOf(inner, innerPath, unions) : [])];
  });

const sections = (title: string, schema: JsonSchema, path = ''): string[] =>
  formsOf(schema).flatMap(({ marks, schema: form }) => {
    const heading = [title, ...marks].filter(Boolean).join(', ');
    const unions: [string, JsonSchema][] = [];
    const rows = rowsOf(form, path, unions);
    return [
      ...(heading === '' ? [] : [`## ${heading}`, '']),
      ...table(['field', 'default', 'type', 'meaning'], rows),
      ...unions.flatMap(([name, union]) => sections(code(name), union, `${name}.`)),
    ];
  });

const page = (title: string, lines: readonly string[]): string =>
  generatedPage('the tables of gateway projects', title, lines);

const projectPage = (): string =>
  page('Gateway projects', [
    'A project (`.gwproj`) is a JSON object with the fields below. Each table is a list of rows; an omitted table has no',
    'rows. [gwproj.schema.json](../../schemas/gwproj.schema.json) is the JSON Schema: name it in `$schema`, and editors',
    'check the file.',
    '',
    ...table(
      ['field', 'default', 'type', 'meaning'],
      [
        ...rowsOf(keywordsOf(ProjectHeader), '', []),
        ...tableNames.map((name) => [
          code(name),
          '',
          `list: [rows](gateway-project/${name}.md)`,
          tableDescriptions[name],
        ]),
      ],
    ),
    '## Problems',
    '',
    'An invalid project is rejected with `invalid_project`. `details.problems` lists up to 200 problems, each with `table`,',
    '`row`, `index`, `field`, `code` and `message`. `details.total` is the number of all problems.',
    '',
    ...table(
      ['code', 'meaning'],
      Object.entries(problemCodes).map(([name, meaning]) => [code(name), meaning]),
    ),
  ]);

const schemaFile = (name: string, title: string, schema: TSchema): Record<string, string> => {
  const content = {
    $schema: schemaDialect,
    title,
    ...(publishedSchema(keywordsOf(schema)) as object),
  };
  return { [`schemas/${name}.schema.json`]: `${JSON.stringify(content, null, 2)}\n` };
};

export const publishedFiles = (): Readonly<Record<string, string>> => ({
  'docs/reference/gateway-project.md': projectPage(),
  ...Object.fromEntries(
    tableNames.map((name) => [
      `docs/reference/gateway-project/${name}.md`,
      page(`Table ${code(name)}`, [
        `${tableDescriptions[name]}.`,
        '',
        ...sections('', keywordsOf(rowSchemas[name])),
      ]),
    ]),
  ),
  'schemas/gwproj.schema.json': `${JSON.stringify(projectSchema(), null, 2)}\n`,
  ...schemaFile('dids', 'Busbar data identifiers of an ECU', DidFile),
  ...schemaFile('ecu', 'Busbar simulated ECU', EcuModel),
  ...schemaFile('flash-sequence', 'Busbar flash sequence', FlashSequence),
});
