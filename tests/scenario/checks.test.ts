import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, shareChannelBench } from './support/channel-bench.ts';

const dbc = [
  'VERSION ""',
  'BU_: ECU',
  'BO_ 256 Engine: 3 ECU',
  ' SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" ECU',
  ' SG_ Counter : 16|4@1+ (1,0) [0|15] "" ECU',
  '',
].join('\n');

const bench = shareChannelBench();

const put = (name: string, text: string): void => writeFileSync(join(bench.project, name), text);
const textOf = (name: string): string => readFileSync(join(bench.project, name), 'utf8');

/** Engine every 20 ms on can0, where frame 30 is late, and one frame on can1. */
const prepare = (): void => {
  const lines = Array.from({ length: 100 }, (_, at) => {
    const us = 1_767_225_600_000_000 + at * 20_000 + (at === 30 ? 6000 : 0);
    const counter = (at % 15).toString(16).toUpperCase();
    return `(${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}) can0 100#1000${`0${counter}`}`;
  });
  put('a.log', [...lines, '(1767225602.000000) can1 200#00', ''].join('\n'));
  put('v.dbc', dbc);
  const checks = [
    { id: 'counter', check: 'counter Engine.Counter max 14' },
    { check: 'value Engine.Speed in 0..100' },
  ];
  put('a.checks.json', JSON.stringify({ checks }));
};

const inTrace = ['--trace=a.log', '--database=v.dbc'];
const late = 'cycle Engine 20ms +-10%';

const refusal = async (...args: string[]) => {
  const { code, details } = await bench.failure('check', 'run', ...args);
  return { code, field: details.field };
};

describe('check run', () => {
  it('prints a report and succeeds if all checks passed', async () => {
    prepare();
    const report = await bench.json('check', 'run', 'a.checks.json', ...inTrace);
    expect(report).toMatchObject({
      verdict: 'passed',
      passed: 2,
      source: 'trace',
      started_at_us: 1_767_225_600_000_000,
      duration_us: 2_000_000,
      events: 101,
      checks: [
        { id: 'counter', verdict: 'passed' },
        { id: '2', verdict: 'passed' },
      ],
      environment: {
        trace: { format: 'candump', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        channels: [
          { channel: 1, bus: 'can', name: 'can0' },
          { channel: 2, bus: 'can', name: 'can1' },
        ],
        databases: [{ file: 'v.dbc', channel: null, size: dbc.length }],
      },
    });
  });

  it('fails with the event and the frames around it', async () => {
    prepare();
    const args = ['check', 'run', 'a.checks.json', `--check=${late}`, '--check=never gap'];
    const { exit, code, stdout } = await bench.failure(...args, ...inTrace);
    expect({ exit, code }).toEqual({ exit: 1, code: 'checks_failed' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ verdict: 'failed', passed: 3, failed: 1 });
    const [first] = report.checks[2].violations;
    expect(first).toMatchObject({
      event: 31,
      message: '26 ms after the frame before, not 18 ms to 22 ms',
    });
    expect(first.excerpt.filter((row: { is_violation: boolean }) => row.is_violation)).toEqual([
      { time_us: 606_000, event: 31, channel: 1, text: '100#100000', is_violation: true },
    ]);
  });

  it('fails for what was not observed, unless that is allowed', async () => {
    prepare();
    const args = ['check', 'run', '--check=never gap', '--check=cycle 7FF 20ms +-10%', ...inTrace];
    expect(await bench.failure(...args)).toMatchObject({ exit: 1, code: 'checks_not_observed' });
    expect(await bench.json(...args, '--allow-unobserved')).toMatchObject({
      verdict: 'not_observed',
      checks: [{ verdict: 'passed' }, { reason: 'No frame of 7FF' }],
    });
  });

  it('writes reports, and replaces earlier ones', async () => {
    prepare();
    put('r.txt', 'earlier');
    const reports = ['html', 'xml', 'json', 'txt'].map((ending) => `--report=r.${ending}`);
    await bench.failure('check', 'run', `--check=${late}`, ...inTrace, ...reports);
    expect(textOf('r.html')).toMatch(/^<!doctype html>.*<svg.*26 ms after/s);
    expect(textOf('r.xml')).toContain('failures="1"');
    expect(JSON.parse(textOf('r.json'))).toMatchObject({ verdict: 'failed' });
    expect(textOf('r.txt')).toMatch(/^The check failed\n/);
  });

  it.each<[string, string[], string, string]>([
    ['an unknown channel', ['--check=cycle 100 20ms +-1ms on 7'], 'invalid_argument', 'check[0]'],
    ['no check file', ['none.json'], 'file_not_found', 'file'],
    ['no directory', ['--check=never gap', '--report=no/r.txt'], 'file_not_found', 'report'],
    ['an input', ['a.checks.json', '--report=a.checks.json'], 'invalid_argument', 'report'],
  ])('refuses %s and writes no report', async (_, args, code, field) => {
    prepare();
    const before = readdirSync(bench.project);
    expect(await refusal(...args, ...inTrace, '--report=never.html')).toEqual({ code, field });
    expect(readdirSync(bench.project)).toEqual(before);
  });
});

const ended = async (jobId: string) => {
  let job = (await bench.get(`${api}/jobs/${jobId}`)).json();
  await eventually(async () => {
    job = (await bench.get(`${api}/jobs/${jobId}`)).json();
    return job.finished_at_us !== null;
  });
  return job;
};

const start = async (body: object) => {
  const queued = await bench.post(`${api}/checks`, body);
  expect(queued.status).toBe(202);
  return ended(queued.json().job_id);
};

describe('a check job', () => {
  it('has the report of the command', async () => {
    prepare();
    const { stdout } = await bench.failure(
      'check',
      'run',
      'a.checks.json',
      `--check=${late}`,
      ...inTrace,
    );
    const job = await start({
      file: 'a.checks.json',
      checks: [{ check: late }],
      trace: 'a.log',
      databases: [{ file: 'v.dbc' }],
    });
    expect(job).toMatchObject({ kind: 'check', target: 'a.log', state: 'succeeded' });
    const { environment, ...report } = job.result;
    const { environment: own, ...printed } = JSON.parse(stdout);
    expect(report).toEqual(printed);
    expect(environment.trace.sha256).toBe(own.trace.sha256);
    const { jobs } = (await bench.get(`${api}/jobs`)).json();
    const listed = jobs.find(({ job_id }: { job_id: string }) => job_id === job.job_id);
    expect(listed).toMatchObject({ state: 'succeeded', result: null });
  });

  it.each<[object, string, string]>([
    [{ trace: '/etc/passwd' }, 'path_outside_project', 'trace'],
    [{ trace: 'none.log' }, 'file_not_found', 'trace'],
    [{ trace: 'v.dbc' }, 'invalid_trace', 'trace'],
    [{ checks: [{ check: 'cycle 100 20ms +-1ms on 7' }] }, 'invalid_argument', 'checks[0].check'],
  ])('fails with %o', async (change, code, field) => {
    prepare();
    const job = await start({ checks: [{ check: 'never gap' }], trace: 'a.log', ...change });
    expect(job).toMatchObject({ state: 'failed', error: { code, details: { field } } });
  });

  it.each<[object, string]>([
    [{ checks: [{ check: 'cycle 100' }] }, 'checks[0].check'],
    [{ checks: [{ check: 'e2e 100', codec: { profile: '9' } }] }, 'checks[0].codec.profile'],
    [{ checks: [{ check: 'e2e 100', codec: { profile: '1A' } }] }, 'checks[0].codec.data_id'],
    [
      {
        checks: [
          { id: 'a', check: 'never gap' },
          { id: 'a', check: 'never gap' },
        ],
      },
      'checks[1].id',
    ],
    [{ checks: [] }, 'checks'],
    [{ checks: undefined }, 'checks'],
    [{ trace: undefined }, 'trace'],
    [{ seconds: 3 }, 'seconds'],
    [{ bitrate: ['0'] }, 'bitrate'],
  ])('is refused before it starts with %o', async (change, field) => {
    const body = { checks: [{ check: 'never gap' }], trace: 'a.log', ...change };
    const response = await bench.post(`${api}/checks`, body);
    expect(response.status).toBe(400);
    expect(response.json().error).toMatchObject({ code: 'invalid_argument', details: { field } });
  });
});
