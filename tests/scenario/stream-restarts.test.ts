import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { startInnerDaemon } from './support/inner-daemon.ts';
import { type HistoryRecord, idsOf, range, StreamBench } from './support/stream-bench.ts';
import { linesOf, startReceiver } from './support/stream-receivers.ts';

describe('a restart of the Web service', () => {
  it('keeps channels, ids and cursors, and has an epoch of its own', async () => {
    const bench = await StreamBench.start();
    const { workbench } = bench;
    await bench.send(0, 10);
    const before = await bench.history('');
    const receiver = await startReceiver(workbench, '--after=0', '--format=jsonl');
    const client = await SseClient.open({ port: bench.port });

    await workbench.json('web', 'stop');
    await client.ended;
    // Events during the restart are retained as well.
    await workbench.json('message', 'send', 'SIM00001/0', '123#00', '--count=5');
    ({ port: bench.port } = await workbench.startWeb());
    await eventually(async () => (await bench.history()).newest_available === 30);

    const after = await bench.history('');
    expect(after.stream_epoch).toBeGreaterThan(before.stream_epoch);
    expect(idsOf(after.events)).toEqual(range(1, 30));
    // The same events, except for their epoch.
    expect(after.events.slice(0, 20)).toEqual(
      before.events.map((event) => ({ ...event, stream_epoch: after.stream_epoch })),
    );
    const { service } = (await bench.get('/info')).json();
    expect(service.stream_epoch).toBe(after.stream_epoch);

    // A cursor from before the restart is still valid.
    const headers = { 'last-event-id': '20' };
    const sse = await SseClient.open({ port: bench.port, headers });
    const ws = await FrameClient.open({
      port: bench.port,
      path: '/api/v1/messages/ws?after=20',
    });
    await bench.send(1, 1);
    expect((await sse.take(12)).map(({ data }) => data.event_id)).toEqual(range(21, 32));
    const items = await ws.take(12);
    expect(items.map((item) => 'record' in item && item.record.eventId)).toEqual(range(21, 32));
    expect(items[0]).toMatchObject({ record: { streamEpoch: after.stream_epoch } });
    expect((await bench.broker(0)).newest_event_id).toBe(32);

    // A receiver does not use the Web service.
    await eventually(() => linesOf(receiver.stdout).length === 32);
    receiver.kill('SIGINT');
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(linesOf(receiver.stdout).map((line) => JSON.parse(line).event_id)).toEqual(range(1, 32));
  });
});

describe('the death of the thread that serves clients', () => {
  it('costs no channel and no event, while frames go on', async () => {
    const { call, kill } = await startInnerDaemon();
    for (const port of [0, 1]) await call('channel.open', { channel: `SIM00001/${port}` });
    const { listen } = await call<{ listen: string }>('web.start', {
      listen: '127.0.0.1:0',
      log_level: 'off',
    });
    const port = Number(listen.split(':')[1]);
    const frame = { channel: 'SIM00001/0', type: 'data', id: 1, data: '00' };
    await call('message.send', { ...frame, count: 100 });
    const history = async (): Promise<HistoryRecord> =>
      (await ask({ port, path: '/api/v1/messages/history?limit=4096' })).json();
    await eventually(async () => (await history()).newest_available === 200);
    const before = await history();
    const client = await SseClient.open({ port });

    await kill('client');
    await expect(client.ended).rejects.toThrow();
    expect(await call('channel.list')).toMatchObject({
      channels: [
        { slot: 0, selector: 'SIM00001/0', state: 'open' },
        { slot: 1, selector: 'SIM00001/1', state: 'open' },
      ],
    });
    await call('message.send', { ...frame, count: 100 });
    await eventually(async () => (await history()).newest_available === 400);

    const after = await history();
    expect(after.stream_epoch).toBeGreaterThan(before.stream_epoch);
    expect(idsOf(after.events)).toEqual(range(1, 400));
    for (const slot of [0, 1]) {
      const own = after.events.filter(({ channel }) => channel === slot);
      expect(own.map(({ source_sequence }) => source_sequence)).toEqual(range(1, 200));
    }
    // Existing streams continue at their position.
    const headers = { 'last-event-id': '200' };
    const resumed = await SseClient.open({ port, headers });
    expect((await resumed.take(200)).map(({ data }) => data.event_id)).toEqual(range(201, 400));
  });

  it('leaves channels that can be closed and opened as before', async () => {
    const { call, kill } = await startInnerDaemon();
    for (const port of [0, 1]) await call('channel.open', { channel: `SIM00001/${port}` });
    await kill('client');
    await call('channel.close', { selector: 'SIM00001/1' });
    await call('channel.open', { channel: 'SIM00001/1' });
    await call('message.send', { channel: 'SIM00001/1', type: 'data', id: 1, data: '00' });
    await eventually(async () => {
      const { newest_available: newest } = await call<HistoryRecord>('message.history');
      return newest === 2;
    });
    const { events } = await call<HistoryRecord>('message.history');
    expect(events).toMatchObject([
      { event_id: 1, channel: 2, selector: 'SIM00001/1' },
      { event_id: 2, channel: 0, selector: 'SIM00001/0' },
    ]);
  });
});
