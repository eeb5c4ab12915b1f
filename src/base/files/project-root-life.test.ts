import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openByDescriptor } from './descriptor-handle.ts';
import { openByPath } from './path-handle.ts';
import { ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { notFound, outside, refusal, textOf, unavailable } from './testing/refusals.ts';

describe.each([
  ['descriptors', openByDescriptor],
  ['paths', openByPath],
] as const)('the life of a project root held by %s', (_kind, pinPath) => {
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

  describe('a root inside the root', () => {
    it('confines to its own directory', () => {
      sandbox.link('project/sub/parent.txt', '../a.txt');
      const sub = root.subRoot('sub');
      expect(sub.path).toBe(join(sandbox.project, 'sub'));
      expect(textOf(sub.openForReading('deep/b.txt'))).toBe('inside b');
      expect(refusal(() => sub.openForReading('../a.txt'))).toEqual(outside('../a.txt'));
      expect(refusal(() => sub.openForReading('parent.txt'))).toEqual(outside('parent.txt'));
      sub.close();
    });

    it('works on after its parent is closed', () => {
      const sub = root.subRoot('sub');
      root.close();
      expect(textOf(sub.openForReading('deep/b.txt'))).toBe('inside b');
      sub.close();
    });

    it('can be the root itself', () => {
      const same = root.subRoot('.');
      expect(same.path).toBe(sandbox.project);
      same.close();
    });
  });

  it('refuses to open a root that is missing or no directory', () => {
    const missing = join(sandbox.path, 'missing');
    const file = join(sandbox.project, 'a.txt');
    expect(refusal(() => ProjectRoot.open(missing, {}, pinPath))).toEqual(notFound(missing));
    expect(refusal(() => ProjectRoot.open(file, { field: 'project' }, pinPath))).toEqual({
      code: 'file_unavailable',
      details: { field: 'project', path: file, reason: 'not_a_directory' },
    });
  });

  it('opens nothing once it is closed', () => {
    root.close();
    root.close();
    expect(refusal(() => root.openForReading('a.txt'))).toEqual(unavailable('a.txt', 'EBADF'));
  });

  it('can be the whole file system, where links of /proc are still only text', () => {
    const everything = ProjectRoot.open('/', {}, pinPath);
    expect(textOf(everything.openForReading(join(sandbox.outside, 'secret.txt')))).toBe('SECRET');
    const { fd } = everything.openForReading(join(sandbox.outside, 'secret.txt'));
    unlinkSync(join(sandbox.outside, 'secret.txt'));
    const magic = `/proc/self/fd/${fd}`;
    expect(refusal(() => everything.openForReading(magic))).toEqual(notFound(magic));
    closeSync(fd);
    expect(refusal(() => everything.openForReading('/..'))).toEqual(outside('/..'));
    everything.close();
  });

  it('leaves no descriptor open, whatever it refuses and wherever it stops', () => {
    sandbox.link('project/leak', '../outside');
    sandbox.link('project/sub/circle', 'circle');
    sandbox.link('project/absolute', join(sandbox.project, 'sub/deep'));
    execFileSync('mkfifo', [join(sandbox.project, 'sub/fifo')]);
    const before = sandbox.heldDescriptors();
    const calls = [
      (path: string) => root.openForReading(path),
      (path: string) => root.openForWriting(path),
      (path: string) => root.openForWriting(`${path}/`, { create: true }),
      (path: string) => root.subRoot(`${path}/x`),
      (path: string) => root.stat(`${path}/../nothing/x`),
    ];
    const paths = [
      'sub/deep/b.txt/x',
      'sub/deep/missing',
      'sub/deep/../../../outside',
      'leak/secret.txt',
      'sub/circle',
      'sub/fifo',
      'sub/deep',
      'absolute/../../../x',
      'n'.repeat(300),
      `sub/deep/${'n'.repeat(300)}`,
      '',
    ];
    for (const path of paths) {
      for (const call of calls) {
        refusal(() => call(path));
        expect(sandbox.heldDescriptors(), path).toBe(before);
      }
    }
    expect(root.stat('absolute/../deep/b.txt').size).toBe(8);
    closeSync(root.openForReading('sub/deep/b.txt').fd);
    root.subRoot('sub').close();
    expect(sandbox.heldDescriptors()).toBe(before);
  });
});

describe('a project root held by descriptors', () => {
  let sandbox: FileSandbox;

  beforeEach(() => {
    sandbox = new FileSandbox();
  });

  afterEach(() => {
    sandbox.dispose();
  });

  it('stays the directory it was when its name goes to another', () => {
    sandbox.write('project/a.txt', 'original');
    const root = ProjectRoot.open(sandbox.project);
    renameSync(sandbox.project, join(sandbox.path, 'moved'));
    mkdirSync(sandbox.project);
    sandbox.write('project/a.txt', 'impostor');
    expect(textOf(root.openForReading('a.txt'))).toBe('original');
    expect(textOf(root.openForReading(join(sandbox.project, 'a.txt')))).toBe('original');
    root.close();
  });

  it('is the way chosen on Linux', () => {
    const before = sandbox.heldDescriptors();
    const root = ProjectRoot.open(sandbox.project);
    expect(sandbox.heldDescriptors()).toBe(before + 1);
    root.close();
    expect(sandbox.heldDescriptors()).toBe(before);
  });
});
