import type { ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { CliCommand, CliParameter } from '../../operations/render/cli-table.ts';

export interface FailedCommand extends Pick<CliCommand, 'words' | 'parameters'> {
  readonly given?: Readonly<Record<string, unknown>>;
}

export const nameOnLine = ({ name, option, positional }: CliParameter): string =>
  positional ? `<${name.replaceAll('_', '-')}>` : option;

/** Fields with a duration option: `period_us` is `--period=10ms`. */
const microseconds = /_us$/;

/** Matches names that only fields can have; other words can be plain English. */
const fieldName = /(?<!, )\b[a-z0-9]+(?:[._][a-z0-9]+)+\b(?!,)/g;

/** Name of the option for a field, or undefined. */
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
  // `source.id` is `--source-id`.
  const own = known([head, ...rest].join('_')) ?? known(rest.at(-1) ?? head);
  if (!own) return whole && `${tail} of ${nameOnLine(whole)}`;
  const isGiven = own.name in given || !microseconds.test(own.name);
  return nameOnLine((isGiven ? undefined : known(own.name.replace(microseconds, ''))) ?? own);
};

/** Replaces field names by option names. */
export const withOptionNames = (command: FailedCommand, text: string): string =>
  text.replaceAll(fieldName, (name) => optionFor(command, name) ?? name);

/** Error message in terms of the command line. */
export const messageOnLine = (
  command: FailedCommand,
  message: string,
  { field, with: others }: ErrorDetails,
): string => {
  const option = typeof field === 'string' ? optionFor(command, field) : undefined;
  // `check[0]: expected …` is about one of the values of `--check`.
  const isEntry = /\[\d+\]$/.test(String(field)) && message.startsWith(`${field}: `);
  const isFirst = option !== undefined && (isEntry || message.startsWith(`${field} `));
  const rest = withOptionNames(command, isFirst ? message.slice(String(field).length) : message);
  const words = isFirst ? option + rest : rest;
  if (!Array.isArray(others)) return words;
  const named = others.map((name) => optionFor(command, String(name)) ?? String(name));
  return words.replace(others.join(', '), named.join(', '));
};
