import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0', { name: 'left' });
  await own.open('SIM00001/4', { name: 'lin' });
});

const good = { listen: '127.0.0.1:0', peer: ['127.0.0.1:20001'], channels: ['left'] };
const start = (request: object) => bench.post(`${api}/remote-api`, { ...good, ...request });

const expectNothing = async (): Promise<void> => {
  expect(await bench.status('remote-api')).toMatchObject({
    state: 'idle',
    listen: null,
    peers: [],
  });
  expect(await bench.consumerKinds('left')).toEqual([]);
};

const impossible: [request: object, field: string][] = [
  [{ peer: undefined }, 'peer'],
  [{ peer: [] }, 'peer'],
  [{ peer: '127.0.0.1:20001' }, 'peer'],
  [{ peer: [20_001] }, 'peer[0]'],
  [{ peer: [''] }, 'peer[0]'],
  [{ peer: Array.from({ length: 17 }, (_, index) => `127.0.0.1:${20_001 + index}`) }, 'peer'],
  [{ peer: ['127.0.0.1'] }, 'peer'],
  [{ peer: ['127.0.0.1:'] }, 'peer'],
  [{ peer: [':20001'] }, 'peer'],
  [{ peer: ['127.0.0.1:port'] }, 'peer'],
  [{ peer: ['127.0.0.1:0'] }, 'peer'],
  [{ peer: ['127.0.0.1:65536'] }, 'peer'],
  [{ peer: ['127.0.0.1:-1'] }, 'peer'],
  [{ peer: ['127.0.0.1:1:2'] }, 'peer'],
  [{ peer: ['::1:20001'] }, 'peer'],
  [{ peer: ['[::1]:20001'] }, 'peer'],
  [{ peer: ['no host:20001'] }, 'peer'],
  [{ peer: ['udp://127.0.0.1:20001'] }, 'peer'],
  [{ peer: ['127.0.0.1:20001', '127.0.0.1:20001'] }, 'peer'],
  [{ peer: ['127.0.0.1:20001', 'localhost:20001'] }, 'peer'],
  [{ listen: '' }, 'listen'],
  [{ listen: 20_000 }, 'listen'],
  [{ listen: '127.0.0.1' }, 'listen'],
  [{ listen: '127.0.0.1:70000' }, 'listen'],
  [{ listen: '[127.0.0.1]:0' }, 'listen'],
  [{ channels: undefined }, 'channels'],
  [{ channels: [] }, 'channels'],
  [{ channels: 'left' }, 'channels'],
  [{ channels: [0] }, 'channels[0]'],
  [{ channels: Array(17).fill('left') }, 'channels'],
  [{ channels: ['left', 'SIM00001/0'] }, 'channels'],
  [{ channels: ['lin'] }, 'channels'],
  [{ channels: ['left', 'lin'] }, 'channels'],
  [{ max_age_ms: 0 }, 'max_age_ms'],
  [{ max_age_ms: 3_600_001 }, 'max_age_ms'],
  [{ max_age_ms: '5' }, 'max_age_ms'],
  [{ max_age_ms: null }, 'max_age_ms'],
  [{ buffer_us: -1 }, 'buffer_us'],
  [{ buffer_us: 1_000_001 }, 'buffer_us'],
  [{ buffer_us: 0.5 }, 'buffer_us'],
  [{ peers: ['127.0.0.1:1'] }, 'peers'],
];

describe('remote forwarding that cannot be', () => {
  it.each(impossible)('is refused with the field at fault: %j', async (request, field) => {
    expect(refusedOverHttp(await start(request))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
    await expectNothing();
  });

  it.each([
    ['SIM00001/1', 409, 'channel_not_open'],
    ['17', 409, 'channel_not_open'],
    ['nobody', 409, 'channel_not_open'],
    ['SIM00001/x', 400, 'invalid_channel_selector'],
  ])('is refused for the channel %s with %i %s, also beside a good one', async (...row) => {
    const [channel, status, code] = row;
    for (const channels of [[channel], ['left', channel]]) {
      const refused = refusedOverHttp(await start({ channels }));
      expect(refused).toMatchObject({ status, code, details: { field: 'channels', channel } });
    }
    const args = ['remote', 'start', '--peer=127.0.0.1:20001', '--listen=127.0.0.1:0'];
    const cli = refusedByCli(await bench.failure(...args, `--channel=${channel}`));
    expect(cli).toMatchObject({ code, details: { channel } });
    await expectNothing();
  });

  it('is refused on a port that another program has', async () => {
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const listen = `127.0.0.1:${socket.address().port}`;
    expect(refusedOverHttp(await start({ listen }))).toMatchObject({
      status: 409,
      code: 'address_in_use',
      details: { field: 'listen', listen },
    });
    const args = [`--listen=${listen}`, '--peer=127.0.0.1:20001', '--channel=left'];
    const cli = refusedByCli(await bench.failure('remote', 'start', ...args));
    expect(cli).toMatchObject({ exit: 1, code: 'address_in_use' });
    await expectNothing();
  });

  it('is refused on an address that is not of this machine', async () => {
    const listen = '203.0.113.1:0';
    const refused = refusedOverHttp(await start({ listen, peer: ['203.0.113.2:20001'] }));
    expect(refused).toMatchObject({ code: 'listen_failed', details: { field: 'listen', listen } });
    await expectNothing();
  });

  it('is refused with itself as its peer', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const own = `127.0.0.1:${socket.address().port}`;
    socket.close();
    await once(socket, 'close');
    expect(refusedOverHttp(await start({ listen: own, peer: [own] }))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'peer' },
    });
    await expectNothing();
    expect((await start({ listen: own })).status).toBe(201);
    await bench.end('remote-api');
  });

  it.each([
    [['--channel=left'], 'peer'],
    [['--peer=127.0.0.1:20001'], 'channels'],
    [['--peer=127.0.0.1', '--channel=left', '--listen=127.0.0.1:0'], 'peer'],
    [['--peer=127.0.0.1:1', '--channel=left', '--listen=nowhere'], 'listen'],
    [['--peer=127.0.0.1:1', '--channel=left', '--max-age-ms=0'], 'max_age_ms'],
    [['--peer=127.0.0.1:1', '--channel=left', '--buffer-us=2s'], 'buffer_us'],
    [['--peer=127.0.0.1:1', '--channel=lin', '--listen=127.0.0.1:0'], 'channels'],
  ] as [string[], string][])('is refused on the command line: %j', async (args, field) => {
    const refused = refusedByCli(await bench.failure('remote', 'start', ...args));
    expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument', details: { field } });
    await expectNothing();
  });
});
