import { closeSync, fstatSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { FileContents } from './static-files.ts';

describe('contents of files', () => {
  let sandbox: FileSandbox;

  beforeEach(() => {
    sandbox = new FileSandbox();
  });
  afterEach(() => sandbox.dispose());

  const read = (contents: FileContents, path: string, meanwhile = () => {}): Buffer => {
    const fd = openSync(path, 'r');
    try {
      const stats = fstatSync(fd, { bigint: true });
      meanwhile();
      return contents.of(fd, stats);
    } finally {
      closeSync(fd);
    }
  };

  it('are read once for a file that stays as it is', () => {
    const contents = new FileContents();
    const path = sandbox.write('project/file', 'content');
    const first = read(contents, path);
    expect(first.toString()).toBe('content');
    expect(read(contents, path)).toBe(first);
  });

  it('follow a change', () => {
    const contents = new FileContents();
    const path = sandbox.write('project/file', 'one');
    read(contents, path);
    writeFileSync(path, 'three');
    expect(read(contents, path).toString()).toBe('three');
  });

  it('end where a file does that shrinks meanwhile', () => {
    const path = sandbox.write('project/file', 'content');
    const found = read(new FileContents(), path, () => truncateSync(path, 3));
    expect(found.toString()).toBe('con');
  });

  it('are kept for the files used last, up to the capacity', () => {
    const contents = new FileContents(10_000);
    const [a, b, c] = ['a', 'b', 'c'].map((name) =>
      sandbox.write(`project/${name}`, name.repeat(4000)),
    ) as [string, string, string];
    const [first, second] = [read(contents, a), read(contents, b)];
    expect(read(contents, a)).toBe(first);
    read(contents, c);
    expect(contents.bytes).toBeLessThanOrEqual(10_000);
    expect(read(contents, a)).toBe(first);
    expect(read(contents, b)).not.toBe(second);
  });
});
