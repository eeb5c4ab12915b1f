import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { CannelloniPeer, encodeDatagram, encodeFrame } from './support/cannelloni-peer.ts';
import { range } from './support/stream-bench.ts';
import {
  type Answered,
  borrowTransmitBench,
  reuseTransmitBench,
  type TransmitBench,
} from './support/transmit-bench.ts';

const listen = '127.0.0.1:0';
/** The forwarded channel, and the one at the other end of its segment. */
const [forwarded, across] = ['SIM00001/0', 'SIM00001/1'];

const setUp = reuseTransmitBench();

const idle = {
  state: 'idle',
  listen: null,
  peers: [],
  channels: [],
  max_age_ms: null,
  buffer_us: null,
  frames_to_peers: 0,
  frames_from_peers: 0,
  gaps: 0,
  missed: 0,
  expired: 0,
  strangers: 0,
  overruns: null,
  send_errors: 0,
  started_at_us: null,
  error: null,
};

const start = (bench: TransmitBench, peers: readonly CannelloniPeer[], more: object = {}) =>
  bench.create('remote-api', {
    listen,
    peer: peers.map(({ address }) => address),
    channels: [forwarded],
    ...more,
  });

/** Waits until a peer has accepted or rejected this many datagrams. */
const heardOf = (bench: TransmitBench, datagrams: number, peer = 0): Promise<Answered> =>
  bench.until('remote-api', ({ peers }) => peers[peer].datagrams_received >= datagrams);

describe('remote forwarding', () => {
  it('is idle at first, and stopping that changes nothing', async () => {
    const bench = await borrowTransmitBench();
    expect(await bench.status('remote-api')).toEqual(idle);
    expect(await bench.end('remote-api')).toEqual(idle);
    expect(await bench.json('remote', 'status')).toEqual(idle);
    expect(await bench.json('remote', 'stop')).toEqual(idle);
  });

  it('sends what a channel receives to the peer, frame by frame as the format has it', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const started = await start(bench, [peer], { buffer_us: 0 });
    expect(started).toMatchObject({
      state: 'running',
      buffer_us: 0,
      max_age_ms: null,
      error: null,
    });
    expect(started.listen).toMatch(/^127\.0\.0\.1:[1-9][0-9]*$/);
    await bench.send({ channel: across, id: 0x123, data: 'AA55' });
    await peer.received(1);
    expect(peer.datagrams[0]?.toString('hex')).toBe('02000000010000012302aa55');
    for (const frame of [
      { id: 0x18ff50e5, extended: true, data: '' },
      { type: 'remote', id: 0x7ff, dlc: 6 },
      { id: 0x20, fd: true, brs: true, esi: true, data: '5A'.repeat(64) },
      { id: 0x21, fd: true, data: '' },
      { id: 0x22, data: '0011223344556677', dlc: 13 },
    ]) {
      await bench.send({ channel: across, ...frame });
    }
    const common = { extended: false, remote: false };
    expect(await peer.received(6)).toEqual([
      { ...common, id: 0x123, data: 'AA55', length: 2 },
      { ...common, id: 0x18ff50e5, extended: true, data: '', length: 0 },
      { ...common, id: 0x7ff, remote: true, data: '', length: 6 },
      { ...common, id: 0x20, fd: 3, data: '5A'.repeat(64), length: 64 },
      { ...common, id: 0x21, fd: 0, data: '', length: 0 },
      { ...common, id: 0x22, data: '0011223344556677', length: 8 },
    ]);
    // A datagram may arrive here before it is counted there.
    const counted = await bench.until('remote-api', ({ peers }) => peers[0].frames_sent >= 6);
    expect(counted).toMatchObject({
      frames_to_peers: 6,
      peers: [{ peer: peer.address, frames_sent: 6, datagrams_sent: peer.datagrams.length }],
    });
    // Frames sent by the channel itself were not received there.
    await bench.send({ channel: forwarded, id: 0x99 });
    await bench.send({ channel: across, id: 0x100 });
    expect((await peer.received(7)).at(-1)).toMatchObject({ id: 0x100 });
  });

  it('numbers its datagrams one by one beyond the end of a byte, and collects frames', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    await start(bench, [peer], { buffer_us: 0 });
    // In portions that fit into a socket buffer, until the numbers wrap.
    let frames = 0;
    while (peer.datagrams.length <= 300) {
      await bench.send({ channel: across, id: 1, data: '00'.repeat(8), count: 200 });
      frames += 200;
      await peer.received(frames);
    }
    expect(peer.sequences).toEqual(peer.datagrams.map((_, index) => index % 256));
    for (const { length } of peer.datagrams) expect(length).toBeLessThanOrEqual(1472);
  });

  it('puts the frames of a peer onto every channel, and tells of each', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const peer = await CannelloniPeer.open();
    const { listen: to } = await start(bench, [peer], { channels: [forwarded, 'SIM00001/2'] });
    await peer.send(
      to,
      { id: 0x123, data: 'AA55' },
      { id: 0x18ff50e5, extended: true, data: '01' },
      { id: 0x7ff, remote: true, length: 4 },
      { id: 0x20, fd: 1, data: '5A'.repeat(12) },
    );
    for (const channel of [across, 'SIM00001/3']) {
      expect(await bench.received(channel, 4)).toMatchObject([
        { bus: 'can', id: 0x123, data: 'AA55', dlc: 2 },
        { id: 0x18ff50e5, extended: true, data: '01' },
        { id: 0x7ff, remote: true, dlc: 4, data: '' },
        { bus: 'canfd', id: 0x20, fd: true, brs: true, esi: false, dlc: 9 },
      ]);
    }
    const { slot } = await bench.show(forwarded);
    expect(await bench.status('remote-api')).toMatchObject({
      frames_from_peers: 4,
      frames_to_peers: 0,
      peers: [{ datagrams_received: 1, frames_received: 4, lost_datagrams: 0 }],
      channels: [
        { selector: forwarded, slot, open: true, sent: 4, refused: {}, dropped: 0 },
        { selector: 'SIM00001/2', slot: slot + 2, open: true, sent: 4, queued: 0, expired: 0 },
      ],
    });
    expect(peer.datagrams).toEqual([]);
  });

  it('serves several peers alike, and relays nothing between them', async () => {
    const bench = await setUp(0, 1);
    const peers = [
      await CannelloniPeer.open(),
      await CannelloniPeer.open(),
      await CannelloniPeer.open(),
    ];
    const { listen: to } = await start(bench, peers);
    for (const [index, peer] of peers.entries()) await peer.send(to, { id: index + 1, data: '00' });
    const ids = (await bench.received(across, 3)).map(({ id }) => id);
    expect(ids.sort()).toEqual([1, 2, 3]);
    await bench.send({ channel: across, id: 0x55, data: '66' });
    for (const peer of peers) expect(await peer.received(1)).toMatchObject([{ id: 0x55 }]);
    const record = await bench.until('remote-api', ({ frames_to_peers }) => frames_to_peers > 0);
    expect(record).toMatchObject({ frames_to_peers: 1, frames_from_peers: 3 });
  });

  it('counts gaps, late datagrams and repeated ones in the numbers of a peer', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const { listen: to } = await start(bench, [peer]);
    const sequences = [250, 251, 254, 255, 0, 3, 2, 3, 4];
    for (const sequence of sequences) {
      await peer.sendRaw(to, encodeDatagram([{ id: sequence, data: '' }], { sequence }));
    }
    await bench.received(across, sequences.length);
    const { peers } = await bench.status('remote-api');
    expect(peers).toMatchObject([
      { datagrams_received: 9, frames_received: 9, lost_datagrams: 3, reordered: 1, duplicates: 1 },
    ]);
  });

  it('counts malformed datagrams of each kind, takes what is whole, and goes on', async () => {
    const bench = await setUp(0, 1);
    const peer = await CannelloniPeer.open();
    const { listen: to } = await start(bench, [peer]);
    const one = { id: 1, data: '01' };
    const frame = encodeFrame(one);
    const datagrams: Buffer[] = [
      Buffer.alloc(0),
      Buffer.from([2]),
      Buffer.from([2, 0, 0, 0]),
      encodeDatagram([one], { version: 1 }),
      encodeDatagram([one], { opcode: 1 }),
      encodeDatagram([one], { opcode: 2 }),
      encodeDatagram([one, { id: 2, data: '0203' }], { sequence: 0 }).subarray(0, -1),
      encodeDatagram([one], { sequence: 1, count: 2 }),
      Buffer.concat([encodeDatagram([one], { sequence: 2 }), frame]),
      encodeDatagram([one], { sequence: 3, count: 0xffff }),
      encodeDatagram([{ id: 1, data: '00'.repeat(9) }], { sequence: 4 }),
      encodeDatagram([{ id: 0x800, data: '' }], { sequence: 5 }),
      encodeDatagram([{ id: 1, fd: 0, data: '00'.repeat(9) }], { sequence: 6 }),
      encodeDatagram([{ id: 1, fd: 0, remote: true }], { sequence: 7 }),
      encodeDatagram([{ id: 4, error: true, data: '00'.repeat(8) }], { sequence: 8 }),
      encodeDatagram([], { sequence: 9 }),
      Buffer.alloc(9000, 0xff),
    ];
    for (const bytes of datagrams) await peer.sendRaw(to, bytes);
    const { peers, state } = await heardOf(bench, datagrams.length);
    expect(state).toBe('running');
    expect(peers).toMatchObject([
      {
        datagrams_received: datagrams.length,
        frames_received: 4,
        malformed: { version: 2, opcode: 2, truncated: 4, count: 3 },
        invalid_frames: 4,
        error_frames: 1,
        lost_datagrams: 0,
      },
    ]);
    expect((await bench.received(across, 4)).map(({ id }) => id)).toEqual([1, 1, 1, 1]);
    await peer.sendRaw(to, encodeDatagram([{ id: 0x77, data: '' }], { sequence: 10 }));
    await eventually(async () => (await bench.receivedSoFar(across)).at(-1)?.id === 0x77);
  });

  it('drops what strangers send', async () => {
    const bench = await setUp(0, 1);
    const [peer, stranger] = [await CannelloniPeer.open(), await CannelloniPeer.open()];
    const { listen: to } = await start(bench, [peer]);
    for (const _ of range(1, 3)) await stranger.send(to, { id: 0x666, data: '' });
    await bench.until('remote-api', ({ strangers }) => strangers === 3);
    await peer.send(to, { id: 1, data: '' });
    expect(await bench.received(across, 1)).toMatchObject([{ id: 1 }]);
    expect(stranger.datagrams).toEqual([]);
  });
});
