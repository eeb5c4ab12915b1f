import { describe, expect, it } from 'vitest';
import { type Lane, type LaneOptions, type LaneOwner, maxUrgentInARow } from './lane.ts';
import { FakePort } from './testing/fake-port.ts';

const nothing = new Uint8Array(0);
const send = (lane: Lane, id = 0) => lane.send(id, 0, 0, nothing, 0, 0);

const laneOf = (port: FakePort, more: LaneOwner = {}, options: LaneOptions = {}) => {
  const reported: string[] = [];
  const settled: LaneOwner['settled'] = (outcome, atUs, eventId) => {
    reported.push(outcome);
    more.settled?.(outcome, atUs, eventId);
  };
  return { lane: port.outbox.open({ ...more, settled }, options), told: reported };
};

describe('an outbox whose port is full of the frames of the device', () => {
  it('goes on when one of them is through', () => {
    const port = new FakePort({ capacity: 2 });
    port.sendOwn();
    port.sendOwn();
    const { lane, told: reported } = laneOf(port);
    expect(send(lane, 1)).toBe('accepted');
    port.complete();
    port.clock.advanceUs(1);
    expect(port.pending).toBe(1);
    port.complete();
    port.complete();
    expect(reported).toEqual(['sent']);
  });

  it('finds room for frames however many wait', () => {
    const port = new FakePort({ capacity: 2 });
    port.sendOwn();
    port.sendOwn();
    const { lane } = laneOf(port);
    const urgent = laneOf(port, {}, { isUrgent: true });
    while (send(lane, 1) === 'accepted');
    for (let id = 10; id < 14; id++) expect(send(urgent.lane, id)).toBe('accepted');
    expect(send(urgent.lane, 14)).toBe('full');
    while (!port.isIdle) {
      port.complete();
      port.clock.advanceUs(1);
    }
    expect(port.sent).toEqual([10, 11, 12, 13, 1, 1]);
    expect(port.outbox.waiting).toBe(0);
  });
});

describe('urgent lanes of an outbox', () => {
  it('keep the order of their frames, those that were sent from inside a report included', () => {
    const port = new FakePort();
    const first = laneOf(port);
    const { lane } = laneOf(port, {}, { isUrgent: true });
    port.onSend = () => {
      port.onSend = () => undefined;
      send(lane, 1);
    };
    send(first.lane, 9);
    send(lane, 2);
    while (!port.isIdle) port.complete();
    expect(port.sent).toEqual([9, 1, 2]);
  });

  it('leave turns to others though they have more than the bus can carry', () => {
    const port = new FakePort({ capacity: 64 });
    const urgent = laneOf(port, {}, { isUrgent: true });
    const { lane, told: reported } = laneOf(port);
    send(urgent.lane);
    send(lane, 1);
    for (let frame = 0; frame < 10 * maxUrgentInARow; frame++) {
      for (let tries = 0; tries < 3; tries++) send(urgent.lane);
      port.complete();
    }
    expect(reported).toEqual(['sent']);
  });
});

describe('an owner that hears of an outcome', () => {
  it('may take back the rest of what is being given up', () => {
    const port = new FakePort();
    const { lane, told: reported } = laneOf(port, {
      settled: (outcome) => outcome === 'lost' && lane.discard(),
    });
    const other = laneOf(port);
    for (let frame = 0; frame < 4; frame++) send(lane);
    send(other.lane);
    port.lose();
    expect([reported, other.told]).toEqual([['failed', 'lost', 'lost', 'lost'], ['lost']]);
    expect([lane.pending, port.outbox.waiting, port.defects]).toEqual([0, 0, []]);
  });

  it('may close the channel while the frame of another lane is handed over', () => {
    const port = new FakePort();
    const { lane, told: reported } = laneOf(port);
    for (let frame = 0; frame < 4; frame++) send(lane);
    port.onSend = () => port.outbox.end();
    port.complete();
    port.onSend = () => undefined;
    port.outbox.closed();
    expect(reported).toEqual(['sent', 'failed', 'failed', 'failed']);
    expect([lane.pending, port.outbox.waiting, send(lane)]).toEqual([0, 0, 'lost']);
  });

  it('may send while the port gives up what it has: that waits until the port is done with it', () => {
    const port = new FakePort();
    const { lane } = laneOf(port, { settled: (outcome) => outcome === 'failed' && send(lane, 2) });
    send(lane, 1);
    port.fail();
    expect(port.pending).toBe(0);
    port.clock.advanceUs(1);
    expect(port.pending).toBe(1);
  });
});

describe('a lane that waits for room', () => {
  it('is told when another owner takes frames back, though the port does not move', () => {
    const port = new FakePort({ capacity: 4 });
    const { lane } = laneOf(port);
    while (send(lane) === 'accepted');
    let offers = 0;
    const other = laneOf(port, { room: () => offers++ });
    expect(send(other.lane)).toBe('full');
    lane.discard();
    port.clock.advanceUs(1);
    expect(offers).toBe(1);
  });
});

describe('a port that throws', () => {
  it('leaves other lanes their turn, which it has made room for before', () => {
    const port = new FakePort();
    const first = laneOf(port);
    const { lane } = laneOf(port);
    port.onSend = () => {
      port.onSend = () => undefined;
      send(lane, 2);
      throw new RangeError('The port is broken');
    };
    expect(() => send(first.lane, 1)).toThrow('The port is broken');
    port.clock.advanceUs(1);
    port.complete();
    expect(port.sent).toEqual([2]);
  });
});

describe('an outbox that is closed', () => {
  it('fails what the port has not told of', () => {
    const port = new FakePort();
    const { lane, told: reported } = laneOf(port);
    send(lane);
    send(lane);
    port.outbox.end();
    expect(reported).toEqual([]);
    port.outbox.closed();
    expect([reported, lane.pending]).toEqual([['failed', 'failed'], 0]);
  });
});

describe('other settings of a port', () => {
  it('fail what waits only if the port has given up what it had', () => {
    const port = new FakePort();
    const { lane, told: reported } = laneOf(port);
    for (let frame = 0; frame < 3; frame++) send(lane);
    port.outbox.reconfigured();
    expect(reported).toEqual([]);
    port.fail();
    port.outbox.reconfigured();
    expect(reported).toEqual(['failed', 'failed', 'failed']);
  });
});
