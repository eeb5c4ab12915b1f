// Installs and builds if needed, so that a fresh clone needs no other step.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { installStamp, installStampFile, isCurrent, sourceStamp, stampFile } from './stamp.mjs';

const root = resolve(import.meta.dirname, '..');

/** Runs a command in the repository and returns its exit code. */
export const statusOf = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    .status ?? 1;

/** Runs a command in the repository, and exits with its code if it fails. */
export const run = (command, args, env = {}) => {
  const status = statusOf(command, args, env);
  if (status !== 0) process.exit(status);
};

/** Exit code of a command, and its standard output and errors together. */
const outputOf = ([command, ...args]) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });

/**
 * Runs commands in parallel and prints the output of each in one piece. Exits after the last
 * one if any failed.
 */
export const runBeside = async (commands) => {
  const codes = commands.map(async (command) => {
    const { code, output } = await outputOf(command);
    process.stdout.write(output);
    return code;
  });
  const failed = (await Promise.all(codes)).find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
};

/**
 * Whether node_modules is a link: installing through it would empty the folder of another tree.
 */
const isLinked = (folder) =>
  lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

export const makeReady = async () => {
  const usesLinkedPackages = isLinked(resolve(root, 'node_modules'));
  if (!usesLinkedPackages && !(await isCurrent(installStampFile, installStamp))) {
    console.log('Installing dependencies…');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    await writeFile(installStampFile, await installStamp());
  }
  const built = existsSync(resolve(root, 'bin', 'busbar')) && existsSync(stampFile);
  if (!built || !(await isCurrent(stampFile, sourceStamp))) {
    console.log('Building…');
    run(process.execPath, ['scripts/build.mjs']);
  }
};
