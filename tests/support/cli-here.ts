import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { CommandLineReader } from '../../src/cli/command-line.ts';
import { CommandTable } from '../../src/cli/command-table.ts';
import { runCli } from '../../src/cli/main.ts';
import { Paper } from '../../src/cli/testing/paper.ts';
import type { ProcessEnvironment } from './started-daemon.ts';

/** Exit code and output of a command. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const distribution = resolve(import.meta.dirname, '..', '..', 'dist');

let table: CommandTable | undefined;
const builtTable = (): CommandTable => {
  table ??= new CommandTable(readFileSync(join(distribution, 'cli-table.jsonl'), 'utf8'));
  return table;
};

/** Commands about their own process or terminal. */
const needsProcess = /^(?:demo|doctor|help)$/;

type Place = 'here' | 'project' | 'process';

/** Where a command line is run: a daemon is started in the directory of its starter. */
const placeOf = (args: readonly string[], project: string): Place => {
  try {
    const { command } = new CommandLineReader(builtTable(), project).read(args);
    if (needsProcess.test(command.id) || args.includes('--foreground')) return 'process';
    return command.id === 'daemon.start' || command.daemon === 'start' ? 'project' : 'here';
  } catch {
    // The error is thrown before anything is done.
    return 'here';
  }
};

let lastStart: Promise<unknown> = Promise.resolve();

/** Calls a function in a directory, after earlier calls. */
const inDirectory = <T>(directory: string, run: () => Promise<T>): Promise<T> => {
  const started = lastStart.then(async () => {
    const before = process.cwd();
    process.chdir(directory);
    try {
      return await run();
    } finally {
      process.chdir(before);
    }
  });
  lastStart = started.catch(() => undefined);
  return started;
};

/**
 * Runs a command line in this process, ten times as fast as in a separate one. Null if it needs a
 * process.
 */
export const runHere = async (
  args: readonly string[],
  { environment, project }: ProcessEnvironment,
): Promise<Finished | null> => {
  const place = placeOf(args, project);
  if (place === 'process') return null;
  const [stdout, stderr] = [new Paper(), new Paper()];
  const run = (): Promise<number> =>
    runCli({
      argv: args,
      env: environment,
      workingDirectory: project,
      distribution,
      table: builtTable(),
      descriptions: () => Promise.reject(new Error('help is printed by a process')),
      clock: new SystemClock(),
      stdout,
      stderr,
    });
  const code = await (place === 'project' ? inDirectory(project, run) : run());
  return { code, stdout: stdout.text, stderr: stderr.text };
};
