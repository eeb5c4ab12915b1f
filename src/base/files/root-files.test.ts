import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectRoot } from './project-root.ts';
import { RootFiles } from './root-files.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { refusal } from './testing/refusals.ts';

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('RootFiles', () => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;

  beforeEach(() => {
    sandbox = FileSandbox.filled();
    root = ProjectRoot.open('/');
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  it('reads and replaces files from a directory on, which paths may leave', () => {
    const files = new RootFiles(root, join(sandbox.project, 'sub'));
    expect(textOf(files.read('../a.txt', 'file', 100))).toBe('inside a');
    expect(textOf(files.read('deep/b.txt', 'file', 3))).toBe('insi');
    expect(textOf(files.read(join(sandbox.outside, 'secret.txt'), 'file', 100))).toBe('SECRET');
    files.replace('../../outside/new.txt', 'output', new TextEncoder().encode('new'));
    expect(readFileSync(join(sandbox.outside, 'new.txt'), 'utf8')).toBe('new');
    expect(sandbox.heldDescriptors()).toBe(0);
  });

  it('knows one file by all its paths', () => {
    sandbox.link('project/link', 'sub/deep');
    const files = new RootFiles(root, sandbox.project);
    expect(files.isSame('link/b.txt', 'sub/deep/../deep/b.txt')).toBe(true);
    expect(files.isSame('a.txt', 'link/b.txt')).toBe(false);
    expect(files.isSame('a.txt', 'none.txt')).toBe(false);
    // Behind a link, .. is the directory above its target.
    expect(files.isSame('link/../deep/b.txt', 'link/b.txt')).toBe(true);
  });

  it('refuses in the name of the argument', () => {
    const files = new RootFiles(root, sandbox.project);
    expect(refusal(() => files.read('none', 'file', 1)).details).toMatchObject({ field: 'file' });
    expect(refusal(() => files.read('', 'merge', 1)).details).toMatchObject({ field: 'merge' });
    const nowhere = refusal(() => files.replace('none/x', 'output', new Uint8Array()));
    expect(nowhere).toMatchObject({ code: 'file_not_found', details: { field: 'output' } });
  });
});
