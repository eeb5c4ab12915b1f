import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import {
  api,
  borrowChannelBench,
  channelPath,
  refusedByCli,
  refusedOverHttp,
  setUpChannelBench,
} from './support/channel-bench.ts';

describe('a port', () => {
  it('has one channel at a time, by whatever name it is opened', async () => {
    const bench = await borrowChannelBench();
    const { slot } = await bench.open('SIM00001/0');
    const kinds: [channel: string, kind: string][] = [
      ['SIM00001/0', 'serial'],
      ['sim-0000-0001/0', 'uid'],
    ];
    for (const [channel, kind] of kinds) {
      const details = { channel, selector_kind: kind, slot };
      const web = refusedOverHttp(await bench.post(`${api}/channels`, { channel }));
      expect(web).toEqual({ status: 409, code: 'already_exists', details });
      const cli = refusedByCli(await bench.failure('channel', 'open', channel));
      expect(cli).toEqual({ exit: 1, code: 'already_exists', details });
    }
  });

  it('goes to exactly one of those who open it at once', async () => {
    const bench = await borrowChannelBench();
    const request = { channel: 'SIM00001/0' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bench.post(`${api}/channels`, request)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await bench.get(`${api}/channels`)).json().channels).toHaveLength(1);
  });
});

describe('the name of a channel', () => {
  it('is taken as long as the channel is open', async () => {
    const bench = await borrowChannelBench();
    await bench.open('SIM00001/0', { name: 'engine' });
    const again = { channel: 'SIM00001/1', name: 'engine' };
    const refused = refusedOverHttp(await bench.post(`${api}/channels`, again));
    expect(refused).toMatchObject({
      status: 409,
      code: 'already_exists',
      details: { field: 'name', name: 'engine', channel: 'SIM00001/1' },
    });
    await bench.remove('engine');
    expect(await bench.open('SIM00001/1', { name: 'engine' })).toMatchObject({ name: 'engine' });
  });
});

describe('a channel that is closed', () => {
  it('is answered as it last was, and is gone then', async () => {
    const bench = await borrowChannelBench();
    const opened = await bench.open('SIM00001/0', { name: 'engine', bitrate: 250_000 });
    const closed = await bench.remove('SIM00001/0');
    expect(closed.status).toBe(200);
    expect(closed.json()).toEqual({ ...opened, state: 'closing' });
    for (const selector of ['SIM00001/0', 'sim-0000-0001/0', 'engine', String(opened.slot)]) {
      for (const answer of [
        await bench.get(channelPath(selector)),
        await bench.get(channelPath(selector, '/stats')),
        await bench.patch(selector, { mode: 'normal' }),
        await bench.remove(selector),
      ]) {
        expect(refusedOverHttp(answer)).toMatchObject({
          status: 404,
          code: 'channel_not_found',
          details: { channel: selector },
        });
      }
    }
    expect((await bench.get(`${api}/channels`)).json()).toEqual({ channels: [] });
  });

  it('is closed once, by the client that asks first', async () => {
    const bench = await borrowChannelBench();
    const { slot } = await bench.open('SIM00001/0');
    const answers = await Promise.all(Array.from({ length: 6 }, () => bench.remove(String(slot))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(5).fill(404)]);
  });

  it('leaves its slot number unused for good', async () => {
    const bench = await borrowChannelBench();
    const { slot: first } = await bench.open('SIM00001/0');
    const [second, third] = [first + 1, first + 2];
    expect(await bench.open('SIM00001/1')).toMatchObject({ slot: second });
    await bench.json('channel', 'close', String(first));
    expect(await bench.open('SIM00001/0')).toMatchObject({ slot: third });
    await bench.remove(String(third));
    await bench.remove(String(second));
    expect(await bench.json('channel', 'open', 'SIM00001/1')).toMatchObject({ slot: third + 1 });
    const gone = await bench.get(channelPath(String(second)));
    expect(refusedOverHttp(gone)).toMatchObject({ status: 404 });
  });

  it('takes its history with it', async () => {
    const bench = await borrowChannelBench();
    const { slot } = await bench.open('SIM00001/0', { mode: 'loopback' });
    await bench.send({ channel: String(slot), id: 1 });
    await eventually(async () => (await bench.events(String(slot))).length > 0);
    await bench.remove(String(slot));
    await bench.open('SIM00001/0', { mode: 'loopback' });
    expect(await bench.events('SIM00001/0')).toEqual([]);
  });

  it('stays open with its daemon when the Web service stops', async () => {
    const bench = await setUpChannelBench();
    const opened = await bench.open('SIM00001/0');
    await bench.json('web', 'stop');
    expect(await bench.json('channel', 'list')).toEqual({ channels: [opened] });
    await bench.start();
    expect(await bench.show('0')).toEqual(opened);
  });
});
