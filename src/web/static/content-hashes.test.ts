import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { ContentHashes } from './static-files.ts';

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');

describe('hashes of content', () => {
  let sandbox: FileSandbox;

  beforeEach(() => {
    sandbox = new FileSandbox();
  });

  afterEach(() => {
    sandbox.dispose();
  });

  const hashWith = (hashes: ContentHashes, path: string): string => {
    const fd = openSync(path, 'r');
    try {
      return hashes.of(fd, fstatSync(fd, { bigint: true }));
    } finally {
      closeSync(fd);
    }
  };

  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('cover all of %i bytes', (size) => {
    const content = Uint8Array.from({ length: size }, (_, index) => index % 251);
    const path = sandbox.write('project/file', content);
    expect(hashWith(new ContentHashes(), path)).toBe(sha256(content));
  });

  it('leave the content to be read from its start', () => {
    const fd = openSync(sandbox.write('project/file', 'content'), 'r');
    new ContentHashes().of(fd, fstatSync(fd, { bigint: true }));
    expect(readFileSync(fd, 'utf8')).toBe('content');
    closeSync(fd);
  });

  it('are read once for a file that stays as it is', () => {
    const hashes = new ContentHashes();
    const path = sandbox.write('project/file', 'content');
    const fd = openSync(path, 'r');
    const stats = fstatSync(fd, { bigint: true });
    closeSync(fd);
    expect(() => hashes.of(fd, stats)).toThrow('EBADF');
    hashWith(hashes, path);
    expect(hashes.of(fd, stats)).toBe(sha256('content'));
  });

  it('follow a change of the same size', () => {
    const hashes = new ContentHashes();
    const path = sandbox.write('project/file', 'one');
    utimesSync(path, 1_000, 1_000);
    expect(hashWith(hashes, path)).toBe(sha256('one'));
    writeFileSync(path, 'two');
    utimesSync(path, 2_000, 2_000);
    expect(hashWith(hashes, path)).toBe(sha256('two'));
  });

  it('are kept for the files used last, up to the capacity', () => {
    const hashes = new ContentHashes(2);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => sandbox.write(`project/${name}`, name));
    for (const path of [a, b, a, c]) hashWith(hashes, String(path));
    expect(hashes.size).toBe(2);
    const fd = openSync(String(a), 'r');
    const stats = fstatSync(fd, { bigint: true });
    closeSync(fd);
    expect(hashes.of(fd, stats)).toBe(sha256('a'));
  });
});
