import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { api, borrowChannelBench, type ChannelBench } from './support/channel-bench.ts';

const dbc = [
  'VERSION ""',
  'BU_: ECU',
  'BO_ 256 Engine: 3 ECU',
  ' SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" ECU',
  '',
].join('\n');

const setUp = async (): Promise<ChannelBench> => {
  const bench = await borrowChannelBench();
  await bench.open('SIM00001/0', { name: 'tester' });
  await bench.open('SIM00001/1', { name: 'powertrain' });
  return bench;
};

const newestId = async (bench: ChannelBench): Promise<number> =>
  (await bench.get(`${api}/messages/history?limit=1`)).json().newest_available;

const jobOf = async (bench: ChannelBench, id: string) =>
  (await bench.get(`${api}/jobs/${id}`)).json();

const ended = async (bench: ChannelBench, id: string) => {
  await eventually(async () => (await jobOf(bench, id)).finished_at_us !== null);
  return jobOf(bench, id);
};

describe('live checks', () => {
  it('judge events from an event id on, with the databases of the channels', async () => {
    const bench = await setUp();
    writeFileSync(join(bench.project, 'engine.dbc'), dbc);
    await bench.json('database', 'load', 'engine.dbc');
    await bench.json('database', 'attach', 'engine', '--channel=powertrain');
    const after = await newestId(bench);
    await bench.send({ channel: 'tester', id: 256, data: '100000' });
    await bench.send({ channel: 'tester', id: 256, data: '500000' });
    const queued = await bench.post(`${api}/checks`, {
      checks: [
        { id: 'speed', check: 'value Engine.Speed in 0..10 on powertrain' },
        { check: 'never frame 101 on powertrain' },
        { check: 'cycle 102 10ms +-1ms' },
      ],
      seconds: 0.1,
      channels: ['powertrain'],
      after,
    });
    expect(queued.status).toBe(202);
    const { job_id, target } = queued.json();
    const job = await ended(bench, job_id);
    await bench.json('database', 'detach', 'engine', '--channel=powertrain');
    await bench.json('database', 'unload', 'engine');
    expect(target).toBe('powertrain');
    expect(job).toMatchObject({
      state: 'succeeded',
      progress: { percent: 100, name: '0 of 0.1 s' },
      result: {
        verdict: 'failed',
        source: 'live',
        events: 2,
        gaps: 0,
        checks: [
          { id: 'speed', verdict: 'failed', violation_total: 1 },
          { verdict: 'passed' },
          { verdict: 'not_observed', reason: 'No frame of 102' },
        ],
        environment: {
          trace: null,
          channels: [{ name: 'powertrain', selector: 'SIM00001/1', bitrate: 500_000 }],
          databases: [{ file: 'engine.dbc', size: dbc.length }],
        },
      },
    });
    const [violation] = job.result.checks[0].violations;
    expect(violation.event).toBeGreaterThan(after);
    expect(violation.excerpt.at(-1)).toMatchObject({ text: '100#500000', is_violation: true });
  });

  it('are reported by the command like those of a trace', async () => {
    const bench = await setUp();
    const frame = ['100#01', '--count=2000000000', '--cycle-us=2000'];
    const batch = runInBackground(bench, 'message', 'send', 'tester', ...frame);
    await eventually(async () => (await newestId(bench)) > 0);
    const checks = ['--check=never gap', '--check=never frame 555 on powertrain'];
    const report = await bench.json('check', 'run', ...checks, '--for=1s', '--report=live.html');
    expect(report).toMatchObject({ verdict: 'passed', passed: 2, source: 'live' });
    const failed = '--check=never frame 100 on powertrain';
    const refused = await bench.failure('check', 'run', failed, '--for=1s', '--channel=powertrain');
    expect(refused).toMatchObject({ exit: 1, code: 'checks_failed' });
    batch.kill('SIGINT');
    await batch.ended;
  });

  it('are cancelled with their job or command', async () => {
    const bench = await setUp();
    const queued = await bench.post(`${api}/checks`, {
      checks: [{ check: 'never gap' }],
      seconds: 3600,
    });
    const path = `${api}/jobs/${queued.json().job_id}`;
    const cancelled = await ask({ port: bench.port, method: 'DELETE', path });
    expect(cancelled.json()).toMatchObject({ state: 'cancelled', result: null });
    const command = runInBackground(bench, 'check', 'run', '--check=never gap', '--for=3600s');
    const newest = async () => (await bench.get(`${api}/jobs`)).json().jobs[0];
    await eventually(async () => (await newest()).state === 'running');
    command.kill('SIGINT');
    await command.ended;
    expect(await newest()).toMatchObject({ kind: 'check', state: 'cancelled' });
  });

  it.each<[object, string, string | undefined]>([
    [{ checks: [{ check: 'cycle Motor 1ms +-1us' }] }, 'invalid_argument', 'checks[0].check'],
    [{ checks: [{ check: 'never error on nope' }] }, 'invalid_argument', 'checks[0].check'],
    [{ checks: [{ check: 'cycle 1 1ms' }] }, 'invalid_argument', 'checks[0].check'],
    [{ checks: undefined }, 'invalid_argument', 'checks'],
    [{ bitrate: ['500k'] }, 'invalid_argument', 'bitrate'],
    [{ trace: 'a.log' }, 'invalid_argument', 'seconds'],
    [{ seconds: 0 }, 'invalid_argument', 'seconds'],
    [{ channels: ['nope'] }, 'channel_not_found', undefined],
    [{ file: 'none.json' }, 'file_not_found', 'file'],
  ])('are refused before they begin with %o', async (change, code, field) => {
    const bench = await setUp();
    const body = { checks: [{ check: 'never gap' }], seconds: 0.1, ...change };
    const { error } = (await bench.post(`${api}/checks`, body)).json();
    expect(error.code).toBe(code);
    if (field !== undefined) expect(error.details.field).toBe(field);
  });

  it('name options and the check file in refusals of the command', async () => {
    const bench = await setUp();
    const unknown = { check: 'cycle Motor 1ms +-1us' };
    writeFileSync(join(bench.project, 'own.json'), JSON.stringify({ checks: [unknown] }));
    const live = ['--for=100ms', '--check=never gap'];
    const inFile = await bench.failure('check', 'run', 'own.json', ...live);
    expect(inFile.message).toContain('own.json: checks[0].check: expected a message');
    const inOption = await bench.failure('check', 'run', ...live, '--check=cycle Motor 1ms +-1us');
    expect(inOption.details).toMatchObject({ field: 'check[1]' });
    const trace = await bench.failure('check', 'run', ...live, '--trace=a.log');
    expect(trace.details).toMatchObject({ field: 'for' });
  });
});
