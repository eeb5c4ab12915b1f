import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import type { SubscribeEventsOptions } from '../../broker/reader-hub.ts';
import { messageStream } from '../../operations/message.ts';
import { type EventSource, eventStream, subscribeEvents } from '../sse/event-stream.ts';
import { EventStreams } from './event-streams.ts';

type Request = Parameters<EventStreams['openSse']>[1];
type Response = Parameters<EventStreams['openSse']>[2];

const request = (headers: Record<string, string> = {}) =>
  ({
    headers,
    socket: { setTimeout: () => 0, setKeepAlive: () => 0, setNoDelay: () => 0 },
  }) as unknown as Request;

/** The part of a response that a stream needs before it owns the connection. */
const response = () => {
  const closing: (() => void)[] = [];
  const ended: boolean[] = [];
  return {
    closing,
    ended,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    once: (event: string, listener: () => void) => {
      if (event === 'close') closing.push(listener);
    },
    end: () => ended.push(true),
    socket: null,
    destroyed: false,
  };
};

const setUp = () => {
  const subscribed: SubscribeEventsOptions[] = [];
  const closed: number[] = [];
  const events: EventSource = {
    resolve: async (selectors) => selectors?.map(Number) ?? null,
    selectorOf: String,
    subscribe: (options) => {
      subscribed.push(options);
      const number = subscribed.length;
      const ignore = () => undefined;
      const end = () => closed.push(number);
      options.sink.attach?.({
        hasBacklog: false,
        resume: ignore,
        last: ignore,
        close: ignore,
        end,
      });
    },
  };
  const streams = new EventStreams({
    clock: new FakeClock(),
    epoch: 7,
    capacity: 100,
    limits: { sse: 2, websocket: 1 },
    source: {
      sse: [eventStream(events)],
      subscribeFrames: (...wanted) => subscribeEvents(events, ...wanted),
    },
  });
  const open = async (query = {}, headers = {}) => {
    const answer = response();
    const sent = answer as unknown as Response;
    await streams.openSse(messageStream.id, request(headers), sent, query, {});
    return answer;
  };
  return { streams, subscribed, closed, open };
};

const codeOf = (opening: Promise<unknown>): Promise<unknown> =>
  opening.then(
    () => 'opened',
    (thrown) => thrown.code,
  );

describe('EventStreams', () => {
  it('starts live, behind after, or behind the last event that the client had', async () => {
    const { subscribed, open } = setUp();
    await open();
    const answer = await open({ after: 5 });
    for (const close of answer.closing) close();
    await open({ after: 5 }, { 'last-event-id': '9' });
    expect(subscribed.map(({ after }) => after)).toEqual([null, 5, 9]);
  });

  it.each(['x', '-1', '1.5', '01', '9007199254740993', '1 2'])(
    'refuses %j as the last event',
    async (id) => {
      const { open, subscribed } = setUp();
      expect(await codeOf(open({}, { 'last-event-id': id }))).toBe('invalid_argument');
      expect(subscribed).toEqual([]);
    },
  );

  it('takes an empty last event for none', async () => {
    const { subscribed, open } = setUp();
    await open({}, { 'last-event-id': '' });
    expect(subscribed[0]?.after).toBeNull();
  });

  it('serves as many as its limit allows, and another one when one has gone', async () => {
    const { streams, open } = setUp();
    const first = await open();
    await open();
    expect(await codeOf(open())).toBe('too_many_clients');
    expect(streams.count('sse')).toBe(2);
    for (const close of first.closing) close();
    expect(await codeOf(open())).toBe('opened');
  });

  it('counts those that come while channels are looked up', async () => {
    const { open } = setUp();
    const codes = await Promise.all([codeOf(open()), codeOf(open()), codeOf(open())]);
    expect(codes).toEqual(['opened', 'opened', 'too_many_clients']);
  });

  it('lets every stream go when the service ends', async () => {
    const { streams, closed, open } = setUp();
    await Promise.all([open(), open()]);
    streams.close();
    expect(closed.sort()).toEqual([1, 2]);
  });
});
