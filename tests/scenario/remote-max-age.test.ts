import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { CannelloniPeer } from './support/cannelloni-peer.ts';
import { range } from './support/stream-bench.ts';
import { setUpTransmitBench } from './support/transmit-bench.ts';

describe('forwarding with a limit of age onto a bus where nobody listens', () => {
  it('lets every frame expire, and sends none of them when a listener comes', async () => {
    const bench = await setUpTransmitBench(0);
    const peer = await CannelloniPeer.open();
    const request = {
      listen: '127.0.0.1:0',
      peer: [peer.address],
      channels: ['0'],
      max_age_ms: 100,
    };
    const { listen: to } = await bench.create('remote-api', request);
    for (const id of range(1, 10)) await peer.send(to, { id, data: '' });
    const { channels } = await bench.until(
      'remote-api',
      (record) => record.channels[0]?.expired === 10,
    );
    expect(channels).toMatchObject([{ sent: 0, expired: 10, queued: 0 }]);

    await bench.create('channels', { channel: 'SIM00001/1' });
    // On a busy machine one of these may expire as well.
    await eventually(async () => {
      await peer.send(to, { id: 0x77, data: '' });
      return (await bench.receivedSoFar('1')).length > 0;
    });
    const ids = (await bench.receivedSoFar('1')).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([0x77]));
  });
});
