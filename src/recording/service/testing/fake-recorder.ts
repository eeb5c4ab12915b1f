import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { type Remote, RpcPort } from '../../../base/threads/rpc-port.ts';
import type { Consumer } from '../../../broker/retention-record.ts';
import { noRecorderStatus, type RecorderStatus } from '../../recording-record.ts';
import type { RecordingRequest } from '../../recording-request.ts';
import type { RecorderRpc, RecorderStart, RecordingRpc } from '../recorder-contract.ts';

const never = new Promise<never>(() => undefined);

/** A recorder thread that records nothing, controlled by the test. */
export class FakeRecorder extends EventEmitter {
  readonly data: RecorderStart;
  readonly bench: Remote<RecordingRpc>;
  /** Received requests, in order. */
  readonly asked: unknown[] = [];
  /** While set, nothing is answered, as by a thread whose disk hangs. */
  hangs = false;
  /** Silent until `load` is called, as a thread on a slow machine. */
  isLoading = false;
  /** Set while it compresses its last file. */
  settling: Promise<void> = Promise.resolve();
  refusal: Error | undefined;
  isGone = false;
  record: RecorderStatus = noRecorderStatus;
  consumers: readonly Consumer[] = [];
  readonly #channel = new MessageChannel();
  readonly #unread: unknown[] = [];

  constructor(data: RecorderStart) {
    super();
    this.data = data;
    const { port1, port2 } = this.#channel;
    port1.on('message', (message) => this.emit('message', message));
    const offer: RecorderRpc = {
      begin: (request) => this.#answer(['begin', request], () => this.#begin(request)),
      channelOpening: ({ slot }) => this.#answer(['opening', slot], () => undefined),
      channelClosed: (slot) => this.#answer(['closed', slot], () => undefined),
      record: () => this.#answer(['record'], () => this.record),
      consumersOf: (slot) => this.#answer(['consumers', slot], () => this.consumers),
      finish: () => this.#answer(['finish'], () => ({ ...this.record, state: 'idle' as const })),
      settled: () => this.#answer(['settled'], () => this.settling),
    };
    this.bench = new RpcPort<RecordingRpc>(port2, offer, () => undefined).remote;
    // A thread that starts immediately, unless the test requests a slow one.
    queueMicrotask(() => {
      if (!this.isLoading) void this.bench.ready();
    });
  }

  postMessage(message: unknown): void {
    if (this.isLoading) this.#unread.push(message);
    else this.#channel.port1.postMessage(message);
  }

  load(): void {
    this.isLoading = false;
    void this.bench.ready();
    for (const message of this.#unread.splice(0)) this.postMessage(message);
  }

  async terminate(): Promise<number> {
    this.die();
    return 1;
  }

  die(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#channel.port1.close();
    this.emit('exit', 1);
  }

  #begin({ file, format }: RecordingRequest): RecorderStatus {
    if (this.refusal) throw this.refusal;
    this.record = { ...noRecorderStatus, state: 'running', file, format };
    return this.record;
  }

  #answer<T>(asked: unknown, answer: () => T): T {
    this.asked.push(asked);
    return this.hangs ? (never as T) : answer();
  }
}
