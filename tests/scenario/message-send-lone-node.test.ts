import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { reuseTransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

describe('a node that nobody acknowledges', () => {
  it('has its frame accepted, becomes error passive and never bus off, and sends it once a peer is there', async () => {
    const bench = await setUp();
    await bench.open('SIM00001/0');
    const answer = await bench.send({ channel: 'SIM00001/0', id: 0x123, data: 'CAFE' });
    expect(answer.json()).toMatchObject({ accepted: 1 });
    await eventually(async () => (await bench.stats('SIM00001/0')).bus_state === 'error_passive');
    const errors = (await bench.stats('SIM00001/0')).error_frames;
    // Long after a continuing counter would have led to bus off.
    await eventually(async () => (await bench.stats('SIM00001/0')).error_frames > errors + 100);
    expect(await bench.stats('SIM00001/0')).toMatchObject({
      bus_state: 'error_passive',
      tx_error_count: 128,
      rx_error_count: 0,
      tx_frames: 0,
      tx_failed: 0,
      tx_pending: 1,
    });
    expect(await bench.show('SIM00001/0')).toMatchObject({ state: 'open' });
    expect(await bench.json('health')).toMatchObject({ broker: { impaired: [] } });

    await bench.open('SIM00001/1');
    await eventually(async () => (await bench.stats('SIM00001/0')).tx_frames === 1);
    await eventually(async () => (await bench.events('SIM00001/1')).length > 0);
    expect(await bench.events('SIM00001/1')).toMatchObject([
      { kind: 'rx_frame', id: 0x123, data: 'CAFE', status: 0 },
    ]);
    expect(await bench.stats('SIM00001/0')).toMatchObject({ tx_pending: 0, tx_failed: 0 });
  });

  it('is not helped by one that only listens', async () => {
    const bench = await setUp();
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/1', { mode: 'listen_only' });
    await bench.send({ channel: 'SIM00001/0', id: 1 });
    await eventually(async () => (await bench.stats('SIM00001/0')).bus_state === 'error_passive');
    expect(await bench.stats('SIM00001/0')).toMatchObject({ tx_frames: 0, tx_pending: 1 });
    await bench.change('SIM00001/1', { mode: 'normal' });
    await eventually(async () => (await bench.stats('SIM00001/0')).tx_frames === 1);
  });

  it('has a full queue in the end, and tells those who wait for room', async () => {
    const bench = await setUp();
    await bench.open('SIM00001/0');
    const { devices } = await bench.json<{
      devices: { ports: { capabilities: { tx_queue: number } }[] }[];
    }>('device', 'list');
    const room = devices[0]?.ports[0]?.capabilities.tx_queue ?? 0;
    const refused = refusedOverHttp(
      await bench.send({ channel: 'SIM00001/0', id: 1, count: room + 10, timeout_ms: 50 }),
    );
    expect(refused).toMatchObject({
      status: 504,
      code: 'hardware_timeout',
      details: { channel: 'SIM00001/0', reason: 'queue_full', timeout_ms: 50 },
    });
    const { accepted, failed_index } = refused.details;
    expect(accepted).toBe(failed_index);
    expect((await bench.stats('SIM00001/0')).tx_pending).toBe(accepted);
    expect(Number(accepted)).toBeGreaterThanOrEqual(room);
  });

  it('reaches itself alone in loopback', async () => {
    const bench = await setUp();
    await bench.open('SIM00001/0', { mode: 'loopback' });
    await bench.open('SIM00001/1');
    await bench.send({ channel: 'SIM00001/0', id: 7, data: '01' });
    await eventually(async () => (await bench.events('SIM00001/0')).length === 2);
    const kinds = (await bench.events('SIM00001/0')).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['rx_frame', 'tx_complete']);
    expect(await bench.events('SIM00001/1')).toEqual([]);
  });
});
