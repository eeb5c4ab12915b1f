import { globalOptions } from '../../src/operations/global-options.ts';
import type { Description } from '../../src/operations/render/describe.ts';

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replace(/^(?=[.'])/, '\\&');

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

const parameterLines = ({ parameters }: Description): string[] =>
  parameters
    .filter(({ cli }) => cli !== null)
    .flatMap(({ cli, description, schema }) => [
      '.TP',
      bold(cli ?? ''),
      escaped(
        schema.default === undefined
          ? description
          : `${description} (default ${String(schema.default)})`,
      ),
    ]);

const exampleLines = ({ cli }: Description): string[] =>
  cli && cli.examples.length > 0
    ? ['.PP', 'Examples:', '.PP', '.RS', '.nf', ...cli.examples.map(escaped), '.fi', '.RE']
    : [];

const commandLines = (command: Description): string[] => [
  `.SS ${[command.category, command.action].filter(Boolean).join(' ')}`,
  `${escaped(command.summary)}.`,
  ...(command.description ? ['.PP', escaped(command.description)] : []),
  '.PP',
  '.nf',
  bold(command.cli?.usage ?? ''),
  '.fi',
  ...parameterLines(command),
  ...exampleLines(command),
];

const globalLines = (): string[] =>
  Object.entries(globalOptions).flatMap(([name, schema]) => [
    '.TP',
    bold(`--${name}=<${name}>`),
    escaped((schema as { description?: string }).description ?? ''),
  ]);

/** busbar(1): every command with its parameters and examples. */
export const renderManPage = (commands: readonly Description[], version: string): string =>
  `${[
    '.\\" Generated from the operations table by the Busbar build.',
    `.TH BUSBAR 1 "" "Busbar ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'busbar \\- automate benches with CAN, CAN FD, LIN and Modbus',
    '.SH SYNOPSIS',
    '.B busbar',
    '\\fIcommand\\fR [\\fIparameter\\fR ...]',
    '.SH DESCRIPTION',
    'One daemon owns the channels of a bench. Commands, the HTTP API and the web console share it.',
    'The directory in which it is started is its project directory: files named by clients must be inside it.',
    '.SH OPTIONS',
    ...globalLines(),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    '.TP',
    '0',
    'Done.',
    '.TP',
    '1',
    'The operation failed.',
    '.TP',
    '2',
    'Invalid command line.',
    '.TP',
    '3',
    'The daemon could not be reached or started.',
    '.SH ENVIRONMENT',
    '.TP',
    bold('BUSBAR_HOME'),
    'Directory for the socket, lock, log and state of the daemon.',
    '.TP',
    bold('BUSBAR_TOKEN'),
    'Token for \\fBweb start\\fR.',
    '.SH FILES',
    '.TP',
    bold('busbar.bench.json'),
    'Devices and networks of the bench, in the project directory or in the user’s configuration directory.',
  ].join('\n')}\n`;
