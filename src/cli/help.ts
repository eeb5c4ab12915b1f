import { BusbarError } from '../base/errors/busbar-error.ts';
import type { CliTable } from '../operations/render/cli-table.ts';
import type { Description } from '../operations/render/describe.ts';
import type { Palette } from './render/palette.ts';
import { suggest } from './suggest.ts';

const indent = '  ';

const aligned = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${indent}${left.padEnd(width)}  ${right}`.trimEnd());
};

const rangeOf = (schema: Record<string, unknown>): string => {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${minimum}..${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? '' : `at most ${maximum}`;
};

/** The fields of an object by the names that the command line gives them. */
const fieldNames = (schema: Record<string, unknown>, path = ''): string[] =>
  Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).flatMap(
    ([name, field]) => {
      if (field.properties) return fieldNames(field, `${path}${name}.`);
      const choices = field.enum ? `=${(field.enum as unknown[]).join('|')}` : '';
      return [`${path}${name}${choices}`];
    },
  );

const notes = ({ schema, required }: Description['parameters'][number]): string => {
  const parts = [
    required ? 'required' : '',
    rangeOf(schema),
    schema.properties ? `fields ${fieldNames(schema).join(', ')}` : '',
    schema.default === undefined || schema.default === false ? '' : `default ${schema.default}`,
  ].filter((part) => part !== '');
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
};

/** All commands by category, for people. */
export const renderOverview = (table: CliTable, palette: Palette): string => {
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
    ...aligned(rows),
    '',
    palette.strong('Options of every command'),
    ...aligned([...globals, ['--help', 'Explain the command instead of running it']]),
    '',
    'busbar help <category> <action> explains one command in full.',
  ].join('\n')}\n`;
};

/** One command in full, for people. */
export const renderCommandHelp = (operation: Description, palette: Palette): string => {
  const { parameters, errors, cli, http } = operation;
  const lines = [operation.summary, '', palette.strong('Usage'), indent + (cli?.usage ?? '')];
  if (operation.description) lines.splice(1, 0, '', operation.description);
  const rows = parameters.flatMap((parameter) =>
    parameter.cli === null
      ? []
      : [[parameter.cli, parameter.description + notes(parameter)] as const],
  );
  if (rows.length > 0) {
    lines.push('', palette.strong('Parameters'), ...aligned(rows));
  }
  if (cli && cli.examples.length > 0) {
    lines.push('', palette.strong('Examples'), ...cli.examples.map((example) => indent + example));
  }
  const route = http.available ? `${http.method} ${http.path}` : `none: ${http.reason}`;
  lines.push('', palette.strong('HTTP'), indent + route);
  lines.push(
    '',
    palette.strong('Errors'),
    ...aligned(errors.map(({ code, exit, message }) => [`${code} (exit ${exit})`, message])),
  );
  return `${lines.join('\n')}\n`;
};

/** The operations that the words after `help` mean: one, a category of them, or all. */
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
    message: `There is no command ${command}.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
    details: { command, suggestion },
  });
