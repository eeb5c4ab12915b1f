import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../support/workbench.ts';
import { idsOf, range, StreamBench } from './support/stream-bench.ts';

const frames = 300;

describe('history of two channels, 300 frames each', () => {
  const workbench = new Workbench();
  let bench: StreamBench;

  beforeAll(async () => {
    bench = await StreamBench.start({ ports: [0, 1, 2, 3] }, workbench);
    await bench.send(0, frames);
    await bench.send(2, frames);
  });
  afterAll(() => workbench.dispose());

  it('is complete and in order of event ids, page by page until one is empty', async () => {
    const { events, sizes } = await bench.pages('limit=500');
    expect(idsOf(events)).toEqual(range(1, 4 * frames));
    expect(sizes).toEqual([500, 500, 200]);
  });

  it('gives the 256 oldest events where neither a limit nor a cursor is named', async () => {
    const { events, next_after } = await bench.history('');
    expect(idsOf(events)).toEqual(range(1, 256));
    expect(next_after).toBe(256);
  });

  it('gives 256 events behind a cursor where no limit is named', async () => {
    expect(idsOf((await bench.history('after=300')).events)).toEqual(range(301, 556));
  });

  it('answers the last page with where to go on, and stays there while nothing comes', async () => {
    const { events, next_after } = await bench.history(`after=${4 * frames}`);
    expect({ events, next_after }).toEqual({ events: [], next_after: 4 * frames });
  });

  it.each([
    ['selector', 'channel=SIM00001/1', [1]],
    ['uid', 'channel=sim-0000-0001/1', [1]],
    ['slot', 'channel=1', [1]],
    ['an encoded selector', 'channel=SIM00001%2F1', [1]],
    ['two channels', 'channel=SIM00001/1&channel=SIM00001/2', [1, 2]],
    ['two names of one channel', 'channel=SIM00001/1&channel=1', [1]],
    ['all four in any order', 'channel=3&channel=1&channel=0&channel=2', [0, 1, 2, 3]],
  ])('of %s is that of these channels alone', async (_, query, slots) => {
    const { events } = await bench.pages(`limit=1000&${query}`);
    expect(new Set(events.map(({ channel }) => channel))).toEqual(new Set(slots));
    expect(events).toHaveLength(slots.length * frames);
    expect(idsOf(events)).toEqual(idsOf(events).sort((a, b) => a - b));
    for (const slot of slots) {
      const own = events.filter(({ channel }) => channel === slot);
      expect(own.map((event) => event.source_sequence)).toEqual(range(1, frames));
      expect(new Set(own.map(({ selector }) => selector))).toEqual(new Set([`SIM00001/${slot}`]));
    }
  });

  it('has bounds that belong to the channels asked for', async () => {
    expect(await bench.history('channel=0&limit=1')).toMatchObject({
      oldest_available: 1,
      newest_available: 2 * frames - 1,
    });
    expect(await bench.history('channel=3&limit=1')).toMatchObject({
      oldest_available: 2 * frames + 2,
      newest_available: 4 * frames,
    });
  });

  it('tells which life of the Web service it belongs to, in every event', async () => {
    const { service } = (await bench.get('/info')).json();
    const page = await bench.history('limit=4096');
    expect(page.stream_epoch).toBe(service.stream_epoch);
    expect(new Set(page.events.map((event) => event.stream_epoch))).toEqual(
      new Set([service.stream_epoch]),
    );
  });

  it('is the same over the CLI', async () => {
    const query = ['--channel=SIM00001/0', '--channel=SIM00001/3', '--after=590', '--limit=20'];
    expect(await workbench.json('message', 'history', ...query)).toEqual(
      await bench.history('channel=SIM00001/0&channel=SIM00001/3&after=590&limit=20'),
    );
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=4097', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['after=-1', 'after'],
    ['after=1e3', 'after'],
    ['after=0x10', 'after'],
    ['after=9007199254740993', 'after'],
    ['after=1&after=2', 'after'],
    ['after=', 'after'],
    ['since=1', 'since'],
    ['channel=', 'channel[0]'],
    ['channel=a%00b', 'channel'],
    [
      range(0, 64)
        .map(() => 'channel=0')
        .join('&'),
      'channel',
    ],
  ])('is refused to %s, with the field named', async (query, field) => {
    const answer = await bench.get(`/messages/history?${query}`);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json().error).toMatchObject({ code: 'invalid_argument', details: { field } });
  });

  it.each([
    ['SIM00001/', 400, 'invalid_channel_selector'],
    ['SIM00001/x', 400, 'invalid_channel_selector'],
    ['SIM00001/9', 404, 'channel_not_found'],
    ['nobody', 404, 'channel_not_found'],
    ['99', 404, 'channel_not_found'],
    ['SIM00001/4', 409, 'channel_not_open'],
  ])('of the channel %s is refused with %i %s, also beside a good one', async (...row) => {
    const [channel, status, code] = row;
    for (const query of [`channel=${channel}`, `channel=0&channel=${channel}`]) {
      const answer = await bench.get(`/messages/history?${query}`);
      expect(answer.status, answer.text).toBe(status);
      expect(answer.json().error).toMatchObject({ code, details: { channel } });
    }
  });
});
