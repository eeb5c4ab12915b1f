import { BusbarError } from '../base/errors/busbar-error.ts';
import type { JsonSchema } from '../base/json-schema/json-schema.ts';
import { rangeText } from '../base/json-schema/schema-text.ts';
import { suggest } from '../base/suggest.ts';
import type { CliTable } from '../operations/render/cli-table.ts';
import type { Description } from '../operations/render/describe.ts';
import type { Palette } from './render/palette.ts';
import { wrapColumns, wrapCommand, wrapText, wrapUsage } from './render/wrap.ts';

const indent = '  ';

const rangeOf = (schema: JsonSchema): string => {
  const range = rangeText(schema);
  if (schema['x-hex']) return `hex as 0x1F or 1Fh, otherwise decimal; ${range}`;
  return schema['x-bit-rate'] ? `${range}; or 500k, 2M` : range;
};

const fieldNames = ({ properties = {} }: JsonSchema, path = ''): string[] =>
  Object.entries(properties).flatMap(([name, field]) => {
    if (field.properties) return fieldNames(field, `${path}${name}.`);
    return [`${path}${name}${field.enum ? `=${field.enum.join('|')}` : ''}`];
  });

const notes = ({ schema, required }: Description['parameters'][number]): string => {
  const parts = [
    required ? 'required' : '',
    schema.type === 'array' ? 'repeatable' : '',
    rangeOf(schema),
    schema.properties ? `fields ${fieldNames(schema).join(', ')}` : '',
    schema.default === undefined || schema.default === false ? '' : `default ${schema.default}`,
  ].filter((part) => part !== '');
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
};

const helpOption = ['--help', 'Describe the command instead of running it'] as const;

export const renderOverview = (table: CliTable, palette: Palette, width: number): string => {
  const rows = table.commands.map(
    ({ words, summary }) => [`busbar ${words.join(' ')}`, summary] as const,
  );
  const globals = table.globals.map(({ option, schema }) => {
    const value = schema.enum ? schema.enum.join('|') : '<directory>';
    return [`${option}=${value}`, schema.description ?? ''] as const;
  });
  return `${[
    'Busbar automates benches with CAN, CAN FD, LIN and Modbus.',
    '',
    palette.strong('Commands'),
    ...wrapColumns(rows, width, indent),
    '',
    palette.strong('Global options'),
    ...wrapColumns([...globals, helpOption], width, indent),
    '',
    'busbar help <category> <action> explains one command in full.',
  ].join('\n')}\n`;
};

export const renderCommandHelp = (
  operation: Description,
  palette: Palette,
  width: number,
): string => {
  const { summary, description, parameters, errors, cli, http } = operation;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', palette.strong(title), ...lines];
  const optionFor = (field: string): string =>
    parameters.find(({ name }) => name === field)?.cli?.split('=', 1)[0] ?? field;
  const rows = parameters.flatMap((parameter) => {
    if (parameter.cli === null) return [];
    const text = parameter.description.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, optionFor);
    return [[parameter.cli, text + notes(parameter)] as const];
  });
  const examples = (cli?.examples ?? []).flatMap((example) => wrapCommand(example, width, indent));
  const route = http.available ? `${http.method} ${http.path}` : `none: ${http.reason}`;
  const met = errors
    .filter(({ faces }) => faces.includes('cli'))
    .map(({ code, exit, message }) => [`${code} (exit ${exit})`, message] as const);
  return `${[
    ...wrapText(summary, width),
    ...(description ? ['', ...wrapText(description, width)] : []),
    ...section('Usage', wrapUsage(cli?.usage ?? '', width, indent)),
    ...section('Parameters', wrapColumns(rows, width, indent)),
    ...section('Examples', examples),
    ...section(
      'HTTP',
      wrapText(route, width - indent.length).map((line) => indent + line),
    ),
    ...section('Errors', wrapColumns(met, width, indent)),
  ].join('\n')}\n`;
};

export const findDescriptions = (
  descriptions: readonly Description[],
  category: string | undefined,
  action: string | undefined,
): Description | readonly Description[] => {
  if (category === undefined) return descriptions;
  const inCategory = descriptions.filter((operation) => operation.category === category);
  if (inCategory.length === 0) {
    throw unknown(
      category,
      suggest(
        category,
        descriptions.map((operation) => operation.category),
      ),
    );
  }
  if (action === undefined) {
    const only = inCategory.length === 1 ? inCategory[0] : undefined;
    return only?.action === '' ? only : inCategory;
  }
  const found = inCategory.find((operation) => operation.action === action);
  if (found) return found;
  const near = suggest(
    action,
    inCategory.map((operation) => operation.action).filter((known) => known !== ''),
  );
  throw unknown(`${category} ${action}`, near === null ? null : `${category} ${near}`);
};

const unknown = (command: string, suggestion: string | null): BusbarError =>
  new BusbarError('unknown_command', {
    message: `No such command: ${command}.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
    details: { command, suggestion },
  });
