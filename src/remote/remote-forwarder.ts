import type { Clock, Timer } from '../base/clock/clock.ts';
import { formatHostPort, type HostPort } from '../base/net/host-port.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import type { Consumer } from '../broker/retention-record.ts';
import { BusQueue } from './bus-queue.ts';
import { payloadLimit } from './cannelloni-layout.ts';
import { FrameLog } from './frame-log.ts';
import { Peer } from './peer.ts';
import { PeerBatcher } from './peer-batcher.ts';
import type { DatagramSocket, ForwardChannel, SocketEvents } from './ports.ts';
import type { RemoteFailure, RemoteRecord, RemoteState } from './remote-record.ts';

export const defaultRemoteListen = '127.0.0.1:20000';
export const maxPeers = 16;
export const maxForwardedChannels = 16;
export const remoteBufferUs = { default: 2000, maximum: 1_000_000 } as const;
export const remoteMaxAgeMs = { minimum: 1, maximum: 3_600_000 } as const;

const waitingFrames = 16_384;

interface BacklogWatchOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly maxAgeUs: number;
}

const looksPerLimit = 4;

const periodBoundsUs = { least: 5000, max: 50_000 } as const;

/** Node reads at least this many per poll. */
const datagramsPerPoll = 32;

/**
 * Bounds the time that datagrams waited in the kernel: at most since the socket was last empty,
 * which is checked periodically. After the thread or process was suspended too long, datagrams
 * count as stale until the socket is empty again.
 */
class BacklogWatch {
  readonly #clock: Clock;
  readonly #limitUs: number;
  readonly #lookTask: Task;
  readonly #pollTask: Task;
  #timer: Timer | undefined;
  #emptyUs: number;
  #isLooking = false;
  #lookedUs = 0;
  #readSinceLooked = 0;

  constructor({ clock, scheduler, maxAgeUs }: BacklogWatchOptions) {
    const { least, max: most } = periodBoundsUs;
    const periodUs = Math.min(Math.max(maxAgeUs / looksPerLimit, least), most);
    this.#clock = clock;
    // With a lower limit, a thread between two checks would count as blocked.
    this.#limitUs = Math.max(maxAgeUs, looksPerLimit * least);
    this.#emptyUs = clock.monotonicUs();
    this.#lookTask = scheduler.createTask('remote backlog', (nowUs) => {
      this.#look();
      return nowUs + periodUs;
    });
    this.#pollTask = scheduler.createTask('remote backlog poll', () => {
      this.#timer = clock.after(0, this.#endLook);
      return undefined;
    });
    if (Number.isFinite(maxAgeUs)) this.#lookTask.scheduleAt(this.#emptyUs + periodUs);
  }

  isStale(nowUs: number): boolean {
    this.#readSinceLooked++;
    if (nowUs - this.#emptyUs <= this.#limitUs) return false;
    this.#look();
    return true;
  }

  close(): void {
    this.#isLooking = true;
    this.#timer?.cancel();
    this.#lookTask.cancel();
    this.#pollTask.cancel();
  }

  /**
   * Timers run before sockets are polled, and the alarm is polled with them. Between one timer,
   * the alarm and the next timer, every socket was polled.
   */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#timer = this.#clock.after(0, this.#beginLook);
  }

  readonly #beginLook = (): void => {
    this.#lookedUs = this.#clock.monotonicUs();
    this.#readSinceLooked = 0;
    this.#pollTask.scheduleAt(this.#lookedUs);
  };

  readonly #endLook = (): void => {
    if (this.#readSinceLooked >= datagramsPerPoll) {
      this.#beginLook();
      return;
    }
    this.#isLooking = false;
    // Not the current time: the process may have paused since the poll.
    this.#emptyUs = this.#lookedUs;
  };
}

export interface RemoteForwarderOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly socket: DatagramSocket;
  readonly peers: readonly HostPort[];
  readonly channels: readonly ForwardChannel[];
  readonly maxAgeUs: number;
  readonly bufferUs: number;
  readonly payloadLimit?: number;
  readonly waitingFrames?: number;
}

const framesPerTurn = 128;

const keyOf = (address: string, port: number): string => `${address} ${port}`;

export class RemoteForwarder implements SocketEvents {
  readonly #clock: Clock;
  readonly #socket: DatagramSocket;
  readonly #maxAgeUs: number;
  readonly #bufferUs: number;
  readonly #startedAtUs: number;
  readonly #queues: readonly BusQueue[];
  readonly #peers: readonly Peer[];
  readonly #peersByKey: ReadonlyMap<string, Peer>;
  readonly #batcher: PeerBatcher;
  readonly #backlog: BacklogWatch;
  #state: RemoteState = 'running';
  #error: RemoteFailure | null = null;
  #strangers = 0;
  #lastOverruns: number | null = null;
  #sendErrors = 0;

  constructor(options: RemoteForwarderOptions) {
    const { clock, scheduler, socket, channels, peers, maxAgeUs, bufferUs } = options;
    this.#clock = clock;
    this.#socket = socket;
    this.#maxAgeUs = maxAgeUs;
    this.#bufferUs = bufferUs;
    this.#startedAtUs = clock.unixUs();
    const log = new FrameLog(options.waitingFrames ?? waitingFrames);
    this.#queues = channels.map(
      (channel) =>
        new BusQueue({
          channel,
          clock,
          scheduler,
          log,
          maxAgeUs,
          framesPerTurn: Math.ceil(framesPerTurn / channels.length),
          onClosed: () => this.#leave(channel),
        }),
    );
    this.#peers = peers.map((address) => new Peer(address, log));
    this.#peersByKey = new Map(
      this.#peers.map((peer) => [keyOf(peer.address.host, peer.address.port), peer]),
    );
    this.#batcher = new PeerBatcher({
      clock,
      scheduler,
      memory: options.memory,
      bell: options.bell,
      rings: channels.map(({ ring }) => ring),
      socket,
      peers: this.#peers,
      payloadLimit: options.payloadLimit ?? payloadLimit.ipv4,
      bufferUs,
      maxAgeUs,
    });
    this.#backlog = new BacklogWatch({ clock, scheduler, maxAgeUs });
    socket.attach(this);
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  datagram(bytes: Uint8Array, address: string, port: number): void {
    const nowUs = this.#clock.monotonicUs();
    const isStale = this.#backlog.isStale(nowUs);
    const peer = this.#peersByKey.get(keyOf(address, port));
    if (!peer) {
      this.#strangers++;
      return;
    }
    for (const queue of this.#queues) queue.catchUp();
    const expired = peer.receive(bytes, nowUs, this.#clock.unixUs(), isStale);
    for (const queue of this.#queues) {
      queue.expire(expired);
      queue.serve(nowUs);
    }
  }

  drained(): void {
    this.#batcher.resume();
  }

  sendFailed(): void {
    this.#sendErrors++;
  }

  failed(reason: string): void {
    this.#fail({ reason: 'socket_failed', message: `The socket failed: ${reason}` });
  }

  consumers(slot: number): Consumer[] {
    const { reader } = this.#batcher;
    if (!this.isRunning || !reader.follows(slot)) return [];
    return [{ kind: 'forward', cursor: reader.position, lag: reader.lagOf(slot) }];
  }

  /** Stops in any state. The record stays available. */
  close(): void {
    if (this.isRunning) this.#end();
    this.#state = 'idle';
  }

  record(): RemoteRecord {
    const batcher = this.#batcher;
    const isLimited = Number.isFinite(this.#maxAgeUs);
    return {
      state: this.#state,
      listen: formatHostPort(this.#socket.local),
      peers: this.#peers.map((peer) => peer.record()),
      channels: this.#queues.map((queue) => queue.record()),
      max_age_ms: isLimited ? this.#maxAgeUs / 1000 : null,
      buffer_us: this.#bufferUs,
      frames_to_peers: batcher.frames,
      frames_from_peers: this.#peers.reduce((sum, { framesReceived }) => sum + framesReceived, 0),
      gaps: batcher.gaps,
      missed: batcher.missed,
      expired: batcher.expired,
      strangers: this.#strangers,
      overruns: this.isRunning ? this.#socket.overruns() : this.#lastOverruns,
      send_errors: this.#sendErrors,
      started_at_us: this.#startedAtUs,
      error: this.#error,
    };
  }

  #leave({ slot }: ForwardChannel): void {
    this.#batcher.leave(slot);
    if (this.#queues.some(({ isOpen }) => isOpen)) return;
    this.#fail({ reason: 'channel_closed', message: 'All forwarded channels were closed' });
  }

  #fail(error: RemoteFailure): void {
    if (!this.isRunning) return;
    this.#end();
    this.#state = 'failed';
    this.#error = error;
  }

  #end(): void {
    this.#batcher.close();
    for (const queue of this.#queues) queue.close();
    this.#backlog.close();
    this.#lastOverruns = this.#socket.overruns();
    this.#sendErrors += this.#socket.close();
  }
}
