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
import { FileDownloads, findProjectFile } from './file-downloads.ts';

const setUp = (atOnce = 2) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-downloads-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(root, 'project');
  mkdirSync(join(project, 'night'), { recursive: true });
  writeFileSync(join(root, 'secret.asc'), 'secret');
  writeFileSync(join(project, 'night', 'a.asc'), 'date\nEnd\n');
  let afterWalk = (): void => undefined;
  const downloads = new FileDownloads({
    atOnce,
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

describe('FileDownloads', () => {
  it('opens a file with its name and size', async () => {
    const { downloads } = setUp();
    const file = await downloads.open('night/a.asc');
    onTestFinished(() => file.close());
    expect(file).toMatchObject({ name: 'a.asc', size: 9 });
    const bytes = Buffer.alloc(64);
    expect(await file.read(bytes, 5)).toBe(4);
    expect(bytes.toString('latin1', 0, 4)).toBe('End\n');
  });

  it('knows which version of the file it has', async () => {
    const { downloads, project } = setUp();
    const path = join(project, 'night', 'a.asc');
    const versionNow = async () => {
      const file = await downloads.open('night/a.asc');
      file.close();
      return file.version;
    };
    const first = await versionNow();
    expect(await versionNow()).toBe(first);
    writeFileSync(path, 'date\nEnd\r');
    expect(await versionNow()).not.toBe(first);
  });

  it('sends what the file had when it was opened', async () => {
    const { downloads, project } = setUp();
    const file = await downloads.open('night/a.asc');
    onTestFinished(() => file.close());
    writeFileSync(join(project, 'night', 'a.asc'), 'more\n', { flag: 'a' });
    expect(await file.read(Buffer.alloc(64), 0)).toBe(9);
    writeFileSync(join(project, 'night', 'a.asc'), '');
    expect(await file.read(Buffer.alloc(64), 0)).toBe(0);
  });

  it('opens no directory, and nothing outside or hidden', async () => {
    const { root, project, downloads } = setUp();
    symlinkSync(join(root, 'secret.asc'), join(project, 'link.asc'));
    writeFileSync(join(project, '.env'), 'secret');
    symlinkSync('.env', join(project, 'env.asc'));
    const codes = [];
    for (const file of ['../secret.asc', 'link.asc', 'env.asc', 'gone.asc', 'night']) {
      codes.push(await downloads.open(file).catch(({ code, details }) => [code, details.field]));
    }
    expect(codes).toEqual([
      ['path_outside_project', 'file'],
      ['path_outside_project', 'file'],
      ['file_not_found', 'file'],
      ['file_not_found', 'file'],
      ['file_unavailable', 'file'],
    ]);
  });

  it('does not follow a file that is replaced while it is opened', async () => {
    const { root, project, downloads, meanwhile } = setUp(1);
    const path = join(project, 'night', 'a.asc');
    meanwhile(() => {
      rmSync(path);
      symlinkSync(join(root, 'secret.asc'), path);
    });
    await expect(downloads.open('night/a.asc')).rejects.toMatchObject({
      code: 'file_unavailable',
    });
    rmSync(path);
    writeFileSync(path, 'new');
    meanwhile(() => {
      writeFileSync(join(project, 'other'), 'other');
      renameSync(join(project, 'other'), path);
    });
    await expect(downloads.open('night/a.asc')).rejects.toMatchObject({
      code: 'file_unavailable',
      details: { reason: 'replaced' },
    });
    meanwhile(() => undefined);
    (await downloads.open('night/a.asc')).close();
  });

  it('opens so many at a time, and others once one is closed', async () => {
    const { downloads } = setUp();
    const open = () => downloads.open('night/a.asc');
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
