import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import type { runCommand } from '../../src/entry/cli.ts';

const repository = resolve(import.meta.dirname, '..', '..');
const executable = join(repository, 'bin', 'busbar');
const distribution = join(repository, 'dist');

interface BuiltCli {
  readonly runCommand: typeof runCommand;
}

/** Loads the bundle as bin/busbar does, up to where that would run its own command line. */
const load = (): BuiltCli => {
  const filename = join(distribution, 'cli.cjs');
  const cachedData = readFileSync(join(distribution, 'cli.code'));
  const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
  const require = createRequire(executable);
  const module = new Module(executable);
  // The parts of the CLI require bin/busbar for its errors and must not run it.
  module.loaded = true;
  require.cache[executable] = module;
  script.runInThisContext()(module.exports, require, module);
  return module.exports as BuiltCli;
};

let loaded: BuiltCli | undefined;

class CollectedOutput {
  readonly isTerminal = false;
  readonly isAbandoned = false;
  readonly columns = undefined;
  text = '';

  write(text: string | Uint8Array): void {
    this.text += Buffer.from(text).toString();
  }
}

/** How a command ended and what it printed. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line of the built CLI within this process, which saves the start of another. */
export const runInProcess = async (
  argv: readonly string[],
  where: { readonly env: NodeJS.ProcessEnv; readonly workingDirectory: string },
): Promise<Finished> => {
  loaded ??= load();
  const [stdout, stderr] = [new CollectedOutput(), new CollectedOutput()];
  const code = await loaded.runCommand(distribution, { argv, ...where, stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
};
