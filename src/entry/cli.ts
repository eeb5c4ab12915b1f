import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandClock } from '../base/clock/command-clock.ts';
import { CommandTable } from '../cli/command-table.ts';
import { runCli } from '../cli/main.ts';
import { DescriptorOutput } from '../cli/output.ts';

// What is loaded later takes its errors from here, so that all know each other's.
export * from '../base/errors/busbar-error.ts';

/** Null where the directory was removed under the caller: few commands need it. */
const workingDirectory = (): string | null => {
  try {
    return process.cwd();
  } catch {
    return null;
  }
};

/** Runs the command line that this process was given, with the built files of a directory. */
export const main = (distribution: string): void => {
  runCli({
    argv: process.argv.slice(2),
    env: process.env,
    workingDirectory: workingDirectory(),
    distribution,
    table: new CommandTable(readFileSync(join(distribution, 'cli-table.jsonl'), 'utf8')),
    descriptions: async () => (await import('./cli-descriptions.ts')).readDescriptions(),
    clock: new CommandClock(),
    stdout: new DescriptorOutput(1),
    stderr: new DescriptorOutput(2),
  }).then((code) => {
    // Everything is written by now; taking the link down in order would only take time.
    process.exit(code);
  });
};
