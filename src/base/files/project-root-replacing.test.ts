import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { canOpenByDescriptor, openByDescriptor } from './descriptor-handle.ts';
import { openByPath } from './path-handle.ts';
import { ProjectRoot } from './project-root.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (thrown) {
    return BusbarError.from(thrown).code;
  }
};
const pins = canOpenByDescriptor() ? [openByDescriptor, openByPath] : [openByPath];

describe.each(pins)('ProjectRoot.replaceFile with %o', (pinPath) => {
  let base: string;
  let root: ProjectRoot;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'busbar-replace-'));
    mkdirSync(join(base, 'project', 'inner'), { recursive: true });
    root = ProjectRoot.open(join(base, 'project'), {}, pinPath);
  });

  afterEach(() => {
    root.close();
    rmSync(base, { recursive: true });
  });

  const at = (name: string): string => join(base, 'project', name);

  it('makes a file of several pieces', () => {
    expect(root.replaceFile('inner/new.txt', [bytes('one '), bytes('two')])).toBe(
      at('inner/new.txt'),
    );
    expect(readFileSync(at('inner/new.txt'), 'utf8')).toBe('one two');
    expect(readdirSync(at('inner'))).toEqual(['new.txt']);
  });

  it('keeps a file that it may not replace, and what a link to it leads to', () => {
    writeFileSync(at('old.txt'), 'old');
    symlinkSync('old.txt', at('link.txt'));
    for (const name of ['old.txt', 'link.txt', './inner/../old.txt']) {
      const put = () => root.replaceFile(name, [bytes('new')], { field: 'file', overwrite: false });
      expect(codeOf(put), name).toBe('already_exists');
    }
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('old');
    root.replaceFile('free.txt', [bytes('new')], { overwrite: false });
    expect(readFileSync(at('free.txt'), 'utf8')).toBe('new');
    expect(statSync(at('free.txt')).nlink).toBe(1);
    expect(readdirSync(at('')).sort()).toEqual(['free.txt', 'inner', 'link.txt', 'old.txt']);
  });

  it('keeps a file that is not the version it was to replace', () => {
    const versionOf = (name: string) => statSync(at(name), { bigint: true });
    writeFileSync(at('old.txt'), 'old');
    const expected = versionOf('old.txt');
    root.replaceFile('old.txt', [bytes('new')], { expected });
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('new');
    const put = () => root.replaceFile('old.txt', [bytes('newer')], { field: 'file', expected });
    expect(codeOf(put)).toBe('busy');
    function* pieces(): Generator<Uint8Array> {
      yield bytes('newer');
      writeFileSync(at('old.txt'), 'others');
    }
    const raced = () => root.replaceFile('old.txt', pieces(), { expected: versionOf('old.txt') });
    expect(codeOf(raced)).toBe('busy');
    const anew = () => root.replaceFile('old.txt', [bytes('newer')], { expected: null });
    expect(codeOf(anew)).toBe('busy');
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('others');
    root.replaceFile('free.txt', [bytes('first')], { expected: null });
    expect(readdirSync(at('')).sort()).toEqual(['free.txt', 'inner', 'old.txt']);
  });

  it('keeps a file that came while the new one was written, where it may not replace one', () => {
    function* pieces(): Generator<Uint8Array> {
      yield bytes('new');
      writeFileSync(at('raced.txt'), 'other');
    }
    const put = () => root.replaceFile('raced.txt', pieces(), { overwrite: false });
    expect(codeOf(put)).toBe('already_exists');
    expect(readFileSync(at('raced.txt'), 'utf8')).toBe('other');
    expect(readdirSync(at('')).sort()).toEqual(['inner', 'raced.txt']);
  });

  it('replaces a file, keeps who may read it, and leaves the old one to its readers', () => {
    writeFileSync(at('old.txt'), 'old', { mode: 0o640 });
    const { ino } = statSync(at('old.txt'));
    root.replaceFile('old.txt', [bytes('new')]);
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('new');
    expect(statSync(at('old.txt')).mode & 0o777).toBe(0o640);
    expect(statSync(at('old.txt')).ino).not.toBe(ino);
  });

  it('replaces what a link leads to', () => {
    writeFileSync(at('inner/target.txt'), 'old');
    symlinkSync('inner/target.txt', at('link.txt'));
    root.replaceFile('link.txt', [bytes('new')]);
    expect(readlinkSync(at('link.txt'))).toBe('inner/target.txt');
    expect(readFileSync(at('inner/target.txt'), 'utf8')).toBe('new');
  });

  it('leaves the old file where writing fails half way', () => {
    writeFileSync(at('old.txt'), 'old');
    const failing = function* (): Generator<Uint8Array> {
      yield bytes('half');
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    const write = () => root.replaceFile('old.txt', failing(), { field: 'output' });
    expect(codeOf(write)).toBe('file_unavailable');
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('old');
    expect(readdirSync(at('.'))).toEqual(['inner', 'old.txt']);
  });

  it.each([
    ['outside', '../stray.txt', 'path_outside_project'],
    ['in a directory that is missing', 'none/new.txt', 'file_not_found'],
    ['on a directory', 'inner', 'file_unavailable'],
  ])('refuses to write %s', (_, path, code) => {
    expect(codeOf(() => root.replaceFile(path, [bytes('x')]))).toBe(code);
    expect(readdirSync(base)).toEqual(['project']);
  });

  it('refuses to follow a link out', () => {
    symlinkSync(join(base, 'stray.txt'), at('out.txt'));
    expect(codeOf(() => root.replaceFile('out.txt', [bytes('x')]))).toBe('path_outside_project');
    expect(readdirSync(base)).toEqual(['project']);
  });
});
