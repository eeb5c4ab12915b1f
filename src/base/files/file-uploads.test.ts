import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { type FilePart, FileUploads, isHidden } from './file-uploads.ts';

const setUp = (atOnce = 2) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-uploads-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(root, 'project');
  mkdirSync(join(project, 'night'), { recursive: true });
  const clock = new FakeClock();
  const uploads = new FileUploads({
    projectRoot: project,
    atOnce,
    idleMs: 60_000,
    endings: ['.dbc', '.gwproj'],
    clock,
  });
  const put = (file: string, text: string, part: Partial<FilePart> = {}) =>
    uploads.put({
      file,
      data: Buffer.from(text),
      upload: null,
      offset: 0,
      complete: true,
      replaces: null,
      ...part,
    });
  const refusal = (act: () => unknown): readonly unknown[] => {
    try {
      return ['accepted', act()];
    } catch (thrown) {
      const { code, details } = BusbarError.from(thrown);
      return [code, details.field];
    }
  };
  const read = (file: string): string => readFileSync(join(project, file), 'utf8');
  const remove = (file: string, version: string): void => uploads.remove(file, version);
  return { root, project, clock, put, remove, refusal, read };
};

describe('FileUploads', () => {
  it('writes a file at once', () => {
    const { put, read, project } = setUp();
    const done = put('night/a.dbc', 'VERSION ""');
    expect(done).toMatchObject({ file: 'night/a.dbc', upload: null, bytes: 10 });
    expect(read('night/a.dbc')).toBe('VERSION ""');
    expect(readdirSync(join(project, 'night'))).toEqual(['a.dbc']);
  });

  it('writes a file in parts, and shows nothing of it before the last', () => {
    const { put, read, project } = setUp();
    const first = put('a.dbc', 'one ', { complete: false });
    expect(first).toMatchObject({ bytes: 4, version: null });
    expect(readdirSync(project)).toEqual(['night']);
    const { upload } = first;
    put('a.dbc', 'two ', { upload, offset: 4, complete: false });
    expect(put('a.dbc', 'three', { upload, offset: 8 })).toMatchObject({ upload: null, bytes: 13 });
    expect(read('a.dbc')).toBe('one two three');
  });

  it('refuses a part at another position, and goes on with the right one', () => {
    const { put, refusal, read } = setUp();
    const { upload } = put('a.dbc', 'one ', { complete: false });
    for (const offset of [0, 3, 5]) {
      expect(refusal(() => put('a.dbc', 'x', { upload, offset }))).toEqual([
        'invalid_argument',
        'offset',
      ]);
    }
    put('a.dbc', 'two', { upload, offset: 4 });
    expect(read('a.dbc')).toBe('one two');
    expect(refusal(() => put('b.dbc', 'x', { offset: 1 }))).toEqual(['invalid_argument', 'offset']);
  });

  it('refuses parts of an upload of another file, and of one that has ended', () => {
    const { put, refusal } = setUp();
    const { upload } = put('a.dbc', 'one ', { complete: false });
    const ended = ['invalid_argument', 'upload'];
    expect(refusal(() => put('b.dbc', 'x', { upload, offset: 4 }))).toEqual(ended);
    put('a.dbc', '', { upload, offset: 4 });
    expect(refusal(() => put('a.dbc', 'x', { upload, offset: 4 }))).toEqual(ended);
  });

  it('replaces only the version that the client knows', () => {
    const { put, refusal, read, project } = setUp();
    const { version: replaces } = put('a.gwproj', 'one');
    expect(refusal(() => put('a.gwproj', 'two'))).toEqual(['already_exists', 'file']);
    const next = put('a.gwproj', 'two', { replaces });
    expect(next.version).not.toBe(replaces);
    expect(refusal(() => put('a.gwproj', 'three', { replaces }))).toEqual(['busy', 'file']);
    expect(read('a.gwproj')).toBe('two');
    rmSync(join(project, 'a.gwproj'));
    expect(refusal(() => put('a.gwproj', 'x', { replaces: next.version }))).toEqual([
      'file_not_found',
      'file',
    ]);
    expect(existsSync(join(project, 'a.gwproj'))).toBe(false);
  });

  it('removes only the version that the client knows, and no file that it could not write', () => {
    const { put, remove, refusal, read, project } = setUp();
    const first = put('night/a.gwproj', 'one').version ?? '';
    const { version } = put('night/a.gwproj', 'two', { replaces: first });
    expect(refusal(() => remove('night/a.gwproj', first))).toEqual(['busy', 'file']);
    expect(read('night/a.gwproj')).toBe('two');
    remove('night/a.gwproj', version ?? '');
    expect(readdirSync(join(project, 'night'))).toEqual([]);
    expect(refusal(() => remove('night/a.gwproj', version ?? ''))).toEqual([
      'file_not_found',
      'file',
    ]);
    writeFileSync(join(project, 'bench.json'), '{}');
    for (const name of ['bench.json', '.hidden.dbc']) {
      expect(refusal(() => remove(name, first))).toEqual(['invalid_argument', 'file']);
    }
    expect(refusal(() => remove('../a.dbc', first))).toEqual(['path_outside_project', 'file']);
    expect(read('bench.json')).toBe('{}');
  });

  it('lets the first of two uploads of a new file win', () => {
    const { put, refusal, read } = setUp();
    const [one, other] = [
      put('a.dbc', '1', { complete: false }),
      put('a.dbc', '2', { complete: false }),
    ];
    put('a.dbc', '2', { upload: other.upload, offset: 1 });
    expect(refusal(() => put('a.dbc', '1', { upload: one.upload, offset: 1 }))).toEqual([
      'already_exists',
      'file',
    ]);
    expect(read('a.dbc')).toBe('22');
  });

  it('refuses names that clients must not write', () => {
    const { root, project, put, refusal } = setUp();
    writeFileSync(join(root, 'other.dbc'), 'other');
    symlinkSync(join(root, 'other.dbc'), join(project, 'link.dbc'));
    symlinkSync(root, join(project, 'up'));
    mkdirSync(join(project, 'folder.dbc'));
    const names: readonly (readonly [string, string])[] = [
      ['plugins/key.so', 'invalid_argument'],
      ['bench.json', 'invalid_argument'],
      ['.hidden.dbc', 'invalid_argument'],
      ['night/.x/a.dbc', 'invalid_argument'],
      ['../a.dbc', 'path_outside_project'],
      ['up/a.dbc', 'path_outside_project'],
      ['link.dbc', 'path_outside_project'],
      ['/tmp/a.dbc', 'path_outside_project'],
      ['missing/a.dbc', 'file_not_found'],
      ['folder.dbc', 'file_unavailable'],
    ];
    for (const [name, code] of names) {
      expect([name, ...refusal(() => put(name, 'x'))]).toEqual([name, code, 'file']);
    }
    expect(readdirSync(project).toSorted()).toEqual(['folder.dbc', 'link.dbc', 'night', 'up']);
  });

  it('refuses links whose target clients must not write, and replaces the target of others', () => {
    const { project, put, remove, refusal, read } = setUp();
    writeFileSync(join(project, 'plugin.so'), 'code');
    writeFileSync(join(project, '.secret.dbc'), 'secret');
    for (const [at, target] of ['plugin.so', '.secret.dbc', 'new.so'].entries()) {
      const link = `link${at}.dbc`;
      symlinkSync(target, join(project, link));
      const refused = ['invalid_argument', 'file'];
      expect(refusal(() => put(link, 'x'))).toEqual(refused);
      expect(refusal(() => put(link, 'x', { complete: false }))).toEqual(refused);
      expect(refusal(() => put(link, 'x', { replaces: '0-0-0-0' }))).toEqual(refused);
      expect(refusal(() => remove(link, '0-0-0-0'))).toEqual(refused);
    }
    expect([read('plugin.so'), read('.secret.dbc')]).toEqual(['code', 'secret']);
    expect(existsSync(join(project, 'new.so'))).toBe(false);

    // A link that is replaced while its parts arrive.
    const { upload } = put('late.dbc', 'x', { complete: false });
    symlinkSync('late.so', join(project, 'late.dbc'));
    expect(refusal(() => put('late.dbc', '', { upload, offset: 1 }))).toEqual([
      'invalid_argument',
      'file',
    ]);
    expect(existsSync(join(project, 'late.so'))).toBe(false);

    const { version: replaces } = put('night/a.dbc', 'one');
    symlinkSync('night/a.dbc', join(project, 'today.dbc'));
    put('today.dbc', 'two', { replaces });
    expect(read('night/a.dbc')).toBe('two');
  });

  it('takes so many uploads at a time, and forgets those without a new part', () => {
    const { put, refusal, clock } = setUp(2);
    const parts = ['a.dbc', 'b.dbc'].map((file) => put(file, 'x', { complete: false }));
    expect(refusal(() => put('c.dbc', 'x'))).toEqual(['busy', 'file']);
    clock.advanceUs(59_999_000);
    put('a.dbc', 'x', { upload: parts[0]?.upload ?? '', offset: 1, complete: false });
    clock.advanceUs(1_000_000);
    expect(refusal(() => put('b.dbc', 'x', { upload: parts[1]?.upload ?? '', offset: 1 }))).toEqual(
      ['invalid_argument', 'upload'],
    );
    expect(put('c.dbc', 'x')).toMatchObject({ bytes: 1 });
    expect(put('a.dbc', '', { upload: parts[0]?.upload ?? '', offset: 2 })).toMatchObject({
      bytes: 2,
    });
  });
});

describe('isHidden', () => {
  it.each([
    ['.env', true],
    ['a/.git/config', true],
    ['./a.dbc', false],
    ['../a.dbc', false],
    ['a.b/c.dbc', false],
    ['..a', true],
  ])('of %s is %s', (file, hidden) => {
    expect(isHidden(file)).toBe(hidden);
  });
});
