// Identifies the commit of the sources, and whether installed packages and the build are up to
// date. Needs only Node and, in a clone, git.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const built = [
  'src',
  'scripts',
  'console/src',
  'console/static',
  'console/index.html',
  'console/vite.config.ts',
  'docs/guides',
  'docs/reference',
  'schemas',
  'package.json',
  'package-lock.json',
];

export const stampFile = join(root, 'dist', '.stamp');
export const installStampFile = join(root, 'node_modules', '.busbar-install');

const filesBelow = async (path) => {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null);
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
};

const stampOf = async (names) => {
  const hash = createHash('sha256');
  const files = (await Promise.all(names.map((name) => filesBelow(join(root, name))))).flat();
  for (const file of files.sort()) {
    if (existsSync(file)) hash.update(relative(root, file)).update(await readFile(file));
  }
  return hash.digest('hex');
};

export const sourceStamp = () => stampOf(built);
export const installStamp = () => stampOf(['package.json', 'package-lock.json']);

export const isCurrent = async (file, stamp) =>
  (await readFile(file, 'utf8').catch(() => '')) === (await stamp());

const git = (folder, ...args) =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Commit of a clone and its time in seconds; null in another repository or none. */
const clonedCommit = async (folder) => {
  try {
    if (git(folder, 'rev-parse', '--show-toplevel') !== (await realpath(folder))) return null;
    const [commit, seconds] = git(folder, 'log', '-1', '--format=%H %ct').split(' ');
    const isChanged = git(folder, 'status', '--porcelain', '--', ...built) !== '';
    return [isChanged ? `${commit}-dirty` : commit, seconds];
  } catch {
    return null;
  }
};

/** The same from a file that git fills in when it makes an archive. */
const archivedCommit = async (folder) => {
  const file = join(folder, 'scripts', 'source-commit.txt');
  return /^([0-9a-f]{40}) (\d+)$/m.exec(await readFile(file, 'utf8').catch(() => ''))?.slice(1);
};

/** Commit of the sources, without build-specific values, so that builds are reproducible. */
export const sourceRecord = async (folder = root) => {
  const found = (await archivedCommit(folder)) ?? (await clonedCommit(folder));
  const [commit = null, seconds] = found ?? [];
  return { commit, committed_at_us: seconds === undefined ? null : Number(seconds) * 1_000_000 };
};

/**
 * Written by the build and again when packing, because a commit changes no input of a build.
 */
export const writeSourceRecord = async (folder) =>
  writeFile(join(folder, 'build.json'), `${JSON.stringify(await sourceRecord())}\n`);
