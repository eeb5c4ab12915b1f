import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';
import { filesBelow, read } from './support/house-files.ts';

describe('the documentation', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesBelow('docs')].filter(
    (path) => path.endsWith('.md'),
  );

  it('tells what is in every room of the import table', () => {
    const { layers } = createRequire(import.meta.url)('../../scripts/rooms.cjs');
    const rooms: string[] = layers.flat().map(({ room }: { room: string }) => `src/${room}/`);
    const architecture = read('docs/ARCHITECTURE.md');
    expect(rooms.filter((room) => !architecture.includes(`\`${room}\``))).toEqual([]);
  });

  it('names only paths that exist', () => {
    const folders = readdirSync(repository).join('|').replaceAll('.', '\\.');
    const named = new RegExp(`\`((?:${folders})(?:/[\\w.*{},-]+)*/?)\``, 'g');
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(named)]
        .map((match) => match[1] ?? '')
        .filter((path) => !/[*{]/.test(path) && !existsSync(join(repository, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('links only to pages and pictures that exist', () => {
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(repository, page, '..', target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});
