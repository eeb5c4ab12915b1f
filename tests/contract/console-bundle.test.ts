import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';

const folder = join(repository, 'dist', 'console');
const files = readdirSync(folder, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

describe('the console as it is shipped', () => {
  it('is small enough to open at once over a slow line', () => {
    const bytes = files.map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(245_000);
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
