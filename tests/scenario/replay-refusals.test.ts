import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const outside = mkdtempSync(join(tmpdir(), 'busbar-outside-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const log = '(1767225600.000100) can0 123#01\n';
const asc = [
  'date Thu Jan 1 12:00:00.000 am 2026',
  'base hex  timestamps absolute',
  '   0.100000 1  123             Rx   d 1 01',
  '',
].join('\n');

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0');
  await own.open('SIM00001/1');
  own.write('a.log', log);
  own.write('a.asc', asc);
  own.write('relative.log', '(0000000000.000100) can0 123#01\n');
  own.write('empty', '');
  own.write('text.asc', 'Dear diary,\ntoday nothing happened.\n');
  own.write(
    'noise.blf',
    Uint8Array.from({ length: 4096 }, (_, index) => (index * 89) & 0xff),
  );
  own.write('short.blf', 'LOGG');
  mkdirSync(own.path('folder'));
  writeFileSync(join(outside, 'a.log'), log);
  symlinkSync(outside, own.path('out'));
  symlinkSync(join(outside, 'a.log'), own.path('link.log'));
}, null);

const start = (request: object) => bench.post(`${api}/replay`, request);
const good = { file: 'a.log', channels: { 1: '0' } };

const expectNothing = async (): Promise<void> => {
  expect(await bench.status('replay')).toMatchObject({ state: 'idle', file: null, frames_sent: 0 });
  expect(await bench.events('1')).toEqual([]);
};

describe('a replay that cannot be', () => {
  it.each([
    [{ file: undefined }, 'file'],
    [{ file: '' }, 'file'],
    [{ file: 7 }, 'file'],
    [{ file: 'a\u0000' }, 'file'],
    [{ channels: undefined }, 'channels'],
    [{ channels: {} }, 'channels'],
    [{ channels: ['0'] }, 'channels'],
    [{ channels: null }, 'channels'],
    [{ channels: '1=0' }, 'channels'],
    [{ channels: { 1: 0 } }, 'channels.1'],
    [{ channels: { 1: '' } }, 'channels.1'],
    [{ speed: 0 }, 'speed'],
    [{ speed: -1 }, 'speed'],
    [{ speed: 1001 }, 'speed'],
    [{ speed: '2' }, 'speed'],
    [{ loop: 1 }, 'loop'],
    [{ start_offset_us: -1 }, 'start_offset_us'],
    [{ start_offset_us: 1.5 }, 'start_offset_us'],
    [{ map: ['1=0'] }, 'map'],
    [{ offset: 5 }, 'offset'],
    [{ file: 'a.asc', channels: { 0: '0' } }, 'channels'],
    [{ file: 'a.asc', channels: { can0: '0' } }, 'channels'],
    [{ file: 'a.asc', channels: { 1: '0', '01': '0' } }, 'channels'],
    [{ file: 'a.asc', channels: { 1: '0', 2: '0' } }, 'channels'],
    [{ file: 'a.asc', channels: { L1: '0' } }, 'channels'],
    [{ file: 'a.log', channels: { can1: '0' } }, 'channels'],
    [{ files: ['a.log'] }, 'files'],
    [{ file: undefined, files: [] }, 'files'],
    [{ file: undefined, files: ['a.log', ''] }, 'files[1]'],
    [{ file: undefined, files: ['a.log', 'relative.log'] }, 'files[1]'],
    [{ file: undefined, files: ['a.log', 'a.asc'], channels: { '2:L1': '0' } }, 'channels'],
    [{ filter: 'fram 123' }, 'filter'],
    [{ filter: 'frame 123 on can0' }, 'filter'],
    [{ filter: 'signal Engine.Speed > 3' }, 'filter'],
    [{ ids: { 123: 124 } }, 'ids.123'],
    [{ ids: { 123: '0124' } }, 'ids'],
    [{ loop: true, repeat: { count: 2 } }, 'repeat'],
    [{ repeat: {} }, 'repeat.count'],
    [{ repeat: { count: 0 } }, 'repeat.count'],
    [{ repeat: { count: 2, pause_us: -1 } }, 'repeat.pause_us'],
  ])('is refused with the field at fault: %j', async (request, field) => {
    expect(refusedOverHttp(await start({ ...good, ...request }))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
    await expectNothing();
  });

  it.each([
    ['SIM00001/2', 409, 'channel_not_open'],
    ['42', 409, 'channel_not_open'],
    ['nobody', 409, 'channel_not_open'],
    ['SIM00001/', 400, 'invalid_channel_selector'],
  ])('is refused onto %s with %i %s, also beside a good one', async (channel, status, code) => {
    for (const channels of [{ 1: channel }, { 1: '0', 2: channel }]) {
      const refused = refusedOverHttp(await start({ file: 'a.log', channels }));
      expect(refused).toMatchObject({ status, code, details: { field: 'channels', channel } });
    }
    const cli = await bench.failure('replay', 'start', 'a.log', `--map=1=${channel}`);
    expect(refusedByCli(cli)).toMatchObject({ code, details: { channel } });
    await expectNothing();
  });

  it.each([
    ['absent.asc', 404, 'file_not_found'],
    ['absent/a.asc', 404, 'file_not_found'],
    ['folder', 409, 'file_unavailable'],
    ['../a.log', 403, 'path_outside_project'],
    [join(outside, 'a.log'), 403, 'path_outside_project'],
    ['out/a.log', 403, 'path_outside_project'],
    ['link.log', 403, 'path_outside_project'],
    ['text.asc', 422, 'invalid_trace'],
    ['noise.blf', 422, 'invalid_trace'],
    ['short.blf', 422, 'invalid_trace'],
  ])('is refused of %s with %i %s', async (file, status, code) => {
    const refused = refusedOverHttp(await start({ ...good, file }));
    expect(refused).toMatchObject({ status, code, details: { field: 'file' } });
    const cli = refusedByCli(await bench.failure('replay', 'start', file, '--map=1=0'));
    expect(cli).toMatchObject({ exit: 1, code, details: { field: 'file' } });
    await expectNothing();
  });

  it('is refused onto a channel that the file lacks, and tells those it has', async () => {
    const refused = await bench.failure('replay', 'start', 'a.log', '--map=can1=0');
    expect(refused).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      message: 'a.log has no channel can1; available: can0',
      details: { field: 'channels', reason: 'no_such_channel', file_channels: ['can0'] },
    });
    await expectNothing();
  });

  it.each([
    [['--map=1=0'], 'files'],
    [['a.log'], 'map'],
    [['a.log', '--map=1'], 'map'],
    [['a.log', '--map==0'], 'map'],
    [['a.log', '--map=1='], 'map'],
    [['a.log', '--map='], 'map'],
    [['a.log', '--map=1=0', '--map=1=1'], 'map'],
    [['a.log', '--map=1=0', '--speed=fast'], 'speed'],
    [['a.log', '--map=1=0', '--speed=0'], 'speed'],
    [['a.log', '--map=1=0', '--loop=perhaps'], 'loop'],
    [['a.log', '--map=1=0', '--start-offset-us=-1'], 'start_offset_us'],
    [['a.log', '--channels=1=0'], '--channels'],
    [['a.log', '--map=1=0', '--filter=frame'], 'filter'],
    [['a.log', '--map=1=0', '--loop', '--repeat=count=2'], 'repeat'],
    [['a.log', '--map=1=0', '--repeat=often=2'], 'repeat.often'],
    [['a.log', '--map=1=0', '--ids=0123=1'], 'ids'],
    [['a.log', 'a.asc', '--map=3:1=0'], 'channels'],
  ] as [string[], string][])('is refused on the command line: %j', async (args, field) => {
    const refused = refusedByCli(await bench.failure('replay', 'start', ...args));
    expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument', details: { field } });
    await expectNothing();
  });

  it('is refused of a file without anything in it', async () => {
    const refused = refusedOverHttp(await start({ ...good, file: 'empty' }));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_trace' });
    await expectNothing();
  });
});
