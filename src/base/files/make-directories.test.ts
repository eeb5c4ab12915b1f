import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectories } from './make-directories.ts';
import { FileSandbox } from './testing/file-sandbox.ts';

describe('makeDirectories', () => {
  let files: FileSandbox;
  beforeEach(() => {
    files = new FileSandbox();
  });
  afterEach(() => files.dispose());

  it('makes what is missing, for its owner alone', () => {
    const path = join(files.project, 'a/b/c');
    makeDirectories(path, 0o700);
    for (const directory of [path, join(files.project, 'a')]) {
      expect(statSync(directory).mode & 0o777).toBe(0o700);
    }
  });

  it('leaves what is there as it is', () => {
    const { mode } = statSync(files.project);
    makeDirectories(files.project, 0o700);
    makeDirectories('/', 0o700);
    expect(statSync(files.project).mode).toBe(mode);
  });

  it('refuses a path through a file, and makes nothing', () => {
    files.write('project/file', '');
    expect(() => makeDirectories(join(files.project, 'file/a'), 0o700)).toThrow(/ENOTDIR/);
    expect(() => makeDirectories(join(files.project, 'file/a/b'), 0o700)).toThrow(/ENOTDIR/);
    expect(existsSync(join(files.project, 'file/a'))).toBe(false);
  });
});
