import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readParquet } from '../../src/table/testing/read-parquet.ts';
import { eventually } from '../support/workbench.ts';
import { api, shareChannelBench } from './support/channel-bench.ts';

const dbc = [
  'VERSION ""',
  'BU_: ECU',
  'BO_ 256 Engine: 8 ECU',
  ' SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" ECU',
  '',
].join('\n');

const bench = shareChannelBench();

const put = (name: string, text: string): void => writeFileSync(join(bench.project, name), text);

const prepare = (): void => {
  put('a.log', '(1767225600.000100) can0 100#0100\n(1767225601.000100) can0 101#00\n');
  put('v.dbc', dbc);
};

const databases = [{ file: 'v.dbc' }];

const run = async (body: object) => {
  const queued = await bench.post(`${api}/traces/decode`, body);
  expect(queued.status).toBe(202);
  let last = queued.json();
  await eventually(async () => {
    last = (await bench.get(`${api}/jobs/${last.job_id}`)).json();
    return last.state === 'succeeded' || last.state === 'failed';
  });
  return last;
};

describe('a job that decodes a trace', () => {
  it('writes the table inside the project', async () => {
    prepare();
    expect(await run({ file: 'a.log', output: 'job.parquet', databases })).toMatchObject({
      kind: 'trace_decode',
      target: 'job.parquet',
      state: 'succeeded',
      error: null,
      result: { read: 2, decoded: 1, unknown: 1, rows: 1, truncated: false },
    });
    const { columns } = readParquet(readFileSync(join(bench.project, 'job.parquet')));
    expect(columns.map(({ cells }) => cells[0])).toEqual([
      1_767_225_600_000_100n,
      '1',
      'Engine',
      'Speed',
      '0.25',
      0.25,
      'rpm',
      null,
    ]);
  });

  it.each<[string, object, string, string]>([
    ['a trace outside', { file: '/etc/passwd' }, 'path_outside_project', 'file'],
    ['an output outside', { output: '../out.csv' }, 'path_outside_project', 'output'],
    ['no trace', { file: 'none.log' }, 'file_not_found', 'file'],
    [
      'a database that is none',
      { databases: [{ file: 'a.log' }] },
      'invalid_database',
      'databases',
    ],
    [
      'a missing channel',
      { databases: [{ file: 'v.dbc', channel: '7' }] },
      'invalid_argument',
      'databases',
    ],
    ['a wrong name', { signals: ['Engine.Sped'] }, 'signal_not_found', 'signals'],
    [
      'its own input',
      { output: 'same.csv', file: 'same.csv', overwrite: true },
      'invalid_argument',
      'output',
    ],
  ])('fails for %s and leaves no table', async (_, change, code, field) => {
    prepare();
    put('same.csv', '(1767225600.000100) can0 100#0100\n');
    const job = await run({ file: 'a.log', output: 'no.csv', databases, ...change });
    expect(job).toMatchObject({
      state: 'failed',
      result: null,
      error: { code, details: { field } },
    });
    expect(existsSync(join(bench.project, 'no.csv'))).toBe(false);
  });

  it.each<[object, string]>([
    [{ output: 'table.xlsx' }, 'output'],
    [{ from: 'soon' }, 'from'],
    [{ from: '2s', to: '1s' }, 'to'],
    [{ every_ms: 10 }, 'every_ms'],
    [{ signals: ['Speed'] }, 'signals'],
    [{ databases: [] }, 'databases'],
  ])('is refused before it starts with %o', async (change, field) => {
    prepare();
    const body = { file: 'a.log', output: 'no.csv', databases, ...change };
    const response = await bench.post(`${api}/traces/decode`, body);
    expect(response.status).toBe(400);
    expect(response.json().error).toMatchObject({ code: 'invalid_argument', details: { field } });
  });
});
