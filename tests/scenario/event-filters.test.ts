import { beforeAll, describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { refusedByCli, refusedOverHttp, shareChannelBench } from './support/channel-bench.ts';
import { linesOf } from './support/stream-receivers.ts';

const frames = ['100#', '1FF#01', '200#', '00000100#02', '18FF50E5#', '100#03'];

const bench = shareChannelBench(async (opened) => {
  await opened.open('SIM00001/0', { name: 'sender' });
  await opened.open('SIM00001/1', { name: 'peer' });
});

/** Event ids of the frames at the peer, in the order above. */
let received: number[] = [];

beforeAll(async () => {
  for (const frame of frames) await bench.json('message', 'send', '--channel=sender', frame);
  await eventually(async () => (await bench.events('peer')).length >= frames.length);
  received = (await bench.events('peer')).map(({ event_id }) => event_id);
  expect(received).toHaveLength(frames.length);
});

const wanted = (...indexes: number[]): (number | undefined)[] =>
  indexes.map((index) => received[index]);

const query = 'after=0&id=100-1FF&direction=rx';
const chosen = () => wanted(0, 1, 5);

describe('a filter of identifiers and direction', () => {
  it.each<[string[], number[]]>([
    [['--id=100'], [0, 5]],
    [
      ['--id=100h', '--id=0x200'],
      [0, 2, 5],
    ],
    [['--id=00000100'], [3]],
    [['--id=100-1FF'], [0, 1, 5]],
    [['--id=18000000:1F000000'], [4]],
    [['--id=000:000'], [0, 1, 2, 5]],
    [[], [0, 1, 2, 3, 4, 5]],
  ])('is the same in history and in message recv: %j', async (options, indexes) => {
    const expected = wanted(...indexes);
    const args = ['--direction=rx', ...options];
    const { events } = await bench.json<{ events: { event_id: number }[] }>(
      ...(['message', 'history', ...args] as const),
    );
    expect(events.map(({ event_id }) => event_id)).toEqual(expected);

    const recv = ['message', 'recv', '--after=0', `--count=${expected.length}`, ...args];
    const { stdout } = await bench.ask([...recv, '--format=jsonl']);
    expect(linesOf(stdout).map((line) => JSON.parse(line).event_id)).toEqual(expected);
  });

  it('holds for history over HTTP, whose next page begins behind what was looked at', async () => {
    const page = (await bench.get(`/api/v1/messages/history?${query}&limit=2`)).json();
    expect(page.events.map((event: { event_id: number }) => event.event_id)).toEqual(wanted(0, 1));
    expect(page).toMatchObject({ next_after: received[1], has_more: true });
    const rest = `after=${page.next_after}&id=100-1FF&direction=rx`;
    const last = (await bench.get(`/api/v1/messages/history?${rest}`)).json();
    expect(last.events.map((event: { event_id: number }) => event.event_id)).toEqual(wanted(5));
    expect(last).toMatchObject({ next_after: last.newest_available, has_more: false });
  });

  it('holds for both streams, in which what was not asked for is no gap', async () => {
    const sse = await SseClient.open({
      port: bench.port,
      path: `/api/v1/messages/stream?${query}`,
    });
    const events = await sse.take(3);
    expect(events.map(({ event, id }) => [event, Number(id)])).toEqual(
      chosen().map((id) => ['message', id]),
    );
    const frameClient = await FrameClient.open({
      port: bench.port,
      path: `/api/v1/messages/ws?${query}`,
    });
    const items = await frameClient.take(3);
    expect(items.map((item) => ('record' in item ? item.record.eventId : item))).toEqual(chosen());
  });

  it.each([
    ['nonsense', 'id[0]'],
    ['1FF-100', 'id[0]'],
    ['0100', 'id[0]'],
  ])('is refused by every face where it makes no sense: %s', async (id, field) => {
    const http = refusedOverHttp(await bench.get(`/api/v1/messages/history?id=${id}`));
    expect(http).toMatchObject({ status: 400, code: 'invalid_argument', details: { field } });
    const sse = refusedOverHttp(await bench.get(`/api/v1/messages/stream?id=${id}`));
    expect(sse).toMatchObject({ status: 400, code: 'invalid_argument', details: { field } });
    const cli = refusedByCli(await bench.failure('message', 'recv', `--id=${id}`));
    expect(cli).toMatchObject({ exit: 2, code: 'invalid_argument' });
    expect(String(cli.details.field)).toMatch(/^id/);
  });

  it('is told over HTTP what only a command knows', async () => {
    const time = refusedOverHttp(await bench.get('/api/v1/messages/history?time=delta'));
    expect(time.details).toMatchObject({ field: 'time', reason: 'unknown_field' });
  });

  it('shows history as recv prints it, identifiers in hex and told apart', async () => {
    const { stdout } = await bench.ask(['message', 'history', '--direction=rx', '--time=relative']);
    const shown = linesOf(stdout).map((line) => line.split(/\s+/).slice(1, 4).join(' '));
    expect(shown.slice(0, 5)).toEqual([
      'peer RX 100',
      'peer RX 1FF',
      'peer RX 200',
      'peer RX 00000100',
      'peer RX 18FF50E5',
    ]);
    expect(linesOf(stdout)[0]).toMatch(/^\(000\.000000\) {2}peer/);
  });
});
