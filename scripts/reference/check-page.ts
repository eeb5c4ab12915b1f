import type { JsonSchema } from '../../src/base/json-schema/json-schema.ts';
import { publishedSchema, schemaDialect } from '../../src/base/json-schema/published-schema.ts';
import { CheckFile, maxChecks, maxCheckText } from '../../src/check/check-file.ts';
import { checkForms } from '../../src/check/parse-check.ts';
import { code, generatedPage, prose, table } from './markdown.ts';
import { sections } from './schema-tables.ts';

const schemaFile = 'schemas/checks.schema.json';

const body = (): string[] => [
  'A check is a text that must hold for the events of a trace. [Checks](../guides/checks.md) shows how they are used.',
  '',
  '## Forms',
  '',
  ...table(
    ['check', 'passes if', 'example'],
    Object.entries(checkForms).map(([kind, { form, about, example, takesChannel }]) => [
      code(`${kind} ${form}${takesChannel ? ' [on <channel>]' : ''}`.replace(/ +/g, ' ').trim()),
      prose(about),
      code(example),
    ]),
  ),
  '- **Messages** are named as in the databases, or written as identifiers: 3 hex digits for 11 bits, 8 for 29 bits. **Signals** are `Message.Signal`.',
  '- **Conditions** are those of [triggers and filters](conditions.md). A name that looks like a term, such as `frame`, is quoted.',
  '- **Durations** are a number and `us`, `ms`, `s`, `min` or `h`, up to 24h.',
  '- A check is about one channel. If frames of several channels match, it is refused until `on <channel>` names one: a number, `C1`, `L1` or the name of a channel in the trace. A channel that the trace does not have is refused.',
  '- **E2E** is checked with the profiles of gateways, and with the free layout. Protection by a plugin needs a running gateway and is refused.',
  '',
  '## Verdicts',
  '',
  '- `passed`: it was observed, and nothing violates it.',
  '- `failed`: something violates it, also if events are missing elsewhere. The report lists the first ten violations, each with the events around it.',
  '- `not_observed`: what it is about did not occur, or events are missing, so nothing is known. Invalid parts of a trace and the end of a truncated one count as missing events. Neither a counter, a cycle time nor an answer is judged across such a gap. A trace is read in batches of events: an invalid part is a gap before and after its batch, and the events in the batch are judged as if nothing were missing between them.',
  '',
  '## Limits',
  '',
  `At most ${maxChecks} checks, of ${maxCheckText.toLocaleString('en')} characters each. A wrong one is refused with ${code('invalid_argument')}: ${code('details.field')} names the field, ${code('details.offset')} the character from 0, and ${code('details.expected')} what is valid at that place. If it is in a check file, ${code('details.field')} is ${code('file')}, and ${code('details.problems')} names the fields in the file.`,
  '',
  '## Check files',
  '',
  `A check file is JSON with the ending \`.checks.json\`. Name the schema in \`$schema\`, and editors check the file: [checks.schema.json](../../${schemaFile}). [bus.checks.json](../../examples/bus.checks.json) is an example.`,
  '',
  ...sections('', CheckFile as unknown as JsonSchema).map((line) => line.replace(/^## /, '### ')),
];

/** Schema and reference of checks. */
export const checkFiles = (): Readonly<Record<string, string>> => {
  const content = publishedSchema(CheckFile as unknown as JsonSchema) as object;
  const schema = { $schema: schemaDialect, title: 'Checks', ...content };
  return {
    'docs/reference/checks.md': generatedPage('the forms of checks', 'Checks', body()),
    [schemaFile]: `${JSON.stringify(schema, null, 2)}\n`,
  };
};
