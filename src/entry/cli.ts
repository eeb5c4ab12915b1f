import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandClock } from '../base/clock/command-clock.ts';
import { CommandTable } from '../cli/command-table.ts';
import { runCli } from '../cli/main.ts';
import { DescriptorOutput } from '../cli/output.ts';

// Shared with code loaded later, so that errors are recognised.
export * from '../base/errors/busbar-error.ts';

const workingDirectory = (): string | null => {
  try {
    return process.cwd();
  } catch {
    return null;
  }
};

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
    // Everything is written; closing the link would only take time.
    process.exit(code);
  });
};
