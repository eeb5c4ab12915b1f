import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  Bench,
  RequestTimeout,
  Stream,
  StreamTimeout,
  Unreachable,
  type WebSocketConstructor,
} from '../../clients/typescript/src/index.ts';
import { openEvents, openFrames, type Position } from '../../clients/typescript/src/sources.ts';
import type { Source, StreamOptions } from '../../clients/typescript/src/stream.ts';
import { eventually } from '../support/workbench.ts';

/** A connection that delivers the items of the test. */
class TestSource implements Source<number> {
  readonly isOver = false;
  isClosed = false;
  readonly #waiting: (number[] | null)[] = [];
  #ready = (): void => {};

  report(...items: number[]): void {
    this.#put(items);
  }

  cut(): void {
    this.#put(null);
  }

  async read(): Promise<readonly number[] | null> {
    if (this.#waiting.length === 0) {
      await new Promise<void>((ready) => {
        this.#ready = ready;
      });
    }
    return this.#waiting.shift() ?? null;
  }

  /** The peer is not notified: it may disappear silently. */
  close(): void {
    this.isClosed = true;
  }

  #put(items: number[] | null): void {
    this.#waiting.push(items);
    this.#ready();
  }
}

/**
 * A stream over consecutive connections; `refuse` makes the next ones fail, and they wait for
 * `answer`.
 */
const openStream = async (options: StreamOptions = {}) => {
  const sources: TestSource[] = [];
  const state = { refuse: false, dials: 0, answer: async (): Promise<void> => {} };
  const connect = async () => {
    state.dials++;
    await state.answer();
    if (state.refuse) throw new Unreachable('gone');
    sources.push(new TestSource());
    return sources.at(-1) as TestSource;
  };
  const stream = await Stream.open<number>(connect, async () => null, options);
  onTestFinished(() => stream.close());
  return { stream, sources, state };
};

const values = async (results: Promise<{ value?: unknown }>[]) =>
  (await Promise.all(results)).map(({ value }) => value);

describe('a stream of the TypeScript client', () => {
  afterEach(() => void vi.useRealTimers());

  it('gives each item once to calls that wait at the same time', async () => {
    const { stream, sources, state } = await openStream();
    const waiting = [stream.next(), stream.next()];
    sources[0]?.report(1, 2, 3);
    expect(await values(waiting)).toEqual([1, 2]);
    expect(await stream.next()).toMatchObject({ value: 3 });

    const more = [stream.next(), stream.next()];
    sources[0]?.cut();
    await eventually(() => sources.length === 2);
    sources[1]?.report(4, 5);
    expect(await values(more)).toEqual([4, 5]);
    expect(state.dials).toBe(2);
  });

  it('ends the call that waits when it is closed, although nothing is heard', async () => {
    const { stream, sources } = await openStream();
    const waiting = stream.next();
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(sources[0]?.isClosed).toBe(true);
  });

  it('does not try again once it is closed', async () => {
    const { stream, sources, state } = await openStream();
    state.refuse = true;
    const waiting = stream.next();
    sources[0]?.cut();
    await eventually(() => state.dials > 1);
    stream.close();
    const { dials } = state;
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(state.dials).toBe(dials);
  });

  it('waits longer and longer where connections end as soon as they are made', async () => {
    vi.useFakeTimers();
    const { stream, sources } = await openStream();
    const waiting = stream.next();
    const dialed: number[] = [];
    const began = Date.now();
    while (sources.length < 9) {
      const made = sources.length;
      sources.at(-1)?.cut();
      while (sources.length === made) await vi.advanceTimersByTimeAsync(1);
      dialed.push(Date.now() - began);
    }
    const pauses = dialed.map((at, index) => at - (dialed[index - 1] ?? 0));
    for (const [index, pause] of [0, 50, 100, 200, 400, 800, 1600, 2000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(pause);
      expect(pauses[index]).toBeLessThan(pause + 10);
    }
    sources.at(-1)?.report(7);
    expect(await waiting).toMatchObject({ value: 7 });

    const next = stream.next();
    sources.at(-1)?.cut();
    await vi.advanceTimersByTimeAsync(1);
    sources[9]?.report(8);
    expect(await next).toMatchObject({ value: 8 });
  });

  it('waits no longer for a connection than for an item, and leaves it to the next call', async () => {
    const { stream, sources, state } = await openStream();
    let answer = (): void => {};
    state.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    sources[0]?.cut();
    for (let call = 0; call < 3; call++) {
      await expect(stream.next(1)).rejects.toBeInstanceOf(StreamTimeout);
    }
    answer();
    await eventually(() => sources.length === 2);
    sources[1]?.report(1);
    expect(await stream.next()).toMatchObject({ value: 1 });
    expect(state.dials).toBe(2);
  });

  it.each([
    ['at once', 0],
    ['after longer than a call waits', 500],
  ])(
    'gives up over calls that wait for less, where it is refused %s',
    async (_, refusedAfterMs) => {
      vi.useFakeTimers();
      const { stream, sources, state } = await openStream({ timeoutMs: 400, reconnectMs: 1000 });
      state.refuse = true;
      state.answer = () => new Promise((resolve) => setTimeout(resolve, refusedAfterMs));
      sources[0]?.cut();
      /** Results of successive calls until one fails. */
      const abandon = async (): Promise<string[]> => {
        const names: string[] = [];
        while (names.at(-1) !== 'Unreachable' && names.length < 20) {
          const call = stream.next().catch((error: Error) => error.name);
          await vi.advanceTimersByTimeAsync(400);
          names.push(String(await call));
        }
        return names;
      };
      const timeouts = ['StreamTimeout', 'StreamTimeout'];
      const first = await abandon();
      expect(first.slice(0, 2)).toEqual(timeouts);
      expect(first.at(-1)).toBe('Unreachable');
      // The next call starts over, with the same time limit.
      const second = await abandon();
      expect(second.slice(0, 2)).toEqual(timeouts);
      expect(second.at(-1)).toBe('Unreachable');

      state.refuse = false;
      const call = stream.next(60_000);
      while (sources.length < 2) await vi.advanceTimersByTimeAsync(1);
      sources[1]?.report(1);
      expect(await call).toMatchObject({ value: 1 });
    },
  );

  it('tries once more where the time to give up has passed between two calls', async () => {
    vi.useFakeTimers();
    const { stream, sources, state } = await openStream({ reconnectMs: 1000 });
    state.refuse = true;
    sources[0]?.cut();
    const call = expect(stream.next(400)).rejects.toBeInstanceOf(StreamTimeout);
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    state.refuse = false;
    const later = stream.next(400);
    while (sources.length < 2) await vi.advanceTimersByTimeAsync(1);
    sources[1]?.report(1);
    expect(await later).toMatchObject({ value: 1 });
  });

  it('leaves a connection that is dead, also where every call waits for a short time', async () => {
    vi.useFakeTimers();
    const { stream, sources } = await openStream({ timeoutMs: 10_000 });
    for (let call = 0; call < 6; call++) {
      const waiting = expect(stream.next()).rejects.toBeInstanceOf(StreamTimeout);
      await vi.advanceTimersByTimeAsync(10_001);
      await waiting;
    }
    expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });
});

/** Answers info, and then accepts streams without sending anything. */
const silentService = async (): Promise<string> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    if (/stream|ws/.test(request.url ?? '')) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ service: { instance_id: 'a' }, newest_available: 0 }));
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('upgrade', () => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe('the streams of a service that does not answer', () => {
  it('are given up in the time that a request may take', async () => {
    const bench = new Bench(await silentService(), {
      timeoutMs: 200,
      WebSocket: WebSocket as unknown as WebSocketConstructor,
    });
    await expect(bench.frames()).rejects.toBeInstanceOf(RequestTimeout);
    await expect(bench.binaryFrames()).rejects.toBeInstanceOf(RequestTimeout);
  });
});

describe('an event that cannot be read', () => {
  it('is told behind those before it, and nothing behind it is skipped', async () => {
    const after: (string | null)[] = [];
    const server = createServer(({ url }, response) => {
      after.push(new URL(url ?? '', 'http://x').searchParams.get('after'));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        'id: 7\nevent: n\ndata: 7\n\nid: 8\nevent: n\ndata: {\n\nid: 9\nevent: n\ndata: 9\n\n',
      );
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const position: Position = { after: 0 };
    const stream = await Stream.open<number>(
      () =>
        openEvents(
          `${url}?after=${position.after}`,
          null,
          position,
          (_, data) => Number(data),
          60_000,
        ),
      async () => null,
      {},
    );
    onTestFinished(() => stream.close());
    expect(await stream.next()).toEqual({ done: false, value: 7 });
    await expect(stream.next()).rejects.toBeInstanceOf(SyntaxError);
    expect(await stream.next()).toEqual({ done: false, value: 7 });
    expect(after).toEqual(['0', '7']);
  });
});

describe('a record that cannot be read', () => {
  it('is an error of the call that waits for it, each time it comes', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => {
      for (const client of server.clients) client.terminate();
      server.close();
    });
    server.on('connection', (client) => client.send(Buffer.from('no record')));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stream = await Stream.open(
      () =>
        openFrames(
          WebSocket as unknown as WebSocketConstructor,
          `ws://127.0.0.1:${port}/`,
          null,
          { after: null },
          60_000,
        ),
      async () => null,
      {},
    );
    onTestFinished(() => stream.close());
    for (let time = 0; time < 2; time++) {
      await expect(stream.next()).rejects.toThrow('This is no FRM2 record');
    }
  });
});
