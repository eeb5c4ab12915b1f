import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';
import { filesBelow, read } from './support/house-files.ts';

/** Documents for readers of the code. */
const guides = ['docs/ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** Excludes installed, built and fetched files. */
const tree = readdirSync(repository, { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && !/^(?:\.|bin$|code$|dist$|node_modules$)/.test(entry.name),
  )
  .flatMap(({ name }) => filesBelow(name));
const folders = new Set(
  tree.flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
);
const named = [...tree, ...[...folders].map((folder) => `${folder}/`)];

/** Files and folders in backticks, without glob patterns. */
const tokensOf = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)*(?:[\w.-]+\.(?:tsx?|mjs|cjs|md|json)|[\w.-]+\/))`/g)].map(
    (match) => match[1] ?? '',
  );

/** Number of files that a name can mean: a path from the root means itself. */
const found = (token: string): number =>
  existsSync(join(repository, token))
    ? 1
    : named.filter((path) => path.endsWith(`/${token}`)).length;

describe('the documentation', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesBelow('docs')].filter(
    (path) => path.endsWith('.md'),
  );

  it('describes every room in the import table', () => {
    const { layers, consoleLayers } = createRequire(import.meta.url)('../../scripts/rooms.cjs');
    const rows: { room: string; about?: string }[] = [...layers, ...consoleLayers].flat();
    const silent = rows.filter(({ room, about }) => !about && !room.startsWith('pages/'));
    expect(silent).toEqual([]);
  });

  it('has no guide and no page of the reference longer than 250 lines', () => {
    const long = pages
      .filter((page) => /^docs\/(?:guides|reference)\//.test(page))
      // One line for each command.
      .filter((page) => page !== 'docs/reference/cli.md')
      .filter((page) => read(page).split('\n').length > 251);
    expect(long).toEqual([]);
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

  it.each(guides)(
    'names files and folders in %s that can be found, and no two by one name',
    (page) => {
      expect(tokensOf(read(page)).filter((token) => found(token) !== 1)).toEqual([]);
    },
  );

  it('finds a file by its name only where there is one such file', () => {
    const tokens = tokensOf(
      '`lane.ts`, `layout.ts`, `testing/`, `rules.test.ts`, `*-record.ts`, `bin/busbar`',
    );
    expect(tokens).toEqual(['lane.ts', 'layout.ts', 'testing/', 'rules.test.ts']);
    expect(tokens.map((token) => Math.min(found(token), 2))).toEqual([1, 2, 2, 0]);
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
