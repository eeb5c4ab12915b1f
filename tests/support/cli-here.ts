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
/** A daemon is not started here: it would inherit the environment of the tests. */
const noDaemon = join(distribution, 'no-daemon-from-here');

let table: CommandTable | undefined;
const builtTable = (): CommandTable => {
  table ??= new CommandTable(readFileSync(join(distribution, 'cli-table.jsonl'), 'utf8'));
  return table;
};

/** Commands without a daemon that leave nothing in their process. */
const worksAlone = /^(?:trace|gateway)\.|^(?:version|completion)$/;

type Place = 'here' | 'daemon' | 'process';

/** Where a command line does its work. */
const placeOf = (args: readonly string[], project: string): Place => {
  try {
    const { command } = new CommandLineReader(builtTable(), project).read(args);
    if (command.place !== 'cli') return 'daemon';
    return worksAlone.test(command.id) ? 'here' : 'process';
  } catch {
    // The error is thrown before anything is done.
    return 'daemon';
  }
};

/**
 * Runs a command line in this process, ten times as fast as in a separate one. Null if it needs a
 * process: it starts a daemon, or the daemon has just ended.
 */
export const runHere = async (
  args: readonly string[],
  { environment, project }: ProcessEnvironment,
  hasDaemon: boolean,
): Promise<Finished | null> => {
  const place = placeOf(args, project);
  if (place === 'process' || (place === 'daemon' && !hasDaemon)) return null;
  const [stdout, stderr] = [new Paper(), new Paper()];
  const code = await runCli({
    argv: args,
    env: environment,
    workingDirectory: project,
    distribution: place === 'here' ? distribution : noDaemon,
    table: builtTable(),
    descriptions: () => Promise.reject(new Error('help is printed by a process')),
    clock: new SystemClock(),
    stdout,
    stderr,
  });
  if (stderr.text.includes('daemon_start_failed')) return null;
  return { code, stdout: stdout.text, stderr: stderr.text };
};
