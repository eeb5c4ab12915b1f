import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repository } from '../../support/workbench.ts';

/** The files below a folder of the repository, as relative paths. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules/'));

export const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

/** The shipped files of the service. */
export const sources = filesBelow('src').filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/'),
);

export const consoleSources = filesBelow('console/src').filter((path) => /\.tsx?$/.test(path));
