// Tells whether what was installed and built still fits the sources. Needs nothing but Node.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
