import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectRoot } from './project-root.ts';

let folder: string;

const put = (path: string, text = ''): void => {
  mkdirSync(join(folder, 'root', path, '..'), { recursive: true });
  writeFileSync(join(folder, 'root', path), text);
};

const listed = (...endings: string[]) => {
  const root = ProjectRoot.open(join(folder, 'root'));
  try {
    return root.list(endings);
  } finally {
    root.close();
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'list-files-'));
  mkdirSync(join(folder, 'root'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('listing the files of a project', () => {
  it('finds those of a kind in all folders, in the order of their paths', () => {
    put('b.gwproj', '{}');
    put('a/x.GWPROJ');
    put('a/x.dbc');
    put('c/d/e.gwproj');
    const { files, isCut } = listed('.gwproj');
    expect(files.map(({ file, bytes }) => [file, bytes])).toEqual([
      ['a/x.GWPROJ', 0],
      ['b.gwproj', 2],
      ['c/d/e.gwproj', 0],
    ]);
    expect(isCut).toBe(false);
    expect(listed('.dbc', '.gwproj').files).toHaveLength(4);
  });

  it('leaves out what is hidden and the packages of tools', () => {
    put('.git/a.gwproj');
    put('.hidden.gwproj');
    put('node_modules/p/b.gwproj');
    expect(listed('.gwproj').files).toEqual([]);
  });

  it('does not follow links, inside or out', () => {
    writeFileSync(join(folder, 'outside.gwproj'), '');
    put('real.gwproj');
    symlinkSync(join(folder, 'outside.gwproj'), join(folder, 'root', 'out.gwproj'));
    symlinkSync('real.gwproj', join(folder, 'root', 'again.gwproj'));
    symlinkSync('..', join(folder, 'root', 'up'));
    expect(listed('.gwproj').files.map(({ file }) => file)).toEqual(['real.gwproj']);
  });

  it('says that it did not look everywhere', () => {
    put('1/2/3/4/5/6/7/8/deep.gwproj');
    put('1/2/3/4/5/6/7/near.gwproj');
    const { files, isCut } = listed('.gwproj');
    expect([files.map(({ file }) => file), isCut]).toEqual([['1/2/3/4/5/6/7/near.gwproj'], true]);
  });
});
