import { describe, expect, it } from 'vitest';
import { frameFlag } from '../frame/frm2-layout.ts';
import { datagramOf, ForwardRig, firstPeer, secondPeer, wireFrame } from './testing/forward-rig.ts';

const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => wireFrame(from + index));

const idsOn = (rig: ForwardRig, slot = 0): number[] =>
  rig.channel(slot).sent.map((text) => Number.parseInt(text, 16));

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe('forwarding to the bus', () => {
  it('puts the frames of every peer onto every channel, and sends them to no other peer', () => {
    const rig = new ForwardRig({ channelCount: 2, peers: [firstPeer, secondPeer] });
    rig.socket.deliver('02 00 00 00 01 00 00 01 23 02 AA 55', firstPeer.port, firstPeer.host);
    rig.socket.deliver('02 00 09 00 01 00 00 01 24 83 01 01 02 03', 20_002, secondPeer.host);
    const fdFlags = frameFlag.fd | frameFlag.brs;
    const expected = ['123/0/2#aa55', `124/${fdFlags}/3#010203`];
    expect(rig.channel(0).sent).toEqual(expected);
    expect(rig.channel(1).sent).toEqual(expected);
    rig.clock.advanceUs(1_000_000);
    expect(rig.socket.sent).toEqual([]);
    expect(rig.record).toMatchObject({ frames_from_peers: 2, strangers: 0 });
    expect(rig.peer(0)).toMatchObject({ datagrams_received: 1, frames_received: 1 });
  });

  it('lets no stranger in, whether by address or by port', () => {
    const rig = new ForwardRig();
    const datagram = datagramOf(0, numbered(1));
    rig.socket.deliver(datagram, firstPeer.port, '192.0.2.99');
    rig.socket.deliver(datagram, firstPeer.port + 1, firstPeer.host);
    expect(rig.channel().sent).toEqual([]);
    expect(rig.record).toMatchObject({ strangers: 2, frames_from_peers: 0 });
    expect(rig.peer()).toMatchObject({ datagrams_received: 0, last_received_at_us: null });
  });

  it('counts lost datagrams of each peer by itself, also across the wrap', () => {
    const rig = new ForwardRig({ peers: [firstPeer, secondPeer] });
    for (const sequence of [250, 251, 254, 2]) rig.socket.deliver(datagramOf(sequence, []));
    rig.socket.deliver(datagramOf(7, []), secondPeer.port, secondPeer.host);
    expect(rig.peer(0)).toMatchObject({ lost_datagrams: 5, reordered: 0, datagrams_received: 4 });
    expect(rig.peer(1)).toMatchObject({ lost_datagrams: 0 });
    rig.socket.deliver(datagramOf(252, numbered(1)));
    expect(rig.peer(0)).toMatchObject({ lost_datagrams: 4, reordered: 1 });
    expect(rig.channel().sent).toHaveLength(1);
  });

  it('counts every kind of malformed datagram, and takes the whole frames before a cut', () => {
    const rig = new ForwardRig();
    rig.socket.deliver('01 00 00 00 00');
    rig.socket.deliver('02 01 00 00 00');
    rig.socket.deliver(`${datagramOf(0, numbered(2))}00`);
    rig.socket.deliver('02 00 01 00 02 00 00 00 05 00 00 00');
    expect(rig.peer()).toMatchObject({
      datagrams_received: 4,
      malformed: { version: 1, opcode: 1, truncated: 1, count: 1 },
      lost_datagrams: 0,
    });
    expect(idsOn(rig)).toEqual([0, 1, 5]);
  });

  it('counts frames that are none instead of sending them', () => {
    const rig = new ForwardRig();
    rig.socket.deliver(`02 00 00 00 02 00 00 08 00 00 20 00 00 04 08 ${'00'.repeat(8)}`);
    expect(rig.channel().sent).toEqual([]);
    expect(rig.peer()).toMatchObject({ invalid_frames: 1, error_frames: 1, frames_received: 0 });
  });

  it('lets frames wait in order while the channel is full', () => {
    const rig = new ForwardRig();
    const channel = rig.channel();
    channel.room = 3;
    rig.socket.deliver(datagramOf(0, numbered(5)));
    rig.socket.deliver(datagramOf(1, numbered(2, 5)));
    expect(idsOn(rig)).toEqual(range(0, 3));
    expect(rig.line()).toMatchObject({ sent: 3, queued: 4, dropped: 0 });
    channel.complete(2);
    rig.clock.advanceUs(0);
    expect(idsOn(rig)).toEqual(range(0, 5));
    channel.complete(10);
    rig.clock.advanceUs(0);
    expect(idsOn(rig)).toEqual(range(0, 7));
    expect(rig.line()).toMatchObject({ sent: 7, queued: 0 });
  });

  it('goes on at once where room was made while a frame was handed over', () => {
    const rig = new ForwardRig();
    const channel = rig.channel();
    channel.room = 0;
    channel.onSend = () => {
      channel.onSend = () => undefined;
      channel.complete(5);
    };
    rig.socket.deliver(datagramOf(0, numbered(2)));
    expect(idsOn(rig)).toEqual([0, 1]);
  });

  it('drops the frames that have waited longest where there is no more room to wait', () => {
    const rig = new ForwardRig({ waitingFrames: 4 });
    const channel = rig.channel();
    channel.room = 0;
    rig.socket.deliver(datagramOf(0, numbered(7)));
    expect(rig.line()).toMatchObject({ queued: 4, dropped: 3 });
    channel.complete(10);
    rig.clock.advanceUs(0);
    expect(idsOn(rig)).toEqual(range(3, 7));
  });

  it('never sends frames that have become stale while the channel could not send', () => {
    const rig = new ForwardRig({ maxAgeUs: 100_000 });
    const channel = rig.channel();
    channel.room = 0;
    rig.socket.deliver(datagramOf(0, numbered(3)));
    rig.clock.advanceUs(60_000);
    rig.socket.deliver(datagramOf(1, numbered(2, 3)));
    rig.clock.advanceUs(40_001);
    channel.complete(10);
    rig.clock.advanceUs(0);
    expect(idsOn(rig)).toEqual([3, 4]);
    expect(rig.line()).toMatchObject({ sent: 2, expired: 3, queued: 0 });
  });

  it('lets the port have one frame at a time where age is limited, and the next at once', () => {
    const rig = new ForwardRig({ maxAgeUs: 100_000 });
    const channel = rig.channel();
    channel.holds = true;
    rig.socket.deliver(datagramOf(0, numbered(3)));
    expect(idsOn(rig)).toEqual([0]);
    expect(channel.deadlines).toEqual([rig.clock.monotonicUs() + 100_000]);
    expect(rig.line()).toMatchObject({ sent: 0, queued: 3 });
    channel.complete(1);
    expect(idsOn(rig)).toEqual([0, 1]);
    channel.complete(1);
    channel.complete(1);
    expect(rig.line()).toMatchObject({ sent: 3, queued: 0, expired: 0 });
  });

  it('counts as expired what the port gave up because it was too old, and sends nothing stale', () => {
    const rig = new ForwardRig({ maxAgeUs: 100_000 });
    const channel = rig.channel();
    channel.holds = true;
    rig.socket.deliver(datagramOf(0, numbered(4)));
    rig.clock.advanceUs(100_001);
    channel.fail('expired');
    expect(idsOn(rig)).toEqual([0]);
    expect(rig.line()).toMatchObject({ sent: 0, expired: 4, queued: 0 });
    rig.socket.deliver(datagramOf(1, numbered(1, 9)));
    channel.complete(1);
    expect(idsOn(rig)).toEqual([0, 9]);
    expect(rig.line()).toMatchObject({ sent: 1, expired: 4, queued: 0 });
  });

  it('sends at most one frame late on a port that gives up nothing', () => {
    const rig = new ForwardRig({ maxAgeUs: 100_000 });
    const channel = rig.channel();
    channel.holds = true;
    rig.socket.deliver(datagramOf(0, numbered(4)));
    rig.clock.advanceUs(5_000_000);
    channel.complete(1);
    expect(idsOn(rig)).toEqual([0]);
    expect(rig.line()).toMatchObject({ sent: 1, expired: 3, queued: 0 });
  });

  it('counts what the port gave up for another reason under that', () => {
    const rig = new ForwardRig({ maxAgeUs: 100_000 });
    const channel = rig.channel();
    channel.holds = true;
    rig.socket.deliver(datagramOf(0, numbered(2)));
    channel.fail('failed');
    channel.fail('bus_off');
    expect(rig.line()).toMatchObject({ sent: 0, refused: { failed: 1, bus_off: 1 }, queued: 0 });
  });

  it('tells why a channel took frames not, and keeps none of them for later', () => {
    const rig = new ForwardRig();
    const channel = rig.channel();
    channel.refusal = 'bus_off';
    rig.socket.deliver(datagramOf(0, numbered(2)));
    channel.refusal = 'not_on_bus';
    rig.socket.deliver(datagramOf(1, numbered(1)));
    channel.refusal = null;
    rig.socket.deliver(datagramOf(2, numbered(1, 9)));
    expect(idsOn(rig)).toEqual([9]);
    expect(rig.line()).toMatchObject({ sent: 1, refused: { bus_off: 2, not_on_bus: 1 } });
  });

  it('tries again after a change of settings, whatever became of the queue', () => {
    const rig = new ForwardRig();
    const channel = rig.channel();
    channel.room = 0;
    rig.socket.deliver(datagramOf(0, numbered(1)));
    channel.room = 1;
    channel.interrupt('configured');
    rig.clock.advanceUs(0);
    expect(idsOn(rig)).toEqual([0]);
  });

  it('survives a driver that throws', () => {
    const rig = new ForwardRig();
    rig.channel().onSend = () => {
      throw new TypeError('broken');
    };
    rig.socket.deliver(datagramOf(0, numbered(1)));
    expect(rig.line()).toMatchObject({ refused: { hardware_error: 1 }, queued: 0 });
    expect(rig.defects).toEqual([]);
  });

  it('hands over a bounded number of frames at a time, and still all of them', () => {
    const rig = new ForwardRig();
    rig.socket.deliver(datagramOf(0, numbered(1000)));
    expect(rig.channel().sent.length).toBeLessThan(200);
    rig.clock.advanceUs(1000);
    expect(idsOn(rig)).toEqual(range(0, 1000));
  });

  it('lets one full channel hold up no other', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.channel(0).room = 0;
    rig.socket.deliver(datagramOf(0, numbered(3)));
    expect(idsOn(rig, 1)).toEqual([0, 1, 2]);
    expect(rig.line(0)).toMatchObject({ queued: 3 });
  });
});

describe('the end of forwarding', () => {
  it('lets go of everything when it is closed, and keeps the record', () => {
    const rig = new ForwardRig();
    rig.channel().room = 1;
    rig.socket.deliver(datagramOf(0, numbered(3)));
    rig.forwarder.close();
    expect(rig.record).toMatchObject({ state: 'idle', error: null, frames_from_peers: 3 });
    expect(rig.line()).toMatchObject({ sent: 1, dropped: 2, queued: 0 });
    expect(rig.channel().listeners).toBe(0);
    expect(rig.socket.isClosed).toBe(true);
    rig.receive({ id: 1 });
    rig.clock.advanceUs(1_000_000);
    expect(rig.scheduler.scheduledTasks).toBe(0);
    expect(rig.socket.sent).toEqual([]);
  });

  it('fails when the last channel is closed', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.channel(0).interrupt('closed');
    expect(rig.record.state).toBe('running');
    rig.channel(1).interrupt('closed');
    expect(rig.record).toMatchObject({ state: 'failed', error: { reason: 'channel_closed' } });
    expect(rig.socket.isClosed).toBe(true);
  });

  it('fails when the socket does, and says why', () => {
    const rig = new ForwardRig();
    rig.socket.events?.failed('EBADF');
    expect(rig.record).toMatchObject({ state: 'failed', error: { reason: 'socket_failed' } });
    expect(rig.record.error?.message).toContain('EBADF');
    expect(rig.channel().listeners).toBe(0);
    expect(rig.forwarder.consumers(0)).toEqual([]);
  });

  it('sends nothing more to a channel that was closed', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.channel(0).room = 0;
    rig.socket.deliver(datagramOf(0, numbered(2)));
    rig.channel(0).interrupt('closed');
    rig.socket.deliver(datagramOf(1, numbered(1, 2)));
    expect(rig.channel(0).sent).toEqual([]);
    expect(rig.line(0)).toMatchObject({ open: false, dropped: 2, queued: 0 });
    expect(idsOn(rig, 1)).toEqual([0, 1, 2]);
  });
});
