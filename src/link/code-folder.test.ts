import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSandbox } from '../base/files/testing/file-sandbox.ts';
import { buildIdFile, cachedCodeFolder } from './code-folder.ts';

describe('the cache for compiled code', () => {
  let files: FileSandbox;
  beforeEach(() => {
    files = new FileSandbox();
    writeFileSync(join(files.project, buildIdFile), '0123456789abcdef01234567');
  });
  afterEach(() => files.dispose());

  it.each([
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/cache', HOME: '/home/ana' }, '/cache/busbar/'],
    ['HOME', { HOME: '/home/ana' }, '/home/ana/.cache/busbar/'],
  ])('is below %s, for one build', (_name, env, folder) => {
    expect(cachedCodeFolder(files.project, env)).toContain(`${folder}0123456789abcdef01234567-`);
  });

  it.each([
    ['no variable says where', {}],
    ['the variable is a relative path', { XDG_CACHE_HOME: 'cache' }],
  ])('has no place where %s', (_name, env) => {
    expect(cachedCodeFolder(files.project, env)).toBeNull();
  });
});
