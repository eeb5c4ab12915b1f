import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { CommandTable } from '../../src/cli/command-table.ts';
import { runCli } from '../../src/cli/main.ts';
import { Paper } from '../../src/cli/testing/paper.ts';
import type { Surroundings } from './started-daemon.ts';

/** How a command ended and what it printed. */
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

/**
 * Runs a command line in this process. The daemon that it asks has to be there: one that it started
 * would have the environment of the tests. Its link lasts as long as the daemon does.
 */
export const runHere = async (
  args: readonly string[],
  { environment, project }: Surroundings,
): Promise<Finished> => {
  const [stdout, stderr] = [new Paper(), new Paper()];
  const code = await runCli({
    argv: args,
    env: environment,
    workingDirectory: project,
    distribution: join(distribution, 'no-daemon-from-here'),
    table: builtTable(),
    descriptions: () => Promise.reject(new Error('help is printed by a process')),
    clock: new SystemClock(),
    stdout,
    stderr,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
};
