import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../api/testing/settled.ts';
import { type MonitorStatus, RawMonitor } from './raw-monitor.ts';
import { SharedStreams } from './shared-streams.ts';
import { aGap, anEvent, FakeSseService } from './testing/fake-sse-service.ts';

const idle: MonitorStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  daemon: '',
  received: 0,
  perSecond: 0,
  gaps: 0,
  missed: 0,
  uncounted: 0,
  gapNotes: [],
  lines: [],
};

let service: FakeSseService;
let streams: SharedStreams;
const monitors: RawMonitor[] = [];

beforeEach(() => {
  service = new FakeSseService();
  streams = new SharedStreams();
});
afterEach(() => {
  for (const monitor of monitors.splice(0)) monitor.stop();
  service.remove();
});

/** A monitor of a page that has received this many events, and its state. */
const aMonitor = (status: Partial<MonitorStatus> = {}, token: string | null = null) => {
  const monitor = new RawMonitor({ streams, token, status: { ...idle, ...status } });
  monitors.push(monitor);
  let last = idle;
  const now = (): MonitorStatus => {
    last = monitor.news(0) ?? last;
    return last;
  };
  return { monitor, now };
};

const aMessage = (id: number): string => anEvent(id, 'message', { event_id: id });

describe('RawMonitor', () => {
  it('has its own account of the connection that it shares', async () => {
    const [first, second] = [aMonitor(), aMonitor({ cursor: 5, daemon: 'daemon-1', received: 7 })];
    const { path, lastEventId, send } = await service.connection(1);
    expect([path, lastEventId]).toEqual(['/api/v1/messages/stream', '5']);
    send(aMessage(6));
    await settled(() => [first, second].every(({ now }) => now().cursor === 6));
    second.monitor.stop();
    send(aMessage(7));
    await settled(() => first.now().cursor === 7);
    expect([first.now().received, first.now().state]).toEqual([2, 'live']);
    expect([second.now().received, second.now().state]).toEqual([8, 'stopped']);
    expect(second.now().lines).toEqual(['6 message {"event_id":6}']);
    expect([service.opened.length, service.opened[0]?.aborted.aborted]).toEqual([1, false]);
  });

  it('has a connection for each token', async () => {
    aMonitor({}, 'one');
    aMonitor({}, 'two');
    await service.connection(2);
    expect(service.opened.map(({ authorization }) => authorization).sort()).toEqual([
      'Bearer one',
      'Bearer two',
    ]);
  });

  it('counts what a gap has swallowed, where ids tell', async () => {
    const { now } = aMonitor({ cursor: 5, daemon: 'daemon-1', gaps: 1, missed: 10 });
    (await service.connection(1)).send(aGap(9, 12), aMessage(9));
    await settled(() => now().cursor === 9);
    const { gaps, missed, gapNotes } = now();
    expect([gaps, missed, gapNotes.map(({ after }) => after)]).toEqual([2, 13, [5]]);
  });

  it('begins with the first event of another daemon, and says that it cannot count', async () => {
    service.instance = 'daemon-2';
    const { now } = aMonitor({ cursor: 500, daemon: 'daemon-1' });
    const { lastEventId, send } = await service.connection(1);
    expect(lastEventId).toBe('0');
    send(aMessage(1));
    await settled(() => now().cursor === 1);
    expect([now().gaps, now().uncounted, now().daemon]).toEqual([1, 1, 'daemon-2']);
  });
});
