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

/** Like `statusOf`, but this process can do other things meanwhile. */
export const endOf = (command, args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

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
 * Starts commands that give way to the tests. The returned function waits for
 * them, prints the output of each in one piece, and returns whether all succeeded.
 */
export const startBeside = (commands) => {
  const ends = commands.map((command) => outputOf(['nice', '-n', '10', ...command]));
  return async () => {
    const results = await Promise.all(ends);
    for (const { output } of results) process.stdout.write(output);
    return results.every(({ code }) => code === 0);
  };
};

/**
 * Whether node_modules is a link: installing through it would empty the folder of another tree.
 */
const isLinked = (folder) =>
  lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

export const installPackages = async () => {
  const usesLinkedPackages = isLinked(resolve(root, 'node_modules'));
  if (!usesLinkedPackages && !(await isCurrent(installStampFile, installStamp))) {
    console.log('Installing dependencies…');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    await writeFile(installStampFile, await installStamp());
  }
};

export const buildProduct = async () => {
  const built = existsSync(resolve(root, 'bin', 'busbar')) && existsSync(stampFile);
  if (!built || !(await isCurrent(stampFile, sourceStamp))) {
    console.log('Building…');
    run(process.execPath, ['scripts/build.mjs']);
  }
};

export const makeReady = async () => {
  await installPackages();
  await buildProduct();
};
