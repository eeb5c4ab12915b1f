import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';

const folder = join(repository, 'dist', 'console');
const files = readdirSync(folder, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

describe('the console as it is shipped', () => {
  const sizeOf = (some: readonly string[]): number =>
    some.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  /** Fetched when a user asks for what they do. */
  const onDemand = files.filter((file) => /^create-mf4-[\w-]+\.js$/.test(basename(file)));

  it('is small enough to open at once over a slow line', () => {
    expect(onDemand).toHaveLength(1);
    expect(sizeOf(files.filter((file) => !onDemand.includes(file)))).toBeLessThanOrEqual(245_000);
    expect(sizeOf(files)).toBeLessThanOrEqual(252_000);
  });

  it('has a chunk on demand that no other one contains or needs', () => {
    const [chunk = ''] = onDemand;
    const others = files.filter((file) => file.endsWith('.js') && file !== chunk);
    const texts = others.map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => text.includes('UnFinMF'))).toEqual([]);
    const users = texts.filter((text) => text.includes(basename(chunk)));
    expect(users).toHaveLength(1);
    expect(users.join()).toContain(`import(\`./${basename(chunk)}\`)`);
  });

  it('has every script and style in a file of its own, as its content policy wants', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).not.toEqual([]);
    expect(scripts.filter((tag) => !/\bsrc="\.\//.test(tag))).toEqual([]);
    expect(page).not.toMatch(/<style\b|\son\w+=/);
  });

  it('names no other origin to load anything from', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const targets = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target = '']) => target);
    expect(targets).not.toEqual([]);
    expect(targets.filter((target) => /^(?:[a-z]+:)?\/\//.test(target))).toEqual([]);
  });
});
