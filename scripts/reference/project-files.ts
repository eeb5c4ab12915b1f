import { problemCodes } from '../../src/gateway/project/problems.ts';
import { ProjectHeader, rowSchemas } from '../../src/gateway/project/project.ts';
import { projectSchema, tableDescriptions } from '../../src/gateway/project/project-schema.ts';
import { keywordsOf } from '../../src/gateway/project/shape.ts';
import { tableNames } from '../../src/gateway/project/table-names.ts';
import { code, generatedPage, table } from './markdown.ts';
import { rowsOf, sections } from './schema-tables.ts';

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
});
