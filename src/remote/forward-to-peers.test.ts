import { describe, expect, it } from 'vitest';
import { frameFlag } from '../frame/frm2-layout.ts';
import { bufferUs, ForwardRig, firstPeer, secondPeer } from './testing/forward-rig.ts';

const manyFrames = (rig: ForwardRig, count: number): void => {
  for (let index = 0; index < count; index++) rig.receive({ id: 0x100, hex: '0011223344556677' });
};

describe('forwarding to peers', () => {
  it('collects frames for a while and sends them to every peer as one datagram', () => {
    const rig = new ForwardRig({ peers: [firstPeer, secondPeer] });
    rig.receive({ id: 0x123, hex: 'aa55' });
    rig.clock.advanceUs(bufferUs - 1);
    rig.receive({ id: 0x124, hex: '01' });
    expect(rig.socket.sent).toEqual([]);
    rig.clock.advanceUs(1);
    const hex = '0200000002' + '0000012302aa55' + '000001240101';
    expect(rig.socket.sent).toEqual([
      { hex, port: firstPeer.port },
      { hex, port: secondPeer.port },
    ]);
    expect(rig.peer(1)).toMatchObject({ datagrams_sent: 1, frames_sent: 2 });
    expect(rig.record).toMatchObject({ frames_to_peers: 2, gaps: 0, missed: 0 });
  });

  it('sends each frame at once where nothing is to be collected', () => {
    const rig = new ForwardRig({ bufferUs: 0 });
    rig.receive({ id: 1 });
    rig.clock.advanceUs(0);
    rig.receive({ id: 2 });
    rig.clock.advanceUs(0);
    expect(rig.socket.sent.map(({ hex }) => hex)).toEqual([
      '0200000001' + '0000000100',
      '0200010001' + '0000000200',
    ]);
  });

  it('counts its datagrams from 0 to 255 and on from 0', () => {
    const rig = new ForwardRig({ bufferUs: 0 });
    for (let datagram = 0; datagram < 258; datagram++) {
      rig.receive({ id: 1 });
      rig.clock.advanceUs(0);
    }
    const sequences = rig.socket.sequencesTo(firstPeer.port);
    expect(sequences.slice(0, 2)).toEqual([0, 1]);
    expect(sequences.slice(254)).toEqual([254, 255, 0, 1]);
  });

  it('forwards several channels in the order of their events', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.receive({ id: 1 }, 0);
    rig.receive({ id: 2 }, 1);
    rig.receive({ id: 3 }, 0);
    rig.clock.advanceUs(bufferUs);
    expect(rig.socket.sent[0]?.hex).toBe('0200000003' + '0000000100' + '0000000200' + '0000000300');
  });

  it('keeps to itself what this end has sent, and errors on the bus', () => {
    const rig = new ForwardRig();
    rig.receive({ id: 1, kind: 'tx_complete' });
    rig.receive({ id: 4, hex: '0000000000000000', flags: frameFlag.error });
    rig.clock.advanceUs(bufferUs);
    expect(rig.socket.sent).toEqual([]);
    expect(rig.record.frames_to_peers).toBe(0);
  });

  it('begins with what comes after the start', () => {
    const rig = new ForwardRig({ before: [{ id: 1 }, { id: 2 }] });
    rig.receive({ id: 3 });
    rig.clock.advanceUs(bufferUs);
    expect(rig.socket.sent.map(({ hex }) => hex)).toEqual(['0200000001' + '0000000300']);
  });

  it('fills datagrams to their limit and no further', () => {
    const rig = new ForwardRig();
    manyFrames(rig, 300);
    rig.clock.advanceUs(bufferUs);
    expect(rig.socket.framesTo(firstPeer.port)).toBe(300);
    const lengths = rig.socket.sent.map(({ hex }) => hex.length / 2);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1472);
    expect(Math.max(...lengths)).toBeGreaterThan(1472 - 13);
  });

  it('does a bounded piece of work at a time, and still all of it', () => {
    const rig = new ForwardRig({ ringSlots: 8192, peers: [firstPeer, secondPeer] });
    manyFrames(rig, 5000);
    const before = rig.scheduler.lateness.summary().count;
    rig.clock.advanceUs(bufferUs + 1000);
    expect(rig.scheduler.lateness.summary().count - before).toBeGreaterThanOrEqual(10);
    expect(rig.socket.framesTo(secondPeer.port)).toBe(5000);
    expect(rig.record.missed).toBe(0);
  });

  it('stops reading while the system takes no datagrams, and goes on when it does', () => {
    const rig = new ForwardRig();
    rig.socket.isReady = false;
    manyFrames(rig, 10);
    rig.clock.advanceUs(1_000_000);
    expect(rig.socket.sent).toEqual([]);
    expect(rig.forwarder.consumers(0)).toMatchObject([{ kind: 'forward', lag: 10 }]);
    rig.socket.drain();
    rig.clock.advanceUs(0);
    expect(rig.socket.framesTo(firstPeer.port)).toBe(10);
    expect(rig.forwarder.consumers(0)).toMatchObject([{ lag: 0 }]);
  });

  it('counts what was overwritten before the system took it', () => {
    const rig = new ForwardRig({ ringSlots: 64 });
    rig.socket.isReady = false;
    manyFrames(rig, 100);
    rig.socket.drain();
    rig.clock.advanceUs(10_000);
    const { frames_to_peers: sent, missed, gaps } = rig.record;
    expect(gaps).toBe(1);
    expect(missed).toBeGreaterThanOrEqual(100 - 64);
    expect(sent + missed).toBe(100);
  });

  it('leaves out frames that are too old when they would be sent', () => {
    const rig = new ForwardRig({ maxAgeUs: 50_000 });
    rig.socket.isReady = false;
    rig.receive({ id: 1 });
    rig.clock.advanceUs(50_001);
    rig.receive({ id: 2 });
    rig.socket.drain();
    rig.clock.advanceUs(0);
    expect(rig.socket.sent.map(({ hex }) => hex)).toEqual(['0200000001' + '0000000200']);
    expect(rig.record).toMatchObject({ expired: 1, max_age_ms: 50 });
  });

  it('sends what it has collected when it is ended', () => {
    const rig = new ForwardRig();
    manyFrames(rig, 5);
    rig.forwarder.close();
    expect(rig.socket.framesTo(firstPeer.port)).toBe(5);
    expect(rig.record).toMatchObject({ frames_to_peers: 5, gaps: 0, missed: 0 });
  });

  it('counts what the system does not take when it is ended', () => {
    const rig = new ForwardRig();
    rig.socket.isReady = false;
    rig.socket.untaken = 3;
    manyFrames(rig, 5);
    rig.forwarder.close();
    expect(rig.socket.sent).toEqual([]);
    expect(rig.record).toMatchObject({ gaps: 1, missed: 5, send_errors: 3 });
  });

  it('counts what is more than a last pass can send', () => {
    const rig = new ForwardRig({ ringSlots: 2048 });
    manyFrames(rig, 2000);
    rig.forwarder.close();
    const { frames_to_peers: sent, missed, gaps } = rig.record;
    expect(sent).toBeGreaterThan(0);
    expect([sent + missed, gaps]).toEqual([2000, 1]);
  });

  it('sends what a channel still holds when it is closed, and goes on with the others', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.receive({ id: 1 }, 0);
    rig.channel(0).interrupt('closed');
    expect(rig.socket.sent).toHaveLength(1);
    expect(rig.line(0)).toMatchObject({ open: false });
    expect(rig.forwarder.consumers(0)).toEqual([]);
    rig.receive({ id: 2 }, 1);
    rig.clock.advanceUs(bufferUs);
    expect(rig.record).toMatchObject({ state: 'running', frames_to_peers: 2, missed: 0 });
  });

  it('counts what it could not send of a channel that was closed', () => {
    const rig = new ForwardRig({ channelCount: 2 });
    rig.socket.isReady = false;
    manyFrames(rig, 7);
    rig.channel(0).interrupt('closed');
    expect(rig.record).toMatchObject({ gaps: 1, missed: 7, frames_to_peers: 0 });
  });

  it('costs nothing while nothing happens', () => {
    const rig = new ForwardRig();
    rig.clock.advanceUs(60_000_000);
    expect(rig.scheduler.scheduledTasks).toBe(0);
    rig.receive({ id: 1 });
    rig.clock.advanceUs(bufferUs);
    expect(rig.scheduler.scheduledTasks).toBe(0);
    expect(rig.defects).toEqual([]);
  });

  it('counts datagrams that the system did not send', () => {
    const rig = new ForwardRig();
    rig.socket.events?.sendFailed();
    expect(rig.record).toMatchObject({ state: 'running', send_errors: 1 });
  });
});
