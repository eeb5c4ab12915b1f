import { closeSync, existsSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openByDescriptor } from './descriptor-handle.ts';
import { openByPath } from './path-handle.ts';
import { type OpenFile, ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { notFound, refusal, unavailable } from './testing/refusals.ts';

const fill = ({ fd }: OpenFile, text: string): void => {
  writeSync(fd, text);
  closeSync(fd);
};

describe.each([
  ['descriptors', openByDescriptor],
  ['paths', openByPath],
] as const)('writing in a project root held by %s', (_kind, pinPath) => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;

  beforeEach(() => {
    sandbox = FileSandbox.filled();
    root = ProjectRoot.open(sandbox.project, {}, pinPath);
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  const content = (name: string): string => readFileSync(join(sandbox.project, name), 'utf8');

  it('keeps a file that exists unless told otherwise', () => {
    fill(root.openForWriting('a.txt'), 'IN');
    expect(content('a.txt')).toBe('INside a');
    fill(root.openForWriting('a.txt', { create: true }), 'OUT');
    expect(content('a.txt')).toBe('OUTide a');
  });

  it('empties, appends and creates as asked', () => {
    fill(root.openForWriting('a.txt', { truncate: true }), 'new');
    expect(content('a.txt')).toBe('new');
    fill(root.openForWriting('a.txt', { append: true }), ' more');
    expect(content('a.txt')).toBe('new more');
    const made = root.openForWriting('sub/made.txt', { create: true, append: true, mode: 0o640 });
    expect(made.path).toBe(join(sandbox.project, 'sub/made.txt'));
    fill(made, 'made');
    expect(content('sub/made.txt')).toBe('made');
    expect(statSync(made.path).mode & 0o137).toBe(0);
  });

  it('makes a file only once when that is asked', () => {
    fill(root.openForWriting('once.txt', { exclusive: true }), '1');
    expect(refusal(() => root.openForWriting('once.txt', { exclusive: true }))).toEqual(
      unavailable('once.txt', 'EEXIST'),
    );
    expect(content('once.txt')).toBe('1');
  });

  it('makes no directories on the way', () => {
    expect(refusal(() => root.openForWriting('new/x.txt', { create: true }))).toEqual(
      notFound('new/x.txt'),
    );
    expect(() => root.openForWriting('new/x.txt', { create: true })).toThrow(
      'The directory of new/x.txt does not exist',
    );
    expect(existsSync(join(sandbox.project, 'new'))).toBe(false);
  });

  it('creates where a dangling link inside the root points to', () => {
    sandbox.link('project/later', 'sub/later.txt');
    const made = root.openForWriting('later', { create: true });
    expect(made.path).toBe(join(sandbox.project, 'sub/later.txt'));
    fill(made, 'x');
    expect(content('sub/later.txt')).toBe('x');
  });
});
