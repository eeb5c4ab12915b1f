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
  const parts = [
    ...['api', 'blf-writer', 'create-mf4', 'detect-fields', 'diagnostics', 'draw-picture'],
    ...['editor', 'file-worker', 'find-rows', 'id-views', 'layouts', 'trace-tools', 'uint64'],
    'validator-worker',
  ];
  const onDemand = files.filter((file) =>
    parts.some((part) => basename(file).startsWith(`${part}-`)),
  );

  it('is small enough to open at once over a slow line', () => {
    // Two workers have writers of BLF and MF4 and a search each.
    expect(onDemand).toHaveLength(parts.length + 3);
    expect(sizeOf(files.filter((file) => !onDemand.includes(file)))).toBeLessThanOrEqual(260_000);
    expect(sizeOf(files)).toBeLessThanOrEqual(530_000);
  });

  it('has chunks on demand that no file of the first load needs', () => {
    const others = files.filter((file) => file.endsWith('.js') && !onDemand.includes(file));
    const texts = others.map((file) => readFileSync(file, 'utf8')).join('\n');
    for (const chunk of onDemand) {
      expect(texts).not.toMatch(new RegExp(`from *["'\`]\\./${basename(chunk)}`));
    }
    const asked = onDemand.filter((chunk) => texts.includes(basename(chunk)));
    // The editor asks for its validator, the worker of trace files for parts of its own, and
    // writers for what they share.
    expect(asked).toHaveLength(onDemand.length - 5);
  });

  it.each(['UnFinMF', 'clipPath'])('has the code with %s in chunks on demand only', (content) => {
    const others = files.filter((file) => file.endsWith('.js') && !onDemand.includes(file));
    const texts = others.map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => text.includes(content))).toEqual([]);
  });

  it('has no module of Node, which the readers of traces use for zlib', () => {
    const texts = files
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => /inflateSync|browser-external/.test(text))).toEqual([]);
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
