import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProjectFile, RecorderDownloads } from './recorder-downloads.ts';

const setUp = (listed: readonly string[], atOnce = 2) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-downloads-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(root, 'project');
  mkdirSync(join(project, 'night'), { recursive: true });
  writeFileSync(join(root, 'secret.asc'), 'secret');
  writeFileSync(join(project, 'night', 'a.asc'), 'date\nEnd\n');
  let afterWalk = (): void => undefined;
  const downloads = new RecorderDownloads({
    atOnce,
    filesOf: async () => listed,
    find: async (file) => {
      const found = findProjectFile(project, file);
      afterWalk();
      return found;
    },
  });
  const meanwhile = (act: () => void): void => {
    afterWalk = act;
  };
  return { root, project, downloads, meanwhile };
};

describe('RecorderDownloads', () => {
  it('opens a file of the list with its name and size', async () => {
    const { downloads } = setUp(['night/a.asc']);
    const file = await downloads.open('night', 'night/a.asc');
    onTestFinished(() => file.close());
    expect(file).toMatchObject({ name: 'a.asc', size: 9 });
    const bytes = Buffer.alloc(64);
    expect(await file.read(bytes, 5)).toBe(4);
    expect(bytes.toString('latin1', 0, 4)).toBe('End\n');
  });

  it('sends what the file had when it was opened', async () => {
    const { downloads, project } = setUp(['night/a.asc']);
    const file = await downloads.open('night', 'night/a.asc');
    onTestFinished(() => file.close());
    writeFileSync(join(project, 'night', 'a.asc'), 'more\n', { flag: 'a' });
    expect(await file.read(Buffer.alloc(64), 0)).toBe(9);
    writeFileSync(join(project, 'night', 'a.asc'), '');
    expect(await file.read(Buffer.alloc(64), 0)).toBe(0);
  });

  it('has no other files of the project, and none outside', async () => {
    const { root, project, downloads } = setUp(['../secret.asc', 'link.asc', 'gone.asc', 'night']);
    symlinkSync(join(root, 'secret.asc'), join(project, 'link.asc'));
    const codes = [];
    for (const file of ['night/a.asc', '../secret.asc', 'link.asc', 'gone.asc', 'night']) {
      codes.push(
        await downloads.open('night', file).catch(({ code, details }) => [code, details.field]),
      );
    }
    expect(codes).toEqual([
      ['file_not_found', 'file'],
      ['path_outside_project', 'file'],
      ['path_outside_project', 'file'],
      ['file_not_found', 'file'],
      ['file_unavailable', 'file'],
    ]);
  });

  it('does not follow a file that is replaced while it is opened', async () => {
    const { root, project, downloads, meanwhile } = setUp(['night/a.asc'], 1);
    const path = join(project, 'night', 'a.asc');
    meanwhile(() => {
      rmSync(path);
      symlinkSync(join(root, 'secret.asc'), path);
    });
    await expect(downloads.open('night', 'night/a.asc')).rejects.toMatchObject({
      code: 'file_unavailable',
    });
    rmSync(path);
    writeFileSync(path, 'new');
    meanwhile(() => {
      writeFileSync(join(project, 'other'), 'other');
      renameSync(join(project, 'other'), path);
    });
    await expect(downloads.open('night', 'night/a.asc')).rejects.toMatchObject({
      code: 'file_unavailable',
      details: { reason: 'replaced' },
    });
    meanwhile(() => undefined);
    (await downloads.open('night', 'night/a.asc')).close();
  });

  it('opens so many at a time, and others once one is closed', async () => {
    const { downloads } = setUp(['night/a.asc']);
    const open = () => downloads.open('night', 'night/a.asc');
    const [first, second] = [await open(), await open()];
    onTestFinished(() => second.close());
    await expect(open()).rejects.toMatchObject({ code: 'busy', details: { limit: 2 } });
    first.close();
    first.close();
    await expect
      .poll(() =>
        open().then(
          (file) => file.close(),
          () => 'busy',
        ),
      )
      .toBeUndefined();
  });
});
