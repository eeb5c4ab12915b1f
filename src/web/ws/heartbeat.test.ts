import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Heartbeat, heartbeatMs } from './websocket-upgrade.ts';

const periodUs = heartbeatMs * 1000;

const openHeartbeat = () => {
  const clock = new FakeClock();
  const log: string[] = [];
  const peer = {
    hasProgress: false,
    isBehind: false,
    ping: () => void log.push(`ping @${clock.monotonicUs() / periodUs}`),
    terminate: () => void log.push(`terminate @${clock.monotonicUs() / periodUs}`),
    takeProgress: () => peer.hasProgress,
  };
  return { clock, log, peer, heartbeat: new Heartbeat(clock, peer) };
};

describe('Heartbeat', () => {
  it('pings a peer that answers, for as long as it does', () => {
    const { clock, log, heartbeat } = openHeartbeat();
    for (let period = 0; period < 3; period++) {
      clock.advanceUs(periodUs);
      heartbeat.answered();
    }
    expect(log).toEqual(['ping @1', 'ping @2', 'ping @3']);
  });

  it('cuts a peer that has not answered when the next ping is due, and stops', () => {
    const { clock, log } = openHeartbeat();
    clock.advanceUs(10 * periodUs);
    expect(log).toEqual(['ping @1', 'terminate @2']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('spares one that fetches what waits for it, however slowly', () => {
    const { clock, log, peer } = openHeartbeat();
    peer.hasProgress = true;
    clock.advanceUs(3 * periodUs);
    expect(log).toEqual(['ping @1', 'ping @2', 'ping @3']);
  });

  it('leaves one alone that has stopped reading, and asks again once it is through', () => {
    const { clock, log, peer } = openHeartbeat();
    clock.advanceUs(periodUs);
    peer.isBehind = true;
    clock.advanceUs(10 * periodUs);
    peer.isBehind = false;
    clock.advanceUs(2 * periodUs);
    expect(log).toEqual(['ping @1', 'ping @12', 'terminate @13']);
  });

  it('ends with the connection', () => {
    const { clock, log, heartbeat } = openHeartbeat();
    heartbeat.stop();
    clock.advanceUs(10 * periodUs);
    expect(log).toEqual([]);
  });
});
