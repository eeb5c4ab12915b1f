import type { TSchema } from 'typebox';
import type { JsonSchema } from '../../src/base/json-schema/json-schema.ts';
import { publishedSchema, schemaDialect } from '../../src/base/json-schema/published-schema.ts';
import { DidFile } from '../../src/diagnostics/dids.ts';
import { EcuModel } from '../../src/diagnostics/ecu-model.ts';
import { FlashSequence } from '../../src/diagnostics/flash-sequence.ts';
import { generatedPage } from './markdown.ts';
import { sections } from './schema-tables.ts';

interface DiagnosticsFile {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly schema: TSchema;
  /** The schema of the table; default: of the file. */
  readonly rows?: object;
}

const files: readonly DiagnosticsFile[] = [
  {
    name: 'dids',
    title: 'Data identifiers of an ECU',
    about:
      'Names, lengths and codecs of data identifiers: `dids` of an ECU in the bench file, or a file of its own.',
    schema: DidFile,
    rows: { properties: { dids: DidFile } },
  },
  {
    name: 'ecu',
    title: 'Simulated ECU',
    about: 'What a simulated ECU answers. [ecu.json](../../examples/ecu.json) is an example.',
    schema: EcuModel,
  },
  {
    name: 'flash-sequence',
    title: 'Flash sequence',
    about:
      'Steps that flash an ECU. [flash-sequence.json](../../examples/flash-sequence.json) is an example.',
    schema: FlashSequence,
  },
];

const link = (name: string): string => `schemas/${name}.schema.json`;

const schemaText = ({ title, schema }: DiagnosticsFile): string => {
  const content = publishedSchema(schema as unknown as JsonSchema) as object;
  return `${JSON.stringify({ $schema: schemaDialect, title, ...content }, null, 2)}\n`;
};

const pageText = (): string =>
  generatedPage('the files for diagnostics', 'Files for diagnostics', [
    'These are JSON files. Name the schema in `$schema`, and editors check the file.',
    '',
    ...files.flatMap(({ name, title, about, schema, rows = schema }) => [
      `## ${title}`,
      '',
      `${about} Schema: [${name}.schema.json](../../${link(name)}).`,
      '',
      ...sections('', rows as JsonSchema).map((line) => line.replace(/^## /, '### ')),
    ]),
  ]);

/** Schemas and reference of the files for diagnostics. */
export const diagnosticsFiles = (): Readonly<Record<string, string>> => ({
  'docs/reference/diagnostics-files.md': pageText(),
  ...Object.fromEntries(files.map((file) => [link(file.name), schemaText(file)])),
});
