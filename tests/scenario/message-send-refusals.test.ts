import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { api, refusedByCli, refusedOverHttp, shareChannelBench } from './support/channel-bench.ts';

const bench = shareChannelBench(async (own) => {
  await own.open('SIM00001/0', { name: 'engine' });
  await own.open('SIM00001/2', { name: 'classic', bus: 'can' });
  await own.open('SIM00001/3', { name: 'deaf', mode: 'listen_only' });
});

/** Frames that no CAN channel can send: the request, and the wrong field. */
const impossible: [request: object, field: string][] = [
  [{}, 'id'],
  [{ data: '00' }, 'id'],
  [{ id: 0x800 }, 'id'],
  [{ id: 0x20000000, extended: true }, 'id'],
  [{ id: -1 }, 'id'],
  [{ id: 1.5 }, 'id'],
  [{ id: '1x' }, 'id'],
  [{ id: '0123' }, 'id'],
  [{ id: '800', extended: false }, 'extended'],
  [{ id: null }, 'id'],
  [{ id: 1, data: '112233445566778899' }, 'data'],
  [{ id: 1, data: '1' }, 'data'],
  [{ id: 1, data: '0g' }, 'data'],
  [{ id: 1, data: '1 2' }, 'data'],
  [{ id: 1, data: [1, 2] }, 'data'],
  [{ id: 1, data: '00'.repeat(300) }, 'data'],
  [{ id: 1, fd: true, data: '00'.repeat(9) }, 'data'],
  [{ id: 1, fd: true, data: '00'.repeat(65) }, 'data'],
  [{ id: 1, dlc: 3, data: '0102' }, 'dlc'],
  [{ id: 1, dlc: 9, data: '0102' }, 'dlc'],
  [{ id: 1, dlc: 16 }, 'dlc'],
  [{ id: 1, dlc: -1 }, 'dlc'],
  [{ id: 1, fd: true, dlc: 9, data: '00'.repeat(8) }, 'dlc'],
  [{ id: 1, brs: true }, 'brs'],
  [{ id: 1, esi: true }, 'esi'],
  [{ id: 1, fd: 'yes' }, 'fd'],
  [{ id: 1, extended: 1 }, 'extended'],
  [{ id: 1, type: 'remote', fd: true }, 'fd'],
  [{ id: 1, type: 'remote', data: '00' }, 'data'],
  [{ id: 1, type: 'master-write', data: '00' }, 'type'],
  [{ id: 1, type: 'master-read' }, 'type'],
  [{ type: 'sync-break' }, 'type'],
  [{ id: 1, type: 'DATA' }, 'type'],
  [{ id: 1, type: 'error' }, 'type'],
  [{ id: 1, type: null }, 'type'],
  [{ id: 1, checksum: 'classic' }, 'checksum'],
  [{ id: 1, checksum: 'crc' }, 'checksum'],
  [{ id: 1, count: 0 }, 'count'],
  [{ id: 1, count: '5' }, 'count'],
  [{ id: 1, count: 2 ** 31 }, 'count'],
  [{ id: 1, cycle_us: -1 }, 'cycle_us'],
  [{ id: 1, cycle_us: 0.5 }, 'cycle_us'],
  [{ id: 1, timeout_ms: 0 }, 'timeout_ms'],
  [{ id: 1, timeout_ms: 60_001 }, 'timeout_ms'],
  [{ id: 1, colour: 'red' }, 'colour'],
  // The command line's own notation; over HTTP a frame has fields.
  [{ frame: '123#DEADBEEF' }, 'frame'],
];

describe('a frame that cannot be sent', () => {
  it.each(['1.0000000000000000001', '0.99999999999999999999', '1e-400'])(
    'has an identifier that only rounds to an integer: %s',
    async (id) => {
      const answer = await ask({
        port: bench.port,
        method: 'POST',
        path: `${api}/messages`,
        headers: { 'content-type': 'application/json' },
        body: `{"channel":"engine","id":${id}}`,
      });
      expect(refusedOverHttp(answer)).toMatchObject({
        status: 400,
        code: 'invalid_argument',
        details: { field: 'id', channel: 'engine' },
      });
    },
  );

  it.each(impossible)(
    'is refused with the field, and keeps its channel: %j',
    async (more, field) => {
      const refused = refusedOverHttp(await bench.send({ channel: 'engine', ...more }));
      expect(refused).toMatchObject({
        status: 400,
        code: 'invalid_argument',
        details: { field, channel: 'engine' },
      });
    },
  );

  it.each([
    [{ id: 1, fd: true }, 'fd'],
    [{ id: 1, fd: true, brs: true }, 'fd'],
    [{ id: 1, brs: true }, 'brs'],
    [{ id: 1, esi: true }, 'esi'],
  ])('is refused on a channel without CAN FD: %j', async (more, field) => {
    const refused = refusedOverHttp(await bench.send({ channel: 'classic', ...more }));
    expect(refused).toMatchObject({ status: 400, details: { field, channel: 'classic' } });
  });

  it.each([
    ['a missing channel', { id: 1 }],
    ['a number', { channel: 0, id: 1 }],
    ['an empty text', { channel: '', id: 1 }],
    ['a list', { channel: ['engine'], id: 1 }],
    ['a text that is too long', { channel: 'x'.repeat(201), id: 1 }],
  ])('is refused for its channel where that is %s', async (_, request) => {
    const refused = refusedOverHttp(await bench.send(request));
    expect(refused).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'channel' },
    });
  });

  it('is refused by a channel that only listens', async () => {
    const expected = {
      code: 'channel_cannot_send',
      details: {
        channel: 'deaf',
        selector_kind: 'name',
        reason: 'listen_only',
        accepted: 0,
        failed_index: 0,
      },
    };
    const web = refusedOverHttp(await bench.send({ channel: 'deaf', id: 1 }));
    expect(web).toEqual({ status: 409, ...expected });
    const cli = refusedByCli(await bench.failure('message', 'send', 'deaf', '001#'));
    expect(cli).toEqual({ exit: 1, ...expected });
  });

  it('is refused over HTTP where its batch would last longer than a minute', async () => {
    const pace = { channel: 'engine', id: 1, count: 60_001, cycle_us: 1000 };
    expect(refusedOverHttp(await bench.send(pace))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'count', limit_us: 60_000_000, channel: 'engine' },
    });
    const { limits } = (await bench.get(`${api}/capabilities`)).json();
    expect(limits.http_batch_us).toBe(60_000_000);
  });

  it('is refused where the request is no POST', async () => {
    const answer = await ask({ port: bench.port, path: `${api}/messages` });
    expect(refusedOverHttp(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers.allow).toBe('POST');
  });
});

/** Arguments after the channel, and the wrong field. */
const lines: [args: string[], field: string][] = [
  [['800#'], 'frame'],
  [['1234#'], 'frame'],
  [['#00'], 'frame'],
  [['xyz#00'], 'frame'],
  [['20000000#00'], 'frame'],
  [['20000004#0000000000000000'], 'frame'],
  [['123#1'], 'frame'],
  [['123#112233445566778899'], 'frame'],
  [['123#R9'], 'frame'],
  [['123#1122_E'], 'frame'],
  [['123#1122334455667788_8'], 'frame'],
  [['123##'], 'frame'],
  [['123##8'], 'frame'],
  [['123##0112233445566778899'], 'frame'],
  [['123#00', '--id=1'], 'frame'],
  [[], 'id'],
];

describe('a command line that cannot be sent', () => {
  it.each(lines)(
    'is refused with its part at fault, and keeps its channel: %j',
    async (args, field) => {
      const refused = refusedByCli(await bench.failure('message', 'send', 'engine', ...args));
      expect(refused).toMatchObject({
        exit: 2,
        code: 'invalid_argument',
        details: { field, channel: 'engine' },
      });
    },
  );
});

describe('all that was refused', () => {
  it('has sent nothing', async () => {
    for (const channel of ['engine', 'classic', 'deaf']) {
      expect(await bench.stats(channel)).toMatchObject({
        tx_frames: 0,
        tx_pending: 0,
        tx_failed: 0,
      });
    }
  });
});
