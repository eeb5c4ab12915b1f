import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import { api, refusedByCli, refusedOverHttp, shareChannelBench } from './support/channel-bench.ts';

const index = (version: string) => ({
  format: 'busbar-firmware',
  schema_version: 1,
  releases: [{ device: 'Virtual bench', version, notes: 'Fixes LIN', url: 'https://x.example/fw' }],
});

const bench = shareChannelBench();

/** Every check reads the configured index again. */
const nameIndex = (firmwareIndex?: unknown): string =>
  writeBench(bench.project, { devices: [], firmware_index: firmwareIndex });

/** Queues a check over HTTP and waits for the result of the job. */
const check = async (device = 'SIM00001') => {
  const queued = await bench.post(`${api}/devices/${device}/firmware-check`, {});
  expect(queued.status).toBe(202);
  const job = queued.json();
  expect(job).toMatchObject({ kind: 'firmware_check', target: 'SIM00001', state: 'queued' });
  let last = job;
  await eventually(async () => {
    last = (await bench.get(`${api}/jobs/${job.job_id}`)).json();
    return last.state === 'succeeded' || last.state === 'failed';
  });
  return last;
};

describe('a firmware check', () => {
  it.each([
    ['1.0.0', 'current'],
    ['1.1.0', 'outdated'],
    ['0.9', 'newer'],
  ])('finds that with %s in the index the device is %s', async (version, status) => {
    nameIndex('firmware.json');
    writeFileSync(join(bench.project, 'firmware.json'), JSON.stringify(index(version)));
    expect(await check()).toMatchObject({
      state: 'succeeded',
      error: null,
      result: {
        sn: 'SIM00001',
        uid: 'sim-0000-0001',
        device: 'Virtual bench',
        installed: '1.0.0',
        status,
        latest: { version, notes: 'Fixes LIN', url: 'https://x.example/fw' },
        index: join(bench.project, 'firmware.json'),
      },
    });
  });

  it('takes the UID for the device too, and the index from a server', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify(index('2.0.0'))));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index`;
    nameIndex(address);
    const job = await check('sim-0000-0001');
    expect(job.result).toMatchObject({ status: 'outdated', index: address });
  });

  it('leaves the traffic of the device alone', async () => {
    nameIndex('firmware.json');
    writeFileSync(join(bench.project, 'firmware.json'), JSON.stringify(index('1.0.0')));
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/1');
    const sending = bench.send({
      channel: 'SIM00001/0',
      type: 'data',
      id: 0x123,
      data: '01',
      count: 200,
      cycle_us: 1000,
    });
    expect(await check()).toMatchObject({ state: 'succeeded' });
    expect((await sending).json()).toMatchObject({ accepted: 200 });
    // The last of them may still be in transit.
    await eventually(async () => (await bench.stats('SIM00001/1')).rx_frames === 200);
    expect(await bench.stats('SIM00001/1')).toMatchObject({ rx_frames: 200, overruns: 0 });
  });

  const unhelpful: readonly (readonly [string, unknown, string | null, string])[] = [
    ['the bench names none', undefined, null, 'firmware_index_missing'],
    ['there is no such file', 'absent.json', null, 'firmware_index_unreachable'],
    ['nobody listens', 'http://127.0.0.1:9/index', null, 'firmware_index_unreachable'],
    ['it is malformed', 'firmware.json', '{"releases":3}', 'invalid_firmware_index'],
    ['it is no JSON', 'firmware.json', 'firmware', 'invalid_firmware_index'],
  ];
  it.each(unhelpful)('fails clearly if %s', async (_, named, text, code) => {
    nameIndex(named);
    if (text !== null) writeFileSync(join(bench.project, 'firmware.json'), text);
    const job = await check();
    expect(job).toMatchObject({ state: 'failed', result: null, error: { code } });
  });

  it('says that the index does not list the device', async () => {
    nameIndex('firmware.json');
    const other = { ...index('1.0'), releases: [{ device: 'Other', version: '1.0' }] };
    writeFileSync(join(bench.project, 'firmware.json'), JSON.stringify(other));
    expect((await check()).result).toMatchObject({ status: 'not_listed', latest: null });
  });

  it('is refused for a device that is not there, on both faces', async () => {
    nameIndex();
    const before = (await bench.get(`${api}/jobs`)).json();
    const expected = {
      code: 'device_not_found',
      details: { field: 'selector', selector: 'GONE0001' },
    };
    const answer = await bench.post(`${api}/devices/GONE0001/firmware-check`, {});
    expect(refusedOverHttp(answer)).toMatchObject({ status: 404, ...expected });
    const refused = await bench.failure('device', 'firmware', 'check', 'GONE0001');
    expect(refusedByCli(refused)).toMatchObject({ exit: 1, ...expected });
    expect((await bench.get(`${api}/jobs`)).json()).toEqual(before);
  });

  it('can be asked for and looked at on the command line', async () => {
    nameIndex('firmware.json');
    writeFileSync(join(bench.project, 'firmware.json'), JSON.stringify(index('1.1.0')));
    const job = await bench.json('device', 'firmware', 'check', 'SIM00001');
    let shown = job;
    await eventually(async () => {
      shown = await bench.json('job', 'show', String(job.job_id));
      return shown.state === 'succeeded';
    });
    expect(shown).toMatchObject({ result: { status: 'outdated' } });
  });
});
