import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openByDescriptor } from './descriptor-handle.ts';
import { openByPath } from './path-handle.ts';
import { ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { notFound, outside, refusal, textOf, unavailable } from './testing/refusals.ts';

describe.each([
  ['descriptors', openByDescriptor],
  ['paths', openByPath],
] as const)('a project root held by %s', (_kind, pinPath) => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;

  beforeEach(() => {
    sandbox = FileSandbox.filled();
    sandbox.write('project-other/secret.txt', 'SECRET');
    root = ProjectRoot.open(sandbox.project, {}, pinPath);
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  const read = (path: string): string => textOf(root.openForReading(path));

  describe('paths that stay inside', () => {
    it.each([
      ['a.txt', 'inside a'],
      ['./a.txt', 'inside a'],
      ['././/a.txt', 'inside a'],
      ['sub/deep/b.txt', 'inside b'],
      ['sub//deep///b.txt', 'inside b'],
      ['sub/../a.txt', 'inside a'],
      ['sub/deep/../../a.txt', 'inside a'],
      ['sub/deep/../deep/./b.txt', 'inside b'],
    ])('reads %s', (path, text) => {
      expect(read(path)).toBe(text);
    });

    it('takes absolute paths inside the root', () => {
      expect(read(join(sandbox.project, 'sub/deep/b.txt'))).toBe('inside b');
      expect(read(`${sandbox.project}//sub/../a.txt`)).toBe('inside a');
    });

    it('takes absolute paths that reach the root, or a directory in it, through a link', () => {
      sandbox.link('alias', sandbox.project);
      sandbox.link('sub-alias', 'project/sub');
      expect(read(join(sandbox.path, 'alias/a.txt'))).toBe('inside a');
      expect(read(join(sandbox.path, 'sub-alias/deep/b.txt'))).toBe('inside b');
      expect(root.resolve(join(sandbox.path, 'alias/sub'))).toBe(join(sandbox.project, 'sub'));
      const fresh = join(sandbox.path, 'sub-alias/new.txt');
      closeSync(root.openForWriting(fresh, { create: true }).fd);
      expect(existsSync(join(sandbox.project, 'sub/new.txt'))).toBe(true);
    });

    it('is the same root when it is opened through a link', () => {
      const alias = sandbox.link('alias', sandbox.project);
      const other = ProjectRoot.open(alias, {}, pinPath);
      expect(other.path).toBe(sandbox.project);
      expect(textOf(other.openForReading(join(alias, 'a.txt')))).toBe('inside a');
      other.close();
    });

    it('follows relative and absolute links that stay inside', () => {
      sandbox.link('project/sub/up', '../a.txt');
      sandbox.link('project/dir', 'sub/deep');
      sandbox.link('project/absolute', join(sandbox.project, 'sub'));
      sandbox.link('project/slashed', 'sub/');
      sandbox.link('project/chain', 'dir/../up');
      expect(read('sub/up')).toBe('inside a');
      expect(read('dir/b.txt')).toBe('inside b');
      expect(read('dir/../up')).toBe('inside a');
      expect(read('absolute/deep/b.txt')).toBe('inside b');
      expect(read('slashed/deep/b.txt')).toBe('inside b');
      expect(read('chain')).toBe('inside a');
      expect(root.resolve('dir/b.txt')).toBe(join(sandbox.project, 'sub/deep/b.txt'));
    });

    it('resolves to canonical absolute paths, the root included', () => {
      for (const path of ['.', './', 'sub/..', sandbox.project, `${sandbox.project}/`]) {
        expect(root.resolve(path)).toBe(sandbox.project);
      }
      expect(root.resolve('sub/deep/')).toBe(join(sandbox.project, 'sub/deep'));
    });

    it('tells what a path is, its size and its time', () => {
      expect(root.stat('a.txt')).toEqual({
        path: join(sandbox.project, 'a.txt'),
        kind: 'file',
        size: 8,
        modifiedMs: Math.floor(statSync(join(sandbox.project, 'a.txt')).mtimeMs),
      });
      expect(root.stat('sub').kind).toBe('directory');
      execFileSync('mkfifo', [join(sandbox.project, 'fifo')]);
      expect(root.stat('fifo').kind).toBe('other');
    });

    it('takes names literally: percent signs, backslashes, spaces, colons and dots are only letters', () => {
      for (const name of ['%2e%2e', '..\\x', ' ', 'C:', '...', '..a', 'ü', '*', '~', '-']) {
        expect(refusal(() => root.openForReading(name))).toEqual(notFound(name));
        sandbox.write(join('project', name), `named ${name}`);
        expect(read(name)).toBe(`named ${name}`);
      }
    });

    it('keeps upper and lower case apart', () => {
      expect(refusal(() => root.openForReading('A.TXT'))).toEqual(notFound('A.TXT'));
      expect(refusal(() => root.openForReading('SUB/../a.txt'))).toEqual(notFound('SUB/../a.txt'));
    });
  });

  describe('paths that lead out', () => {
    it.each([
      '..',
      '../',
      '../outside/secret.txt',
      '../project/a.txt',
      '../project-other/secret.txt',
      './../outside/secret.txt',
      'sub/../../outside/secret.txt',
      'sub/deep/../../../outside/secret.txt',
      'missing/../../outside/secret.txt',
      'a.txt/../../outside/secret.txt',
      'PROJECT/../../outside/secret.txt',
      'sub//..//..//outside/secret.txt',
      '../../../../../../../../etc/passwd',
      '/',
      '//',
      '/.',
      '/..',
      '/etc/passwd',
      '//etc/passwd',
      '/no/such/directory',
      '/proc/self/environ',
      '/proc/self/cwd/package.json',
      '/dev/null',
    ])('refuses %s', (path) => {
      expect(refusal(() => root.openForReading(path))).toEqual(outside(path));
      expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(outside(path));
      expect(refusal(() => root.resolve(path))).toEqual(outside(path));
      expect(refusal(() => root.subRoot(path))).toEqual(outside(path));
    });

    it.each([
      ['a neighbour whose name starts with the root’s', '-other/secret.txt'],
      ['the parent by way of the root', '/../outside/secret.txt'],
      ['a neighbour by way of the root', '/../project-other/secret.txt'],
      ['the root by way of its parent', '/../project/a.txt'],
      ['the root’s parent', '/..'],
    ])('refuses absolute paths to %s', (_what, rest) => {
      const path = sandbox.project + rest;
      expect(refusal(() => root.openForReading(path))).toEqual(outside(path));
    });

    it('refuses an absolute path in another case', () => {
      const path = join(sandbox.path, 'PROJECT/a.txt');
      expect(refusal(() => root.openForReading(path))).toEqual(outside(path));
    });

    it('does not tell through its answer whether something outside exists', () => {
      const back = relative('/', sandbox.project);
      for (const path of [`/etc/../${back}/a.txt`, `/no-such-thing/../${back}/a.txt`]) {
        expect(refusal(() => root.openForReading(path))).toEqual(outside(path));
      }
      for (const name of ['secret.txt', 'missing.txt']) {
        sandbox.link(`project/to-${name}`, join(sandbox.outside, name));
        expect(refusal(() => root.openForReading(`to-${name}`))).toEqual(outside(`to-${name}`));
      }
    });

    it.each([
      ['an absolute link to a file', 'leak', () => join(sandbox.outside, 'secret.txt'), 'leak'],
      ['a relative link to a file', 'leak', () => '../outside/secret.txt', 'leak'],
      ['a link to a directory', 'leak', () => '../outside', 'leak/secret.txt'],
      ['a link to the parent', 'sub/leak', () => '../..', 'sub/leak/outside/secret.txt'],
      ['a link to the root of the file system', 'leak', () => '/', 'leak/etc/passwd'],
      ['a link out and back in', 'leak', () => '../project/a.txt', 'leak'],
      ['a link to a neighbour', 'leak', () => `${sandbox.project}-other`, 'leak/secret.txt'],
      ['a link to a magic link', 'leak', () => '/proc/self/root', 'leak/etc/passwd'],
      ['a dangling link', 'leak', () => '../outside/new.txt', 'leak'],
    ])('refuses %s', (_what, name, target, path) => {
      sandbox.link(join('project', name), target());
      expect(refusal(() => root.openForReading(path))).toEqual(outside(path));
      expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(outside(path));
      expect(refusal(() => root.openForWriting(path, { exclusive: true }))).toEqual(outside(path));
      expect(refusal(() => root.stat(path))).toEqual(outside(path));
      expect(readdirSync(sandbox.outside)).toEqual(['secret.txt']);
    });

    it('refuses a chain of links whose last one leaves', () => {
      sandbox.link('project/one', 'two');
      sandbox.link('project/two', 'sub/three');
      sandbox.link('project/sub/three', '../../outside/secret.txt');
      expect(refusal(() => root.openForReading('one'))).toEqual(outside('one'));
    });
  });

  describe('paths that cannot be opened', () => {
    it('says that a file or a directory on the way is missing', () => {
      for (const path of ['missing', 'missing/x', 'sub/missing/../../a.txt', 'missing/']) {
        expect(refusal(() => root.openForReading(path))).toEqual(notFound(path));
        expect(refusal(() => root.openForWriting(path))).toEqual(notFound(path));
        expect(refusal(() => root.resolve(path))).toEqual(notFound(path));
      }
    });

    it('does not open directories as files', () => {
      for (const path of ['sub', 'sub/', 'sub/.', '.', 'sub/..', sandbox.project]) {
        expect(refusal(() => root.openForReading(path))).toEqual(unavailable(path, 'not_a_file'));
        expect(refusal(() => root.openForWriting(path, { create: true, truncate: true }))).toEqual(
          unavailable(path, 'not_a_file'),
        );
      }
    });

    it('does not treat files as directories', () => {
      for (const path of ['a.txt/', 'a.txt/.', 'a.txt/..', 'a.txt/x', 'a.txt/../a.txt']) {
        const refused = unavailable(path, 'not_a_directory');
        expect(refusal(() => root.openForReading(path))).toEqual(refused);
        expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(refused);
      }
      expect(refusal(() => root.subRoot('a.txt'))).toEqual(unavailable('a.txt', 'not_a_directory'));
    });

    it('neither hangs on a FIFO nor opens a socket', async () => {
      execFileSync('mkfifo', [join(sandbox.project, 'fifo')]);
      const server = createServer();
      await new Promise<void>((done) => server.listen(join(sandbox.project, 'socket'), done));
      for (const path of ['fifo', 'socket']) {
        const refused = unavailable(path, 'not_a_file');
        expect(refusal(() => root.openForReading(path))).toEqual(refused);
        expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(refused);
      }
      await new Promise((done) => server.close(done));
    });

    it('gives up on links in a circle and on chains past forty', () => {
      sandbox.link('project/circle', 'circle');
      sandbox.link('project/ping', 'pong');
      sandbox.link('project/pong', 'ping');
      for (const path of ['circle', 'ping', 'ping/x']) {
        expect(refusal(() => root.openForReading(path))).toEqual(unavailable(path, 'ELOOP'));
      }
      sandbox.link('project/link1', 'a.txt');
      for (let n = 2; n <= 41; n += 1) sandbox.link(`project/link${n}`, `link${n - 1}`);
      expect(read('link40')).toBe('inside a');
      expect(refusal(() => root.openForReading('link41'))).toEqual(unavailable('link41', 'ELOOP'));
    });

    it('refuses names and paths that are too long for the system', () => {
      for (const path of ['n'.repeat(256), `sub/${'n'.repeat(300)}/x`, './'.repeat(3000)]) {
        const refused = unavailable(path, 'ENAMETOOLONG');
        expect(refusal(() => root.openForReading(path))).toEqual(refused);
        expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(refused);
      }
      expect(refusal(() => root.openForReading('ü'.repeat(128)))).toEqual(
        unavailable('ü'.repeat(128), 'ENAMETOOLONG'),
      );
    });

    it('refuses empty paths and NUL as arguments', () => {
      for (const path of ['', '\0', 'a.txt\0', 'a.txt\0.png', '\0/../outside']) {
        const refused = { code: 'invalid_argument', details: { field: 'path' } };
        expect(refusal(() => root.openForReading(path))).toEqual(refused);
        expect(refusal(() => root.openForWriting(path, { create: true }))).toEqual(refused);
        expect(refusal(() => root.subRoot(path))).toEqual(refused);
        expect(refusal(() => ProjectRoot.open(path))).toEqual(refused);
      }
    });

    it('names the argument at fault where the caller says which it was', () => {
      const field = 'file';
      const cases = [
        ['../x', 'path_outside_project', { field, path: '../x' }],
        ['missing', 'file_not_found', { field, path: 'missing' }],
        ['sub', 'file_unavailable', { field, path: 'sub', reason: 'not_a_file' }],
        ['', 'invalid_argument', { field }],
      ] as const;
      for (const [path, code, details] of cases) {
        expect(refusal(() => root.openForReading(path, { field }))).toEqual({ code, details });
        expect(refusal(() => root.openForWriting(path, { field }))).toEqual({ code, details });
      }
    });

    it.skipIf(process.seteuid === undefined || process.geteuid?.() !== 0)(
      'says EACCES where permission is missing (needs root, to become someone else)',
      () => {
        sandbox.write('project/closed/c.txt', 'c');
        chmodSync(sandbox.path, 0o755);
        chmodSync(join(sandbox.project, 'a.txt'), 0o000);
        chmodSync(join(sandbox.project, 'closed'), 0o000);
        const asNobody = (path: string, call: () => unknown) => {
          process.seteuid?.(65534);
          try {
            expect(refusal(call)).toEqual(unavailable(path, 'EACCES'));
          } finally {
            process.seteuid?.(0);
          }
        };
        asNobody('a.txt', () => root.openForReading('a.txt'));
        asNobody('a.txt', () => root.openForWriting('a.txt'));
        asNobody('closed/c.txt', () => root.openForReading('closed/c.txt'));
        asNobody('sub/new', () => root.openForWriting('sub/new', { create: true }));
      },
    );
  });
});
