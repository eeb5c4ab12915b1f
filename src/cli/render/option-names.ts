import type { ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { CliCommand, CliParameter } from '../../operations/render/cli-table.ts';

/** A command that failed, and what its line gave. */
export interface FailedCommand extends Pick<CliCommand, 'words' | 'parameters'> {
  readonly given?: Readonly<Record<string, unknown>>;
}

/** How a parameter is called on the line: by its option, or by its place. */
export const nameOnLine = ({ name, option, positional }: CliParameter): string =>
  positional ? `<${name.replaceAll('_', '-')}>` : option;

/** Fields such as `period_us` that a time with its unit, `--period=10ms`, can stand for. */
const microseconds = /_us$/;

/** Names that only fields have, outside of lists; other words may be plain English. */
const fieldName = /(?<!, )\b[a-z0-9]+(?:[._][a-z0-9]+)+\b(?!,)/g;

/** What the user of a command calls a field; undefined where the command has no option for it. */
const optionFor = (
  { parameters, given = {} }: FailedCommand,
  field: string,
): string | undefined => {
  const [head = '', ...rest] = field.replaceAll(/\[\d+\]/g, '').split('.');
  const known = (name: string): CliParameter | undefined =>
    parameters.find((parameter) => parameter.name === name);
  const tail = rest.join('.');
  const whole = known(head);
  if (whole && tail !== '' && head in given) return `${tail} of ${nameOnLine(whole)}`;
  // Fields of an object may have options of their own: `source.id` is `--source-id`.
  const own = known([head, ...rest].join('_')) ?? known(rest.at(-1) ?? head);
  if (!own) return whole && `${tail} of ${nameOnLine(whole)}`;
  const isGiven = own.name in given || !microseconds.test(own.name);
  return nameOnLine((isGiven ? undefined : known(own.name.replace(microseconds, ''))) ?? own);
};

/** Words about fields, with the names of the options that the user has for them. */
export const withOptionNames = (command: FailedCommand, text: string): string =>
  text.replaceAll(fieldName, (name) => optionFor(command, name) ?? name);

/** The message of a refusal for the user of a command line. */
export const messageOnLine = (
  command: FailedCommand,
  message: string,
  { field, with: others }: ErrorDetails,
): string => {
  const option = typeof field === 'string' ? optionFor(command, field) : undefined;
  const isFirst = option !== undefined && message.startsWith(`${field} `);
  const rest = withOptionNames(command, isFirst ? message.slice(String(field).length) : message);
  const words = isFirst ? option + rest : rest;
  if (!Array.isArray(others)) return words;
  const named = others.map((name) => optionFor(command, String(name)) ?? String(name));
  return words.replace(others.join(', '), named.join(', '));
};
