import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { reuseWorkbench, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { listenersOf } from './support/processes.ts';

const reuse = reuseWorkbench();

/** A console with one page, at a path below the project. */
const layOut = (bench: Workbench, ...names: string[]): string => {
  const directory = join(bench.project, ...names);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.html'), `<title>${names.join(' ')}</title>`);
  return directory;
};

const start = async (bench: Workbench, webRoot: string, cwd = bench.project) => {
  const { code, stdout, stderr } = await bench.run(
    ['web', 'start', '--listen=127.0.0.1:0', `--web-root=${webRoot}`, '--format=json'],
    { cwd },
  );
  return code === 0 ? JSON.parse(stdout) : { exit: code, ...JSON.parse(stderr).error };
};

const titleOn = async (listen: string): Promise<string | undefined> => {
  const { text } = await ask({ port: Number(listen.split(':')[1]), path: '/' });
  return /<title>(.*)<\/title>/.exec(text)?.[1];
};

describe('a Web root of one’s own', () => {
  it('is found from where the command is given, and serves its page', async () => {
    const bench = await reuse();
    const site = layOut(bench, 'tools', 'site');
    layOut(bench, 'site');

    const record = await start(bench, 'site', join(bench.project, 'tools'));
    expect(record).toMatchObject({ state: 'running', web_root: site });
    expect(await titleOn(record.listen)).toBe('tools site');
    expect(await bench.json('daemon', 'status')).toMatchObject({ project_root: bench.project });
  });

  it('may be written with dots or in full, and may be the project itself', async () => {
    const bench = await reuse();
    const site = layOut(bench, 'site');
    mkdirSync(join(bench.project, 'tools'));
    for (const [webRoot, expected] of [
      ['../site/.', site],
      [site, site],
      ['..', bench.project],
    ] as const) {
      const record = await start(bench, webRoot, join(bench.project, 'tools'));
      expect(record).toMatchObject({ state: 'running', web_root: expected });
      await bench.json('web', 'stop');
    }
  });

  it('may be a link that stays inside', async () => {
    const bench = await reuse();
    const site = layOut(bench, 'site');
    symlinkSync('site', join(bench.project, 'current'));
    const record = await start(bench, 'current');
    expect(record).toMatchObject({ state: 'running', web_root: site });
    expect(await titleOn(record.listen)).toBe('site');
  });

  it('is refused where it lies outside, is missing or is no directory', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    const outside = join(bench.project, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(bench.project, 'a-file'), '');
    symlinkSync(outside, join(bench.project, 'way-out'));
    symlinkSync('nowhere', join(bench.project, 'dangling'));
    mkdirSync(join(bench.project, 'tools'));

    for (const [webRoot, code] of [
      ['../../outside', 'path_outside_project'],
      [outside, 'path_outside_project'],
      ['../..', 'path_outside_project'],
      ['/', 'path_outside_project'],
      [`${bench.project}-twin`, 'path_outside_project'],
      ['../way-out', 'path_outside_project'],
      ['missing', 'file_not_found'],
      ['../dangling', 'file_not_found'],
      ['../a-file', 'file_unavailable'],
      ['../a-file/below', 'file_unavailable'],
    ]) {
      const {
        exit,
        code: found,
        details,
      } = await start(bench, webRoot ?? '', join(bench.project, 'tools'));
      expect({ webRoot, exit, code: found, field: details?.field }).toEqual({
        webRoot,
        exit: 1,
        code,
        field: 'web_root',
      });
    }
    expect(await bench.json('web', 'status')).toMatchObject({ state: 'stopped', web_root: null });
    expect(listenersOf(bench.daemonPid ?? -1)).toEqual([]);
  });

  it('serves nothing through a link that leads out, also one that is made later', async () => {
    const bench = await reuse();
    const site = layOut(bench, 'site');
    writeFileSync(join(bench.project, '..', 'secret.txt'), 'secret');
    const { listen } = await start(bench, 'site');
    const port = Number(listen.split(':')[1]);

    symlinkSync('../../secret.txt', join(site, 'later.txt'));
    expect((await ask({ port, path: '/later.txt' })).status).toBe(404);
    renameSync(join(site, 'index.html'), join(site, 'moved.html'));
    symlinkSync('../../secret.txt', join(site, 'index.html'));
    const { status, text } = await ask({ port, path: '/' });
    expect(status).toBe(404);
    expect(text).not.toContain('secret');
  });
});
