import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { CannelloniPeer, encodeDatagram, type PeerFrame } from './support/cannelloni-peer.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { range } from './support/stream-bench.ts';
import { borrowTransmitBench, reuseTransmitBench } from './support/transmit-bench.ts';

const listen = '127.0.0.1:0';
/** The forwarded channel, and the one at the other end of its segment. */
const [forwarded, across] = ['SIM00001/0', 'SIM00001/1'];

const setUp = reuseTransmitBench();

describe('the life of a forwarding', () => {
  it('is started, shown and stopped on the command line as over HTTP', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const options = [`--listen=${listen}`, `--peer=${peer.address}`, `--channel=${forwarded}`];
    const started = await bench.json<{ listen: string }>(
      'remote',
      'start',
      ...options,
      '--max-age-ms=60000',
      '--buffer-us=500',
    );
    expect(started).toMatchObject({ state: 'running', max_age_ms: 60_000, buffer_us: 500 });
    await peer.send(started.listen, { id: 5, data: '55' });
    await bench.received(across, 1);
    await bench.send({ channel: across, id: 6 });
    await peer.received(1);
    await bench.until('remote-api', ({ frames_to_peers }) => frames_to_peers > 0);
    const status = await bench.json('remote', 'status');
    expect(status).toEqual(await bench.status('remote-api'));
    expect(status).toMatchObject({ frames_to_peers: 1, frames_from_peers: 1 });
    const again = { listen, peer: [peer.address], channels: [forwarded] };
    expect(refusedOverHttp(await bench.post(`${api}/remote-api`, again))).toEqual({
      status: 409,
      code: 'already_running',
      details: status,
    });
    const cli = refusedByCli(await bench.failure('remote', 'start', ...options));
    expect(cli).toEqual({ exit: 1, code: 'already_running', details: status });
    expect(await bench.json('remote', 'stop')).toMatchObject({
      state: 'idle',
      listen: started.listen,
      frames_to_peers: 1,
      frames_from_peers: 1,
      channels: [{ selector: forwarded, sent: 1, open: false }],
    });
    expect(await bench.status('remote-api')).toMatchObject({ state: 'idle' });
    // The port is free again, and datagrams sent meanwhile reach no program.
    await peer.send(started.listen, { id: 7, data: '' });
    const anew = await bench.create('remote-api', { ...again, listen: started.listen });
    expect(anew).toMatchObject({ listen: started.listen, frames_from_peers: 0, strangers: 0 });
    expect(await bench.receivedSoFar(across)).toHaveLength(1);
  });

  it('is a consumer of its channels alone while it runs', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    await bench.create('remote-api', { listen, peer: [peer.address], channels: [forwarded] });
    await bench.send({ channel: across, id: 1, count: 10 });
    await peer.received(10);
    await eventually(async () => (await bench.stats(forwarded)).broker.consumers[0]?.lag === 0);
    expect(await bench.consumerKinds(forwarded)).toEqual(['forward']);
    expect(await bench.consumerKinds(across)).toEqual([]);
    await bench.end('remote-api');
    expect(await bench.consumerKinds(forwarded)).toEqual([]);
  });

  it('goes on without a channel that is closed, and fails with the last', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const peer = await CannelloniPeer.open();
    const request = { listen, peer: [peer.address], channels: [forwarded, 'SIM00001/2'] };
    const { listen: to } = await bench.create('remote-api', request);
    await bench.remove(forwarded);
    expect(await bench.status('remote-api')).toMatchObject({
      state: 'running',
      channels: [{ open: false }, { open: true }],
    });
    await peer.send(to, { id: 9, data: '' });
    expect(await bench.received('SIM00001/3', 1)).toMatchObject([{ id: 9 }]);
    await bench.send({ channel: 'SIM00001/3', id: 8 });
    expect(await peer.received(1)).toMatchObject([{ id: 8 }]);
    await bench.remove('SIM00001/2');
    expect(await bench.status('remote-api')).toMatchObject({
      state: 'failed',
      error: { reason: 'channel_closed' },
      frames_to_peers: 1,
    });
    await bench.open('SIM00001/2');
    await bench.create('remote-api', { ...request, channels: ['SIM00001/2'] });
    expect(await bench.status('remote-api')).toMatchObject({ state: 'running', error: null });
  });

  it('goes on while the Web service is stopped, and ends with the daemon', async () => {
    const bench = await borrowTransmitBench(0, 1);
    const peer = await CannelloniPeer.open();
    const request = { listen, peer: [peer.address], channels: [forwarded] };
    const { listen: to } = await bench.create('remote-api', request);
    await bench.json('web', 'stop');
    await peer.send(to, { id: 1, data: '' });
    await bench.json('message', 'send', across, '002#');
    await peer.received(1);
    await bench.start();
    await bench.received(across, 1);
    await bench.json('daemon', 'stop');
    const own = await borrowTransmitBench(0);
    expect(await own.create('remote-api', { ...request, listen: to })).toMatchObject({
      listen: to,
    });
  });

  it('leaves out frames of peers that have waited longer than they may, and counts them', async () => {
    const bench = await setUp(0, 1);
    for (const channel of [forwarded, across]) await bench.change(channel, { bitrate: 10_000 });
    const peer = await CannelloniPeer.open();
    const request = { listen, peer: [peer.address], channels: [forwarded], max_age_ms: 250 };
    const { listen: to } = await bench.create('remote-api', request);
    // Far more than the bus can carry: the rest waits, but not in the port.
    const frames: PeerFrame[] = range(1, 100).map((id) => ({ id, data: '00'.repeat(8) }));
    for (const sequence of range(1, 30)) {
      await peer.sendRaw(to, encodeDatagram(frames, { sequence }));
    }
    const settled = await bench.until('remote-api', ({ frames_from_peers, channels: [line] }) => {
      const { sent, expired, queued } = line;
      return frames_from_peers === 3000 && queued === 0 && sent + expired === 3000;
    });
    expect(settled.channels).toMatchObject([{ refused: {}, dropped: 0 }]);
    expect(settled.channels[0].expired).toBeGreaterThan(0);
    // After a pause of the daemon all were waiting: single frames are sent.
    await eventually(async () => {
      await peer.send(to, { id: 0x77, data: '' });
      return (await bench.receivedSoFar(across)).some(({ id }) => id === 0x77);
    });
  });

  it('leaves out frames for peers that have waited longer than they may, and counts them', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const request = { listen, peer: [peer.address], channels: [forwarded] };
    // The batch window is longer than any test, so no datagram is expected in between.
    await bench.create('remote-api', { ...request, max_age_ms: 100, buffer_us: 99_999 });
    await bench.send({ channel: across, id: 1 });
    await bench.until('remote-api', ({ expired }) => expired === 1);
    expect(peer.datagrams).toEqual([]);
    expect(await bench.end('remote-api')).toMatchObject({ frames_to_peers: 0, gaps: 0 });
  });

  it('sends to a peer that is not there, and to one that comes back', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const nobody = (await CannelloniPeer.openAndClose()).address;
    const request = { listen, peer: [nobody, peer.address], channels: [forwarded], buffer_us: 0 };
    await bench.create('remote-api', request);
    for (const id of range(1, 20)) await bench.send({ channel: across, id });
    expect((await peer.received(20)).map(({ id }) => id)).toEqual(range(1, 20));
    const record = await bench.until('remote-api', ({ frames_to_peers }) => frames_to_peers >= 20);
    expect(record).toMatchObject({ state: 'running', frames_to_peers: 20 });
  });

  it('tells why a channel did not take the frames of peers', async () => {
    const bench = await setUp(0, 1);
    await bench.change(forwarded, { mode: 'listen_only' });
    const peer = await CannelloniPeer.open();
    const request = { listen, peer: [peer.address], channels: [forwarded] };
    const { listen: to } = await bench.create('remote-api', request);
    await peer.send(to, { id: 1, data: '' }, { id: 2, data: '' });
    await bench.until('remote-api', ({ channels: [line] }) => line.refused.listen_only === 2);
    await bench.change(forwarded, { mode: 'normal' });
    await peer.send(to, { id: 3, data: '' });
    expect(await bench.received(across, 1)).toMatchObject([{ id: 3 }]);
  });
});
