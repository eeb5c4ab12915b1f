import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setUpWorkbench } from '../support/workbench.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const bench = shareTransmitBench((own) => own.open('SIM00001/0').then(() => undefined));

const whileRemoved = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
  rmSync(bench.project, { recursive: true });
  try {
    return await act();
  } finally {
    mkdirSync(bench.project);
  }
};

describe('a daemon whose project root is gone', () => {
  it.each([
    ['logging', { file: 'a.asc' }, 'file'],
    ['replay', { file: 'a.asc', channels: { '1': 'SIM00001/0' } }, 'file'],
    ['databases', { file: 'a.dbc' }, 'file'],
    ['gateways', { file: 'a.gwproj', instance: 'x' }, 'file'],
    ['gateways/validate', { file: 'a.gwproj' }, 'file'],
    ['modbus/serve', { endpoint: 'tcp:127.0.0.1:5502', map: 'a.json' }, 'map'],
  ])('refuses POST %s, and says which argument needs the directory', async (path, body, field) => {
    const answer = await whileRemoved(() => bench.post(`${api}/${path}`, body));
    expect(refusedOverHttp(answer)).toEqual({
      status: 404,
      code: 'file_not_found',
      details: { field, path: bench.project },
    });
  });

  it('has no files to list', async () => {
    const listing = `${api}/gateways/files?type=gwproj`;
    expect(refusedOverHttp(await whileRemoved(() => bench.get(listing)))).toEqual({
      status: 404,
      code: 'file_not_found',
      details: { path: bench.project },
    });
  });

  it('uses a directory that is there again under its name', async () => {
    await whileRemoved(() => bench.post(`${api}/logging`, { file: 'a.asc' }));
    await bench.create('logging', { file: 'a.asc' });
    await bench.end('logging');
    expect(bench.has('a.asc')).toBe(true);
    await bench.status('gateways/files?type=gwproj');
  });
});

describe('a daemon', () => {
  it('does not stay in the directory that it was started in', async () => {
    expect(readlinkSync(`/proc/${bench.daemonPid}/cwd`)).toBe('/');
    expect(await bench.json('daemon', 'status')).toMatchObject({ project_root: bench.project });
  });

  it('has the home of the command that started it, also where that is a relative path', async () => {
    const own = setUpWorkbench();
    const env = { BUSBAR_HOME: '../home' };
    expect((await own.run(['daemon', 'start'], { env })).code).toBe(0);
    expect(await own.json('daemon', 'status')).toMatchObject({
      state: 'running',
      home: own.home,
      project_root: own.project,
    });
  });
});
