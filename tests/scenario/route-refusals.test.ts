import { describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { setUpTransmitBench, shareTransmitBench } from './support/transmit-bench.ts';

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0', { name: 'left' });
  await own.open('SIM00001/2', { name: 'right' });
  await own.open('SIM00001/4', { name: 'lin' });
});

const source = { channel: 'left', id: 0x120 };
const target = { channel: 'right' };

const impossible: [request: object, field: string][] = [
  [{ source: undefined }, 'source'],
  [{ target: undefined }, 'target'],
  [{ source: null }, 'source'],
  [{ source: 'left' }, 'source'],
  [{ source: { id: 1 } }, 'source.channel'],
  [{ source: { channel: 'left' } }, 'source.id'],
  [{ source: { ...source, id: 0x800 } }, 'source.id'],
  [{ source: { ...source, id: -1 } }, 'source.id'],
  [{ source: { ...source, id: 'x' } }, 'source.id'],
  [{ source: { ...source, id: '0123' } }, 'source.id'],
  [{ source: { ...source, id: '800', extended: false } }, 'source.extended'],
  [{ source: { ...source, mask: 0x800 } }, 'source.mask'],
  [{ source: { ...source, mask: 1.5 } }, 'source.mask'],
  [{ source: { ...source, extended: 1 } }, 'source.extended'],
  [{ source: { ...source, id: 0x2000_0000, extended: true } }, 'source.id'],
  [{ source: { ...source, fd: true } }, 'source.fd'],
  [{ target: {} }, 'target.channel'],
  [{ target: { ...target, id: 0x800 } }, 'target.id'],
  [{ target: { ...target, id: null } }, 'target.id'],
  [{ target: { ...target, mask: 1 } }, 'target.mask'],
  [{ target: { channel: 'SIM00001/0' } }, 'target.channel'],
  [{ source: { ...source, channel: 'lin' } }, 'source.channel'],
  [{ target: { channel: 'lin' } }, 'target.channel'],
  [{ name: 'x' }, 'name'],
  [{ source_channel: 'left' }, 'source_channel'],
];

describe('a route that cannot be', () => {
  it.each(impossible)('is refused with the field at fault: %j', async (request, field) => {
    const answer = await bench.post(`${api}/routes`, { source, target, ...request });
    expect(refusedOverHttp(answer)).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
    expect(await bench.status('routes')).toEqual({ routes: [] });
  });

  it.each([
    ['source', 'SIM00001/1', 409, 'channel_not_open'],
    ['target', 'SIM00001/1', 409, 'channel_not_open'],
    ['source', '77', 409, 'channel_not_open'],
    ['target', 'nobody', 409, 'channel_not_open'],
    ['target', 'x/y', 400, 'invalid_channel_selector'],
    ['source', 'a/b/c', 400, 'invalid_channel_selector'],
  ])('is refused to a %s of %s with %i %s', async (end, channel, status, code) => {
    const request =
      end === 'source'
        ? { source: { ...source, channel }, target }
        : { source, target: { channel } };
    expect(refusedOverHttp(await bench.post(`${api}/routes`, request))).toMatchObject({
      status,
      code,
      details: { field: `${end}.channel`, channel },
    });
    expect(await bench.status('routes')).toEqual({ routes: [] });
  });

  it.each([
    [[], 'source'],
    [['--source-channel=left', '--source-id=1'], 'target'],
    [['--source-id=1', '--target-channel=right'], 'source_channel'],
    [['--source-channel=left', '--target-channel=right'], 'source_id'],
    [['--source-channel=left', '--source-id=x', '--target-channel=right'], 'source_id'],
  ] as [string[], string][])('is refused on the command line: %j', async (args, field) => {
    const refused = refusedByCli(await bench.failure('route', 'add', ...args));
    expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument', details: { field } });
    expect(await bench.status('routes')).toEqual({ routes: [] });
  });

  it('cannot be removed, on both faces', async () => {
    const details = { route_id: 'route-9' };
    const code = 'route_not_found';
    expect(refusedOverHttp(await bench.delete('routes/route-9'))).toEqual({
      status: 404,
      code,
      details,
    });
    const cli = refusedByCli(await bench.failure('route', 'remove', 'route-9'));
    expect(cli).toEqual({ exit: 1, code, details });
  });

  it('is refused at the published limit, until one is removed', async () => {
    const own = await setUpTransmitBench(0, 2);
    const { routes: limit } = (await own.status('capabilities')).limits;
    const request = { source: { channel: '0', id: 1 }, target: { channel: '1' } };
    for (let count = 0; count < limit; count++) await own.create('routes', request);
    expect(refusedOverHttp(await own.post(`${api}/routes`, request))).toMatchObject({
      status: 409,
      code: 'capacity_exceeded',
      details: { limit },
    });
    expect((await own.status('routes')).routes).toHaveLength(limit);
    await own.end('routes/route-1');
    expect(await own.create('routes', request)).toMatchObject({ route_id: `route-${limit + 1}` });
  });
});
