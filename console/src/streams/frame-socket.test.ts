import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { frm2EventId } from '../../../src/frame/frm2-codec.ts';
import type { ApiError } from '../api/api-error.ts';
import { settled } from '../api/testing/settled.ts';
import { rememberedToken } from '../storage/remembered.ts';
import type { GapBounds } from '../trace-core/stream-stats.ts';
import { aRecord } from '../trace-core/testing/records.ts';
import { FrameSocket } from './frame-socket.ts';
import { FakeFrameService } from './testing/fake-frame-service.ts';

let service: FakeFrameService;
const started: FrameSocket[] = [];

beforeEach(() => {
  service = new FakeFrameService();
});
afterEach(() => {
  // A socket left open would connect to the service of the next test.
  for (const socket of started.splice(0)) socket.stop();
  service.remove();
  rememberedToken.forget();
});

const setUp = () => {
  const reported = {
    cursor: null as number | null,
    ids: [] as number[],
    daemons: [] as string[],
    gaps: [] as GapBounds[],
    states: [] as string[],
    error: null as ApiError | null,
  };
  const socket = new FrameSocket({
    cursor: () => reported.cursor,
    onDaemon: (id) => reported.daemons.push(id),
    onLive: (newest) => {
      reported.cursor = newest;
    },
    onRecord: (record) => {
      reported.cursor = frm2EventId(record, 0);
      reported.ids.push(reported.cursor);
    },
    onGap: (bounds) => reported.gaps.push(bounds),
    onState: (state, error) => {
      reported.states.push(state);
      reported.error = error;
    },
  });
  started.push(socket);
  return { socket, told: reported };
};

/** A stream that starts live on its first connection. */
const setUpLive = async () => {
  const { socket, told: reported } = setUp();
  socket.start();
  const connection = await service.connection(1);
  connection.open();
  return { socket, told: reported, connection };
};

describe('FrameSocket', () => {
  it('goes on live behind the newest event, and hands over each record', async () => {
    service.newest = 41;
    const { told: reported, connection } = await setUpLive();
    expect(connection.url.href).toBe('ws://bench:8080/api/v1/messages/ws?interval_ms=90&after=41');
    expect([connection.protocols, connection.binaryType]).toEqual([
      ['svc.frames.v2'],
      'arraybuffer',
    ]);
    connection.send(aRecord({ eventId: 42 }), aRecord({ eventId: 43 }));
    expect(reported.ids).toEqual([42, 43]);
    expect(reported.states).toEqual(['connecting', 'live']);
  });

  it('offers the token as a second subprotocol', async () => {
    rememberedToken.set('abc');
    const { connection } = await setUpLive();
    expect(connection.protocols).toEqual(['svc.frames.v2', 'svc.token.abc']);
  });

  it('hands over gaps as the service tells them', async () => {
    const { told: reported, connection } = await setUpLive();
    connection.report({ event: 'gap', oldest_available: 10, newest_available: 20 });
    expect(reported.gaps).toEqual([{ event: 'gap', oldest_available: 10, newest_available: 20 }]);
  });

  it('goes on behind the last event after a break, and says why it broke', async () => {
    const { told: reported, connection } = await setUpLive();
    connection.send(aRecord({ eventId: 7 }));
    connection.break(1006);
    await settled(() => reported.states.at(-1) === 'reconnecting');
    expect(reported.error?.code).toBe('connection_lost');
    vi.advanceTimersByTime(250);
    const next = await service.connection(2);
    expect(next.after).toBe('7');
    next.open();
    expect([reported.states.at(-1), reported.error]).toEqual(['live', null]);
  });

  it('calls it no fault when the service closes in good order', async () => {
    const { told: reported, connection } = await setUpLive();
    connection.break(1001);
    await settled(() => reported.states.at(-1) === 'reconnecting');
    expect(reported.error).toBeNull();
  });

  it('waits longer with each attempt that fails, but not for ever', async () => {
    const { socket, told: reported } = setUp();
    service.refusal = { status: 503, code: 'busy', retryable: true };
    socket.start();
    let failures = 0;
    const failed = (): boolean => reported.states.length > failures + 1;
    for (const ms of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
      await settled(failed);
      failures++;
      vi.advanceTimersByTime(ms - 1);
      await Promise.resolve();
      expect(service.asked).toBe(failures);
      vi.advanceTimersByTime(1);
      await settled(() => service.asked > failures);
    }
    expect([reported.states.at(-1), reported.error?.code]).toEqual(['reconnecting', 'busy']);
  });

  it('asks for another token rather than trying again with a wrong one', async () => {
    const { socket, told: reported } = setUp();
    service.refusal = { status: 401, code: 'unauthorized', retryable: false };
    socket.start();
    await settled(() => reported.states.length > 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported.states).toEqual(['connecting', 'token']);
    expect([service.asked, service.sockets]).toEqual([1, []]);
  });

  it('says so where a WebSocket is refused that plain questions are not', async () => {
    const { socket, told: reported } = setUp();
    socket.start();
    const connection = await service.connection(1);
    connection.break(1006);
    await settled(() => reported.error !== null);
    expect(reported.error?.code).toBe('websocket_refused');
  });

  it('takes nothing more once it is stopped, and goes on there when it is started again', async () => {
    const { socket, told: reported, connection } = await setUpLive();
    connection.send(aRecord({ eventId: 1 }));
    socket.stop();
    connection.send(aRecord({ eventId: 2 }));
    connection.report({ event: 'gap', oldest_available: 10, newest_available: 20 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([reported.ids, reported.gaps, connection.isClosed]).toEqual([[1], [], true]);
    expect(service.sockets).toHaveLength(1);
    socket.start();
    expect((await service.connection(2)).after).toBe('1');
  });

  it('opens nothing if it is stopped while the service still thinks', async () => {
    const { socket } = setUp();
    let speak = (): void => {};
    service.silence = new Promise((done) => {
      speak = done;
    });
    socket.start();
    socket.stop();
    speak();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.sockets).toEqual([]);
  });

  it('drops a connection that is suspected to be dead, also one that replaced a stopped one', async () => {
    const { socket, told: reported, connection } = await setUpLive();
    // The old connection ends after the new one has started.
    socket.start();
    const second = await service.connection(2);
    second.open();
    expect(connection.isClosed).toBe(true);
    second.send(aRecord({ eventId: 5 }));
    socket.renew();
    vi.advanceTimersByTime(1000);
    expect(second.isClosed).toBe(true);
    await settled(() => reported.states.at(-1) === 'reconnecting');
    vi.advanceTimersByTime(250);
    expect((await service.connection(3)).after).toBe('5');
  });

  it('leaves a suspected connection alone on which something comes', async () => {
    const { socket, told: reported, connection } = await setUpLive();
    socket.renew();
    connection.send(aRecord({ eventId: 5 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([connection.isClosed, reported.states.at(-1)]).toEqual([false, 'live']);
  });
});
