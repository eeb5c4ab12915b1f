import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const bench = shareTransmitBench(async (own) => {
  own.write(
    'drives/a.log',
    '(1767225600.000100) can0 123#01\n(1767225600.500100) can7 18FF50E5#02\n',
  );
  own.write('text.asc', 'Dear diary,\ntoday nothing happened.\n');
});

const summary = (file: string) =>
  bench.get(`${api}/traces/summary?file=${encodeURIComponent(file)}`);

describe('GET /traces/summary', () => {
  it('tells what a file of the project holds, as trace info does', async () => {
    const answer = await summary('drives/a.log');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      file: 'drives/a.log',
      complete: true,
      format: 'candump',
      events: 2,
      duration_us: 500_000,
      channels: [
        { channel: 1, bus: 'can', name: 'can0', events: 1 },
        { channel: 8, bus: 'can', name: 'can7', events: 1 },
      ],
    });
    const info = await bench.json('trace', 'info', 'drives/a.log');
    expect({ ...answer.json(), file: info.file }).toEqual(info);
  });

  it('tells what an MF4 file of python-can holds', async () => {
    const golden = join(repository, 'tests/golden/mf4/python-can-transposed.mf4');
    bench.write('theirs.mf4', readFileSync(golden));
    const answer = await summary('theirs.mf4');
    expect(answer.json()).toMatchObject({
      complete: true,
      format: 'mf4',
      started_at_us: 1_767_225_600_000_000,
      events: 36,
      error_frames: 6,
      remote_frames: 6,
      buses: { can: 30, canfd: 6, lin: 0 },
      malformed: 0,
      truncated: false,
    });
  });

  it.each([
    ['absent.log', 404, 'file_not_found'],
    ['drives', 409, 'file_unavailable'],
    ['../a.log', 403, 'path_outside_project'],
    ['/etc/hostname', 403, 'path_outside_project'],
    ['text.asc', 422, 'invalid_trace'],
  ])('refuses %s with %i %s', async (file, status, code) => {
    expect(refusedOverHttp(await summary(file))).toMatchObject({
      status,
      code,
      details: { field: 'file' },
    });
  });

  it('needs a file', async () => {
    expect(refusedOverHttp(await bench.get(`${api}/traces/summary`))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'file' },
    });
  });
});
