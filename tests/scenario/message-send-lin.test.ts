import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import {
  channelPath,
  refusedByCli,
  refusedOverHttp,
  setUpChannelBench,
  shareChannelBench,
} from './support/channel-bench.ts';

const enhanced = 1 << 8;
const checksumError = 1 << 9;
const noResponse = 1 << 10;
const syncBreak = 1 << 11;
const wakeUp = 1 << 12;
const sleep = 1 << 13;

const bench = shareChannelBench(async (own) => {
  await own.open('SIM00001/4', { name: 'master' });
  await own.open('SIM00001/5', { name: 'slave' });
}, null);

/** The events of a channel since an event id; waits for this many. */
const eventsSince = async (selector: string, after: number, count: number) => {
  await eventually(async () => (await bench.events(selector, after)).length >= count);
  const events = await bench.events(selector, after);
  expect(events).toHaveLength(count);
  return events;
};

const newest = async (): Promise<number> =>
  Math.max(
    0,
    ...(await bench.events('master')).map(({ event_id }) => event_id),
    ...(await bench.events('slave')).map(({ event_id }) => event_id),
  );

/** Request fields without the channel, and the frame that the slave receives. */
const writes: [request: object, heard: object][] = [
  [
    { id: 0x1a, data: '0102' },
    { id: 0x1a, dlc: 2, data: '0102', flags: enhanced, status: 0 },
  ],
  [
    { type: 'master-write', id: 0x3b, data: '1122334455667788', dlc: 8 },
    { id: 0x3b, dlc: 8, data: '1122334455667788', flags: enhanced },
  ],
  [
    { type: 'master-write', id: 0, data: 'FF', checksum: 'enhanced' },
    { id: 0, data: 'FF', flags: enhanced, status: 0 },
  ],
  // A diagnostic frame is classic with any channel setting.
  [
    { id: 0x3c, data: '0100000000000000' },
    { id: 0x3c, data: '0100000000000000', flags: 0, checksum: 0xfe, status: 0 },
  ],
  [{ type: 'sync-break' }, { id: 0, dlc: 0, data: '', flags: syncBreak }],
  // A slave that expects the enhanced model rejects the classic checksum.
  [
    { id: 1, data: '11', checksum: 'classic' },
    { data: '11', flags: enhanced | checksumError },
  ],
];

describe('a LIN master that sends', () => {
  it.each(writes)('is heard by the slave: %j', async (request, received) => {
    const before = await newest();
    const answer = await bench.send({ channel: 'SIM00001/4', ...request });
    expect(answer.json()).toMatchObject({ accepted: 1, slot: 0, response: null });
    const [event] = await eventsSince('slave', before, 1);
    expect(event).toMatchObject({ kind: 'rx_frame', bus: 'lin', channel: 1, ...received });
    const [sent] = await eventsSince('master', before, 1);
    expect(sent).toMatchObject({ kind: 'tx_complete', bus: 'lin', channel: 0 });
  });

  it('may write in short on the command line', async () => {
    for (const [text, id, data] of [
      ['1A#0102', 0x1a, '0102'],
      ['5#FF', 5, 'FF'],
    ] as const) {
      const before = await newest();
      await bench.json('message', 'send', 'master', text);
      const [event] = await eventsSince('slave', before, 1);
      expect(event).toMatchObject({ id, data });
    }
  });

  it('learns that nobody answered a read, over both faces', async () => {
    const before = await newest();
    const web = await bench.send({ channel: 'master', type: 'master-read', id: 0x21 });
    expect(refusedOverHttp(web)).toEqual({
      status: 504,
      code: 'hardware_timeout',
      details: {
        channel: 'master',
        selector_kind: 'name',
        reason: 'no_response',
        accepted: 1,
        failed_index: 0,
      },
    });
    const [event] = await eventsSince('master', before, 1);
    expect(event).toMatchObject({ id: 0x21, dlc: 0, data: '' });
    expect((event?.flags ?? 0) & noResponse).toBe(noResponse);
    expect(event?.status).not.toBe(0);
    const args = ['master', '--type=master-read', '--id=0x21', '--dlc=4'];
    const cli = refusedByCli(await bench.failure('message', 'send', ...args));
    expect(cli).toMatchObject({
      exit: 1,
      code: 'hardware_timeout',
      details: { channel: 'master', reason: 'no_response' },
    });
  });
});

describe('a LIN bus that sleeps', () => {
  const wake = (selector: string, body: object = {}) =>
    bench.post(channelPath(selector, '/wake'), body);

  it.each([
    ['slave', 'master', 1],
    ['master', 'slave', 0],
  ])('is woken by its %s, over both faces', async (one, other, slot) => {
    for (const face of ['http', 'cli']) {
      const asleep = await newest();
      await bench.json('message', 'send', 'master', '3C#00FFFFFFFFFFFFFF');
      const [received] = await eventsSince('slave', asleep, 1);
      expect(received).toMatchObject({ id: 0x3c, flags: sleep });
      await eventsSince('master', asleep, 1);
      const before = await newest();
      const answer =
        face === 'http'
          ? (await wake(one, { timeout_ms: 60_000 })).json()
          : await bench.json('channel', 'wake', one);
      expect(answer).toEqual({
        accepted: 1,
        channel: one,
        selector_kind: 'name',
        slot,
        resolved: null,
        response: null,
      });
      const [sent] = await eventsSince(one, before, 1);
      expect(sent).toMatchObject({ kind: 'tx_complete', id: 0, dlc: 0, flags: wakeUp });
      const [woken] = await eventsSince(other, before, 1);
      expect(woken).toMatchObject({ kind: 'rx_frame', id: 0, dlc: 0, flags: wakeUp, status: 0 });
    }
  });

  it('is not woken over a channel that is not open, that only listens, or that is CAN', async () => {
    expect(refusedOverHttp(await wake('SIM00001/2'))).toMatchObject({
      status: 409,
      code: 'channel_not_open',
      details: { channel: 'SIM00001/2' },
    });
    await bench.open('SIM00001/0', { name: 'can' });
    expect(refusedOverHttp(await wake('can'))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { channel: 'can', field: 'selector', reason: 'not_on_bus' },
    });
    await bench.remove('can');
    await bench.change('slave', { mode: 'listen_only' });
    expect(refusedByCli(await bench.failure('channel', 'wake', 'slave'))).toMatchObject({
      exit: 1,
      code: 'channel_cannot_send',
      details: { channel: 'slave', reason: 'listen_only' },
    });
    await bench.change('slave', { mode: 'normal' });
  });
});

/** Frames that LIN does not support: the request, and the wrong field. */
const impossible: [request: object, field: string][] = [
  [{ type: 'data', id: 1, data: '00' }, 'type'],
  [{ type: 'remote', id: 1 }, 'type'],
  [{ data: '00' }, 'id'],
  [{ id: 64, data: '00' }, 'id'],
  [{ id: 1 }, 'data'],
  [{ id: 1, data: '112233445566778899' }, 'data'],
  [{ id: 1, data: '00', dlc: 2 }, 'dlc'],
  [{ id: 1, data: '00', dlc: 9 }, 'dlc'],
  [{ id: 1, data: '00', extended: true }, 'extended'],
  [{ id: 1, data: '00', fd: true }, 'fd'],
  [{ id: 1, data: '00', brs: true }, 'brs'],
  [{ id: 1, data: '00', esi: true }, 'esi'],
  [{ id: 0x3c, data: '00', checksum: 'enhanced' }, 'checksum'],
  [{ type: 'master-read', id: 1, data: '00' }, 'data'],
  [{ type: 'master-read', id: 1, dlc: 9 }, 'dlc'],
  [{ type: 'master-read' }, 'id'],
  [{ type: 'sync-break', id: 3 }, 'id'],
  [{ type: 'sync-break', data: '00' }, 'data'],
  [{ type: 'sync-break', dlc: 1 }, 'dlc'],
  [{ type: 'sync-break', checksum: 'classic' }, 'checksum'],
];

describe('a LIN send that cannot be', () => {
  it.each(impossible)('is refused with the field at fault: %j', async (request, field) => {
    expect(refusedOverHttp(await bench.send({ channel: 'master', ...request }))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field, channel: 'master', selector_kind: 'name' },
    });
  });

  it('is refused in short notation that only CAN has', async () => {
    for (const text of ['123#11', '1A#', '1A#R', '1A##011', '40#00']) {
      const refused = refusedByCli(await bench.failure('message', 'send', 'master', text));
      expect({ text, ...refused }).toMatchObject({
        text,
        exit: 2,
        code: 'invalid_argument',
        details: { field: 'frame', channel: 'master' },
      });
    }
  });

  it.each(['master-write', 'master-read', 'sync-break'])(
    'is refused to a slave: %s',
    async (type) => {
      const more = { 'master-write': { id: 1, data: '00' }, 'master-read': { id: 1 } }[type];
      const refused = refusedOverHttp(await bench.send({ channel: 'slave', type, ...more }));
      expect(refused).toMatchObject({
        status: 409,
        code: 'channel_cannot_send',
        details: { channel: 'slave', reason: 'not_master' },
      });
    },
  );

  it('is refused while the master only listens, or has no power', async () => {
    const own = await setUpChannelBench();
    await own.open('SIM00001/4', { mode: 'listen_only' });
    const send = async () => refusedOverHttp(await own.send({ channel: '0', id: 1, data: '00' }));
    const code = 'channel_cannot_send';
    expect(await send()).toMatchObject({ status: 409, code, details: { reason: 'listen_only' } });
    await own.change('0', { mode: 'normal' });
    await own.change('0', { power: false });
    expect(await send()).toMatchObject({ status: 409, code, details: { reason: 'unpowered' } });
    const cli = refusedByCli(await own.failure('message', 'send', '0', '01#00'));
    expect(cli).toMatchObject({ exit: 1, code, details: { channel: '0', reason: 'unpowered' } });
  });
});
