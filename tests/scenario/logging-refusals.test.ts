import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const outside = mkdtempSync(join(tmpdir(), 'busbar-outside-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0');
  mkdirSync(own.path('folder'));
  symlinkSync(outside, own.path('out'));
  symlinkSync(join(outside, 'file.asc'), own.path('link.asc'));
  symlinkSync(own.path('folder'), own.path('in'));
  chmodSync(own.path('folder'), 0o755);
}, null);

const start = (request: object) => bench.post(`${api}/logging`, request);

/** The state that an error must not change. */
const expectNothing = async (): Promise<void> => {
  expect(await bench.status('logging')).toMatchObject({ state: 'idle', file: null });
  expect(readdirSync(bench.project).sort()).toEqual(['folder', 'in', 'link.asc', 'out']);
  expect(readdirSync(bench.path('folder'))).toEqual([]);
  expect(readdirSync(outside)).toEqual([]);
  expect(await bench.consumerKinds('0')).toEqual([]);
};

describe('logging to a file outside the project', () => {
  it.each([
    '../a.asc',
    'folder/../../a.asc',
    '..',
    join(outside, 'a.asc'),
    '/a.asc',
    'out/a.asc',
    'out/../a.asc',
    'link.asc',
  ])('is refused and creates nothing: %s', async (file) => {
    for (const overwrite of [false, true]) {
      expect(refusedOverHttp(await start({ file, overwrite }))).toEqual({
        status: 403,
        code: 'path_outside_project',
        details: { field: 'file', path: file },
      });
    }
    const cli = refusedByCli(await bench.failure('logging', 'start', file));
    expect(cli).toEqual({
      exit: 1,
      code: 'path_outside_project',
      details: { field: 'file', path: file },
    });
    await expectNothing();
  });
});

describe('logging to a file that is named like a trace of another format', () => {
  it.each([
    'drive.blf',
    'folder/DRIVE.BLF',
    'drive.log',
    'a.b.Mf4',
    'drive.trc',
    'x.csv',
    'x.asc.gz',
  ])('is refused and creates nothing: %s', async (file) => {
    const details = { field: 'file', reason: 'other_format', path: file };
    for (const overwrite of [false, true]) {
      expect(refusedOverHttp(await start({ file, overwrite }))).toEqual({
        status: 400,
        code: 'invalid_argument',
        details,
      });
    }
    const cli = refusedByCli(await bench.failure('logging', 'start', file));
    expect(cli).toEqual({ exit: 2, code: 'invalid_argument', details });
    await expectNothing();
  });
});

describe('logging that cannot be', () => {
  it.each([
    [{}, 'file'],
    [{ file: '' }, 'file'],
    [{ file: 5 }, 'file'],
    [{ file: null }, 'file'],
    [{ file: 'a\u0000.asc' }, 'file'],
    [{ file: 'x'.repeat(4097) }, 'file'],
    [{ file: 'a.asc', format: 'BLF' }, 'format'],
    [{ file: 'a.asc', overwrite: 'yes' }, 'overwrite'],
    [{ file: 'a.asc', channels: '0' }, 'channels'],
    [{ file: 'a.asc', channels: [0] }, 'channels[0]'],
    [{ file: 'a.asc', channels: [''] }, 'channels[0]'],
    [{ file: 'a.asc', channels: Array(65).fill('0') }, 'channels'],
    [{ file: 'a.asc', channel: ['0'] }, 'channel'],
    [{ file: 'a.asc', size: 3 }, 'size'],
  ])('is refused with the field at fault: %j', async (request, field) => {
    expect(refusedOverHttp(await start(request))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
    await expectNothing();
  });

  it.each([
    ['SIM00001/1', 409, 'channel_not_open'],
    ['9', 404, 'channel_not_found'],
    ['nobody', 404, 'channel_not_found'],
    ['SIM00001/x', 400, 'invalid_channel_selector'],
  ])('is refused for the channel %s with %i %s, also beside a good one', async (...row) => {
    const [channel, status, code] = row;
    for (const channels of [[channel], ['0', channel]]) {
      expect(refusedOverHttp(await start({ file: 'a.asc', channels }))).toMatchObject({
        status,
        code,
        details: { field: 'channels', channel },
      });
    }
    const args = ['logging', 'start', 'a.asc', `--channel=${channel}`];
    expect(refusedByCli(await bench.failure(...args))).toMatchObject({
      code,
      details: { channel },
    });
    await expectNothing();
  });

  it.each([
    ['absent/a.asc', 404, 'file_not_found'],
    ['folder', 409, 'file_unavailable'],
    ['in', 409, 'file_unavailable'],
  ])('is refused where the file cannot be: %s', async (file, status, code) => {
    const refused = refusedOverHttp(await start({ file, overwrite: true }));
    expect(refused).toMatchObject({ status, code, details: { field: 'file', path: file } });
    await expectNothing();
  });

  it.each([
    [[], 'file'],
    [['a.asc', '--channel='], 'channels[0]'],
    [['a.asc', '--overwrite=maybe'], 'overwrite'],
    [['a.asc', 'b.asc'], ''],
  ] as [string[], string][])('is refused on the command line: %j', async (args, field) => {
    const refused = refusedByCli(await bench.failure('logging', 'start', ...args));
    expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument' });
    if (field !== '') expect(String(refused.details.field)).toMatch(field.replace(/\[.*/, ''));
    await expectNothing();
  });
});
