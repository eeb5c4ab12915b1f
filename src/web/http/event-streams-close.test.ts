import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import type { SubscriptionHandle } from '../../base/subscription.ts';
import { messageStream } from '../../operations/message.ts';
import { type EventSource, eventStream, subscribeEvents } from '../sse/event-stream.ts';
import { EventStreams } from './event-streams.ts';

type Request = Parameters<EventStreams['openSse']>[1];
type Response = Parameters<EventStreams['openSse']>[2];

/** A connection whose client reads everything and never sends anything. */
const silentClient = (): Duplex =>
  new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });

/** A request, and the methods of its connection that are used. */
const setUpRequest = (headers: Record<string, string> = {}) => {
  const asked: Record<string, unknown[]> = {};
  const note =
    (option: string) =>
    (...args: unknown[]): void => {
      asked[option] = args;
    };
  const socket = {
    setTimeout: note('setTimeout'),
    setKeepAlive: note('setKeepAlive'),
    setNoDelay: note('setNoDelay'),
  };
  return { asked, request: { method: 'GET', headers, socket } as unknown as Request };
};

const response = () =>
  ({
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    once: () => undefined,
    end: () => undefined,
    socket: null,
    destroyed: false,
  }) as unknown as Response;

const handshake = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
  'sec-websocket-protocol': 'svc.frames.v2',
};

const setUp = (resolve: () => Promise<null> = async () => null) => {
  const clock = new FakeClock();
  const calls: string[] = [];
  const note = (call: string) => () => void calls.push(call);
  const events: EventSource = {
    resolve,
    selectorOf: String,
    subscribe: ({ sink }) => {
      calls.push('subscribe');
      const [resume, last, close, end] = ['resume', 'last', 'close', 'end'].map(note);
      sink.attach?.({ hasBacklog: false, resume, last, close, end } as SubscriptionHandle);
    },
  };
  const streams = new EventStreams({
    clock,
    epoch: 7,
    capacity: 100,
    limits: { sse: 2, websocket: 2 },
    source: {
      sse: [eventStream(events)],
      subscribeFrames: (...wanted) => subscribeEvents(events, ...wanted),
    },
  });
  const upgrade = (socket = silentClient()) => {
    const { asked, request } = setUpRequest(handshake);
    const opening = streams.openWebSocket(request, socket, Buffer.alloc(0), {}, {});
    return { asked, opening, socket };
  };
  return { clock, streams, upgrade, calls };
};

describe('streams of events that close', () => {
  it('is followed by hanging up on clients that do not react, after half a second', async () => {
    const { clock, streams, upgrade } = setUp();
    const clients = [upgrade(), upgrade()];
    await Promise.all(clients.map(({ opening }) => opening));
    streams.close();
    const hungUp = () => clients.map(({ socket }) => socket.destroyed);
    await nextTurn();
    clock.advanceUs(499_000);
    expect(hungUp()).toEqual([false, false]);
    clock.advanceUs(1_000);
    expect(hungUp()).toEqual([true, true]);
  });

  it('is spared those that wait for their channels: they are hung up on at once', async () => {
    const channels = new Deferred<null>();
    const { clock, streams, upgrade, calls } = setUp(() => channels.promise);
    const { opening, socket } = upgrade();
    streams.close();
    expect([socket.destroyed, clock.pendingTimers]).toEqual([true, 0]);
    channels.resolve(null);
    await opening;
    expect(calls).toEqual(['subscribe', 'close']);
  });

  it('leaves alone those whose look-up was refused before', async () => {
    const channels = new Deferred<null>();
    const { streams, upgrade } = setUp(() => channels.promise);
    const { opening, socket } = upgrade();
    channels.reject(new TypeError('no such channel'));
    await expect(opening).rejects.toThrow('no such channel');
    streams.close();
    // The caller that opened the stream still has a response to send.
    expect(socket.destroyed).toBe(false);
  });
});

describe('the connection of a stream', () => {
  const keptOpen = { setTimeout: [0], setKeepAlive: [true, 30_000], setNoDelay: [true] };

  it('of server-sent events has no time limit and sends without delay', async () => {
    const { streams } = setUp();
    const { asked, request } = setUpRequest();
    await streams.openSse(messageStream.id, request, response(), {}, {});
    expect(asked).toEqual(keptOpen);
  });

  it('of frames has no time limit and sends without delay', async () => {
    const { upgrade } = setUp();
    const { asked, opening, socket } = upgrade();
    await opening;
    expect(asked).toEqual(keptOpen);
    socket.destroy();
  });
});
