import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf } from '../base/files/file-identity.ts';
import { FileSandbox } from '../base/files/testing/file-sandbox.ts';
import { refusal } from '../base/files/testing/refusals.ts';
import { RecordingFile } from './recording-file.ts';
import { LimitedDisk } from './testing/limited-disk.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('RecordingFile', () => {
  let files: FileSandbox;
  let opened: RecordingFile[];
  beforeEach(() => {
    files = new FileSandbox();
    opened = [];
  });
  afterEach(() => {
    for (const file of opened) file.close();
    expect(files.heldDescriptors()).toBe(0);
    files.dispose();
  });

  const open = (file = 'drive.asc', overwrite = false, disk?: LimitedDisk): RecordingFile => {
    const recording = RecordingFile.open({ projectRoot: files.project, file, overwrite }, disk);
    opened.push(recording);
    return recording;
  };
  const contentOf = ({ path }: RecordingFile): string => readFileSync(path, 'utf8');

  it('makes a new file and writes behind what is good', () => {
    const file = open();
    file.keep(file.append(bytes('one\n')));
    file.append(bytes('tw'));
    file.cut();
    file.keep(file.append(bytes('three\n')));
    expect(contentOf(file)).toBe('one\nthree\n');
    expect(file.size).toBe(10);
  });

  it('refuses a file that exists, and leaves it as it is', () => {
    const path = files.write('project/drive.asc', 'mine');
    expect(refusal(() => open())).toEqual({
      code: 'already_exists',
      details: { field: 'file', path: 'drive.asc' },
    });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('replaces a file where that is asked for', () => {
    files.write('project/drive.asc', 'a longer text than the new one');
    const file = open('drive.asc', true);
    file.keep(file.append(bytes('new')));
    expect(contentOf(file)).toBe('new');
  });

  it('does not touch the file that is being replayed, under whatever name', () => {
    const path = files.write('project/drive.asc', 'mine');
    linkSync(path, join(files.project, 'link.asc'));
    const fd = openSync(path, 'r');
    const replayed = identityOf(fd);
    closeSync(fd);
    for (const file of ['drive.asc', 'link.asc']) {
      const options = { projectRoot: files.project, file, overwrite: true, replayed: [replayed] };
      expect(refusal(() => RecordingFile.open(options))).toMatchObject({
        code: 'busy',
        details: { field: 'file', reason: 'replayed' },
      });
    }
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const options = {
      projectRoot: files.project,
      file: 'other.asc',
      overwrite: true,
      replayed: [replayed],
    };
    opened.push(RecordingFile.open(options));
  });

  it.each([
    ['../outside/drive.asc', 'path_outside_project'],
    ['nowhere/drive.asc', 'file_not_found'],
    ['folder', 'file_unavailable'],
  ])('refuses %s with %s', (path, code) => {
    files.directory('project/folder');
    expect(refusal(() => open(path)).code).toBe(code);
  });

  it('names the argument where the project itself is gone', () => {
    const projectRoot = join(files.project, 'gone');
    expect(
      refusal(() => RecordingFile.open({ projectRoot, file: 'a.asc', overwrite: false })),
    ).toEqual({
      code: 'file_not_found',
      details: { field: 'file', path: projectRoot },
    });
  });

  it('refuses to replace a folder', () => {
    files.directory('project/folder');
    expect(refusal(() => open('folder', true))).toMatchObject({
      code: 'file_unavailable',
      details: { field: 'file', reason: 'not_a_file' },
    });
  });

  it('does not go through a link that leads outside', () => {
    files.link('project/away', files.outside);
    expect(refusal(() => open('away/drive.asc')).code).toBe('path_outside_project');
    expect(readdirSync(files.outside)).toEqual([]);
  });

  it.each([
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'quota_exceeded'],
    ['EFBIG', 'too_large'],
    ['EROFS', 'read_only'],
    ['EIO', 'io_error'],
    ['EPERM', 'EPERM'],
  ])('tells how far it got and why, when the disk says %s', (code, reason) => {
    const disk = new LimitedDisk(5);
    disk.code = code;
    const file = open('drive.asc', false, disk);
    expect(file.append(bytes('one\ntwo\n'))).toBe(5);
    expect(file.failure).toBe(reason);
    file.keep(4);
    file.cut();
    expect(contentOf(file)).toBe('one\n');
  });

  it('is a new file only as long as it is discarded where it was made', () => {
    const file = open();
    opened.pop();
    file.discard();
    expect(readdirSync(files.project)).toEqual([]);
  });

  it('does not remove what has taken its place when it is discarded', () => {
    const file = open();
    opened.pop();
    rmSync(file.path);
    writeFileSync(file.path, 'mine');
    file.discard();
    expect(readFileSync(file.path, 'utf8')).toBe('mine');
  });

  it('does not remove a file that was there before when it is discarded', () => {
    files.write('project/drive.asc', 'old');
    const file = open('drive.asc', true);
    opened.pop();
    file.discard();
    expect(existsSync(file.path)).toBe(true);
  });

  describe('notices', () => {
    it.each<[string, string | null, (path: string) => void]>([
      ['nothing while all is well', null, () => undefined],
      ['nothing when the file gets a second name', null, (path) => linkSync(path, `${path}.2`)],
      ['that it was removed', 'removed', (path) => rmSync(path)],
      ['that it was moved', 'removed', (path) => renameSync(path, `${path}.1`)],
      [
        'that another file took its place',
        'replaced',
        (path) => {
          writeFileSync(`${path}.new`, '');
          renameSync(`${path}.new`, path);
        },
      ],
      ['that another program shortened it', 'truncated', (path) => truncateSync(path, 1)],
    ])('%s', (_, reason, change) => {
      const file = open();
      file.keep(file.append(bytes('one\n')));
      change(file.path);
      expect(file.lossReason()).toBe(reason);
    });

    it('that its folder was removed, or became a file', () => {
      const folder = files.directory('project/logs');
      const file = open('logs/drive.asc');
      rmSync(folder, { recursive: true });
      expect(file.lossReason()).toBe('removed');
      writeFileSync(folder, '');
      expect(file.lossReason()).toBe('removed');
    });

    it('that its folder was moved and another one made', () => {
      const folder = files.directory('project/logs');
      const file = open('logs/drive.asc');
      renameSync(folder, `${folder}.1`);
      expect(file.lossReason()).toBe('removed');
      mkdirSync(folder);
      writeFileSync(join(folder, 'drive.asc'), '');
      expect(file.lossReason()).toBe('replaced');
    });
  });
});
