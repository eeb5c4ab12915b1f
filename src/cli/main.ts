import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { locateHome } from '../link/home.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import { withKeptArguments } from '../operations/kept-arguments.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { Description } from '../operations/render/describe.ts';
import { CommandLineReader, type ParsedLine } from './command-line.ts';
import type { CommandTable } from './command-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { filledValues } from './filled-values.ts';
import type { Output } from './output.ts';
import { renderError } from './render/error.ts';
import { paletteFor } from './render/palette.ts';
import { renderResult } from './render/result.ts';

interface ProcessEnvironment {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly workingDirectory: string | null;
  readonly distribution: string;
  readonly table: CommandTable;
  readonly descriptions: () => Promise<readonly Description[]>;
  readonly clock: Clock;
  readonly stdout: Output;
  readonly stderr: Output;
}

const formatIn = (argv: readonly string[]): OutputFormat => {
  const end = argv.indexOf('--');
  const options = (end === -1 ? argv : argv.slice(0, end)).join('\n');
  const given = /^--format[=\n](json|jsonl|csv)$/m.exec(options)?.[1];
  return (given ?? 'text') as OutputFormat;
};

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const benchFile = 'busbar.bench.json';

const projectOf = (
  globals: ParsedLine['globals'],
  workingDirectory: string | null,
): string | null => {
  const { project } = globals;
  if (typeof project !== 'string') {
    if (workingDirectory === null) return null;
    return existsSync(join(workingDirectory, benchFile)) ? workingDirectory : null;
  }
  if (!isDirectory(project))
    throw invalidArgument('project', `--project is not a directory: ${project}`);
  return project;
};

type Values = ParsedLine['arguments'];
type Run = (command: CliCommand, values: Values, context: CliContext) => Promise<Outcome>;

const localRunners: Readonly<Record<string, () => Promise<Run>>> = {
  'message.recv': async () => (await import('./receive.ts')).receive,
  'signal.watch': async () => (await import('./watch.ts')).watch,
  'pdu.watch': async () => (await import('./pdu-watch.ts')).watchPdus,
  'gateway.watch': async () => (await import('./gateway-watch.ts')).watchInstance,
  'modbus.read': async () => (await import('./modbus-values.ts')).showValues,
  'modbus.write': async () => (await import('./modbus-values.ts')).showValues,
  'modbus.scan': async () => (await import('./scan.ts')).scan,
  'modbus.poll': async () => (await import('./poll.ts')).poll,
  'message.send': async () => (await import('./send.ts')).send,
  'message.history': async () => (await import('./history.ts')).history,
  'web.start': async () => (await import('./web-start.ts')).webStart,
  'uds.flash': async () => (await import('./ecu-commands.ts')).flashEcu,
};

const runnerOf = (id: string) =>
  localRunners[id] ??
  (id.startsWith('uds.') ? async () => (await import('./ecu-commands.ts')).askEcu : undefined);

/** Modules are loaded on demand, which halves the startup time of other commands. */
const carryOut = async (line: ParsedLine, context: CliContext): Promise<Outcome> => {
  const { command, arguments: values } = line;
  if (command.place !== 'cli') {
    const run = (await runnerOf(command.id)?.()) ?? callDaemon;
    return run(command, values, context);
  }
  const { localCommands } = await import('./local-commands.ts');
  const local = localCommands[command.id];
  if (!local) throw new BusbarError('internal_error');
  return local(filledValues(command, values), context);
};

/** An internal error of the command is in no daemon log. */
const ownDefect = (error: BusbarError): BusbarError => {
  const { code, message, details, cause } = error;
  const isOwn = cause !== undefined && !(cause instanceof BusbarError);
  if (code !== 'internal_error' || !isOwn) return error;
  const hint = 'Run with BUSBAR_DEBUG=1 for the stack trace, and please report it.';
  return new BusbarError(code, { message, details, cause, hint });
};

/** Runs one command line and returns the exit code. */
export const runCli = async (around: ProcessEnvironment): Promise<number> => {
  const { argv, env, stdout, stderr, table } = around;
  const palette = paletteFor(stdout, env);
  const reader = new CommandLineReader(table, around.workingDirectory);
  let given: ParsedLine['arguments'] = {};
  try {
    const line = reader.read(argv);
    given = line.arguments;
    const format = (line.globals.format as OutputFormat | undefined) ?? 'text';
    const context: CliContext = {
      ...around,
      home: locateHome(env),
      format,
      palette,
      project: projectOf(line.globals, around.workingDirectory),
      write: (text) => stdout.write(text),
    };
    const outcome = await carryOut(line, context).catch((thrown: unknown) => {
      const { kept } = line.command;
      throw kept ? withKeptArguments(kept, line.arguments, thrown) : thrown;
    });
    if ('exitCode' in outcome) return outcome.exitCode;
    const { result, text, failure } = outcome;
    const isReported = format === 'text' && text !== undefined;
    stdout.write(isReported ? text : renderResult(format, result, palette, line.command.columns));
    if (failure) throw failure;
    return 0;
  } catch (thrown) {
    const error = ownDefect(BusbarError.from(thrown));
    const command = reader.command && { ...reader.command, given };
    stderr.write(renderError(formatIn(argv), error, paletteFor(stderr, env), command));
    if (error.code === 'internal_error' && env.BUSBAR_DEBUG) console.error(thrown);
    return error.row.exit;
  }
};
