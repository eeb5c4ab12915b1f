import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  benchesDeclaration,
  framesStream,
  type StreamDeclaration,
  streamDeclarations,
} from '../../src/nats/streams.ts';
import { findFreePort } from '../scenario/support/ports.ts';
import { hasPeer } from './peers.ts';

const program = '/usr/sbin/nats-server';

export const hasNatsServer = (): boolean => hasPeer(program, 'nats-server');

const ready = /Server is ready/;

/** A JetStream server in a directory of the test, on a port that it keeps. */
export class NatsServer {
  readonly directory = mkdtempSync(join(tmpdir(), 'busbar-nats-'));
  #child: ChildProcess | undefined;
  #port = 0;
  #config: string;

  constructor(config = '') {
    this.#config = config;
  }

  static async started(config = ''): Promise<NatsServer> {
    const server = new NatsServer(config);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** Starts the process, again on the same port. */
  async start(config = this.#config): Promise<void> {
    this.#config = config;
    this.#port ||= await findFreePort();
    const file = join(this.directory, 'server.conf');
    const store = join(this.directory, 'store');
    writeFileSync(
      file,
      `listen: "127.0.0.1:${this.#port}"\njetstream { store_dir: ${JSON.stringify(store)} }\n${config}\n`,
    );
    const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (ready.test(line)) {
        child.stderr.resume();
        return;
      }
    }
    throw new Error(`nats-server did not start:\n${lines.join('\n')}`);
  }

  /** Ends the process immediately. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Stops the process where it is, with open connections. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Streams and bucket as a fleet has them, small enough for a test. */
export const declareStreams = async (
  nats: NatsConnection,
  change: Partial<StreamDeclaration> = {},
): Promise<JetStreamManager> => {
  const manager = await jetstreamManager(nats);
  const limits = { maxAgeSeconds: 3600, maxBytes: 64 * 1024 * 1024, replicas: 1 };
  for (const stream of streamDeclarations(limits)) {
    // biome-ignore lint/suspicious/noExplicitAny: the client has enumerations for these texts
    const declared: any = stream.name === framesStream ? { ...stream, ...change } : stream;
    await manager.streams.add(declared);
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  await manager.streams.add(benchesDeclaration(1) as any);
  return manager;
};

export const connectTo = (server: NatsServer): Promise<NatsConnection> =>
  connect({ servers: server.url, reconnect: true, maxReconnectAttempts: -1 });
