import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Clock } from '../../../base/clock/clock.ts';
import { SystemClock } from '../../../base/clock/system-clock.ts';
import { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import { YieldQueue } from '../../../base/clock/yield-queue.ts';
import { Deferred } from '../../../base/deferred.ts';
import { ScratchPool } from '../../../base/scratch-pool.ts';
import { eventually } from '../../../base/testing/eventually.ts';
import { Connection } from '../../../link/connection.ts';
import { encodeLine, type Hello, linkProtocol } from '../../../link/protocol.ts';
import { defineOperation } from '../../../operations/define.ts';
import { type Call, Dispatcher } from '../../../operations/dispatcher.ts';
import type { OpenStream, StreamReply } from '../../../operations/stream.ts';
import { IpcServer } from '../server.ts';

export const hello: Hello = { busbar: linkProtocol, version: '2.0.0', pid: 77 };
export const greeting = encodeLine({ busbar: linkProtocol, version: '1.0.0', pid: 1 });

export const request = (id: number, operation = 'echo', values: object = {}): string =>
  encodeLine({ id, operation, arguments: values, project: null });

const sample = (id: string, streaming = false) =>
  defineOperation({
    id,
    summary: 'A sample',
    parameters: { n: Type.Optional(Type.Integer()) },
    result: Type.Unknown(),
    errors: [],
    permission: 'observe',
    execution: { place: 'client', daemon: 'required', streaming },
    cli: null,
    http: { none: 'a sample' },
  });

const echo = sample('echo');
const fail = sample('fail');
const hold = sample('hold');
const watch = sample('watch', true);

/** An open stream controlled by the test. */
export interface OpenedStream {
  readonly call: Call;
  readonly sink: StreamReply;
  /** How often the stream was closed. */
  closed: number;
}

/** A caller that sends arbitrary messages and records the responses. */
export class RawCaller {
  readonly socket: Socket;
  received = '';

  constructor(path: string) {
    this.socket = createConnection({ path, allowHalfOpen: true });
    this.socket.setEncoding('utf8');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (text: string) => {
      this.received += text;
    });
  }

  send(text: string | Buffer): void {
    this.socket.write(text);
  }

  get messages(): Record<string, unknown>[] {
    return this.received
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  async hasReceived(count: number): Promise<Record<string, unknown>[]> {
    await eventually(() => this.messages.length >= count);
    return this.messages;
  }

  async dismissed(): Promise<void> {
    if (!this.socket.readableEnded) await once(this.socket, 'end');
  }
}

/**
 * A server on its own socket: `echo` answers immediately, `fail` throws, `hold` waits for the
 * test, `watch` streams what the test says.
 */
export class IpcBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-ipc-'));
  readonly path = join(this.folder, 'd.sock');
  readonly calls: Call[] = [];
  readonly held: Deferred<unknown>[] = [];
  readonly streams: OpenedStream[] = [];
  /** Opening a stream waits for this promise. */
  opening = (): Promise<void> => Promise.resolve();
  readonly defects: unknown[] = [];
  thrown: unknown;
  readonly #callers: RawCaller[] = [];
  readonly #links: Connection[] = [];

  readonly #dispatcher = new Dispatcher([echo, fail, hold, watch])
    .bind(echo, (call) => {
      this.calls.push(call as unknown as Call);
      return call.arguments;
    })
    .bind(fail, () => {
      throw this.thrown;
    })
    .bind(hold, (call) => {
      const deferred = new Deferred<unknown>();
      this.calls.push(call as unknown as Call);
      this.held.push(deferred);
      return deferred.promise;
    })
    .bindStream(watch, async (call, sink): Promise<OpenStream> => {
      const stream: OpenedStream = { call: call as unknown as Call, sink, closed: 0 };
      this.streams.push(stream);
      await this.opening();
      return { close: () => void stream.closed++ };
    });

  readonly server = this.serverAt(this.path);

  serverAt(socket: string, clock: Clock = new SystemClock()): IpcServer {
    const onDefect = (thrown: unknown): void => void this.defects.push(thrown);
    return new IpcServer({
      clock,
      socket,
      hello,
      dispatcher: this.#dispatcher,
      turns: new YieldQueue(),
      scratch: new ScratchPool(),
      onDefect,
    });
  }

  /** A caller that follows no rules. */
  raw(): RawCaller {
    const caller = new RawCaller(this.path);
    this.#callers.push(caller);
    return caller;
  }

  /** A caller like the CLI; null if no server listens. */
  async tryConnect(): Promise<Connection | null> {
    const clock = new FakeClock();
    const link = await Connection.open({ socket: this.path, version: '1.0.0', clock });
    if (link) this.#links.push(link);
    return link;
  }

  async connect(): Promise<Connection> {
    const link = await this.tryConnect();
    if (!link) throw new Error('no server listens');
    return link;
  }

  /** The nth stream, once it is open. */
  async stream(index = 0): Promise<OpenedStream> {
    await eventually(() => this.streams.length > index);
    return this.streams[index] as OpenedStream;
  }

  async close(): Promise<void> {
    for (const { socket } of this.#callers) socket.destroy();
    for (const link of this.#links) link.close();
    this.server.stopListening();
    await eventually(() => this.server.callers === 0);
    rmSync(this.folder, { recursive: true });
  }
}
