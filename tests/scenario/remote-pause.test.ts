import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { CannelloniPeer } from './support/cannelloni-peer.ts';
import { daemonsOf } from './support/processes.ts';
import { range } from './support/stream-bench.ts';
import { setUpTransmitBench } from './support/transmit-bench.ts';

const maxAgeMs = 100;

describe('forwarding in a daemon that is stopped for a while', () => {
  it('sends nothing that came meanwhile and is too old, and goes on with what comes later', async () => {
    const bench = await setUpTransmitBench(0, 1);
    const peer = await CannelloniPeer.open();
    const request = { listen: '127.0.0.1:0', peer: [peer.address], channels: ['0'] };
    const { listen: to } = await bench.create('remote-api', { ...request, max_age_ms: maxAgeMs });
    const [daemon = -1] = daemonsOf(bench.home);
    onTestFinished(() => void process.kill(daemon, 'SIGCONT'));

    process.kill(daemon, 'SIGSTOP');
    for (const id of range(1, 50)) await peer.send(to, { id, data: '' });
    const stoppedAt = performance.now();
    await eventually(() => performance.now() - stoppedAt > 3 * maxAgeMs);
    process.kill(daemon, 'SIGCONT');

    const { channels } = await bench.until(
      'remote-api',
      ({ channels: [line] }) => line.sent + line.expired >= 50,
    );
    expect(channels).toMatchObject([{ sent: 0, expired: 50, queued: 0 }]);
    // A frame that arrives while the daemon catches up may count as old as the others.
    await eventually(async () => {
      await peer.send(to, { id: 0x77, data: '' });
      return (await bench.receivedSoFar('1')).length > 0;
    });
    const ids = (await bench.receivedSoFar('1')).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([0x77]));
  });
});
