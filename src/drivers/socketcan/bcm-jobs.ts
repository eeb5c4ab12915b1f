import { readFileSync, readlinkSync } from 'node:fs';
import type { CyclicJob, OffloadedCyclic } from '../can-offload.ts';
import { cyclicMessage, sentInList, tellsExpiry } from './bcm-message.ts';
import { type CanCalls, callFailed } from './can-calls.ts';
import { interfaceAddress } from './raw-socket.ts';

const canFamily = 29;
const datagramType = 2;
const bcmProtocol = 2;
const nonblockingClosedOnExec = 0o4000 | 0o2000000;
const messageBytes = 128;

/** Sockets that one channel may have for jobs. */
const mostJobs = 64;

/** Where jobs run: on an interface, while its channel may send. */
export interface BcmPlace {
  readonly name: string;
  readonly index: number;
}

/** The file in which the kernel lists the jobs of a socket. */
const listOf = (fd: number): string | undefined => {
  const inode = /\[(\d+)\]/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
  return inode && `/proc/net/can-bcm/${inode}`;
};

/** A job that the kernel has. It ends with its socket, however that is closed. */
class RunningJob {
  readonly #calls: CanCalls;
  readonly #fd: number;
  readonly #list: string | undefined;
  readonly #watch: { close(): void };

  constructor(calls: CanCalls, place: BcmPlace, message: Uint8Array, onExpired: () => void) {
    this.#calls = calls;
    this.#fd = calls.socket(canFamily, datagramType | nonblockingClosedOnExec, bcmProtocol);
    if (this.#fd < 0) throw callFailed('socket', calls.errno(), place.name);
    const address = interfaceAddress(place.index);
    const isConnected = calls.connect(this.#fd, address, address.length) === 0;
    if (!isConnected || calls.write(this.#fd, message, message.length) !== message.length) {
      const errno = calls.errno();
      calls.close(this.#fd);
      throw callFailed(isConnected ? 'write' : 'connect', errno, place.name);
    }
    this.#list = listOf(this.#fd);
    const told = new Uint8Array(messageBytes);
    this.#watch = calls.watch(this.#fd, place.name, () => {
      const length = calls.read(this.#fd, told, told.length);
      if (tellsExpiry(told, Number(length))) onExpired();
    });
  }

  /** Null where the kernel does not tell. */
  get sent(): number | null {
    try {
      return (
        (this.#list === undefined ? undefined : sentInList(readFileSync(this.#list, 'utf8'))) ??
        null
      );
    } catch {
      return null;
    }
  }

  close(): void {
    this.#watch.close();
    this.#calls.close(this.#fd);
  }
}

/** A cyclic job through changes of the interface: the kernel has it whenever the channel may send. */
class BcmJob implements OffloadedCyclic {
  /** The kernel counts no frames that it failed to send. */
  readonly failed = null;
  readonly lastRefusal = undefined;
  isFinished = false;
  readonly #calls: CanCalls;
  readonly #job: CyclicJob;
  readonly #onEnd: (job: BcmJob) => void;
  #running: RunningJob | undefined;
  #sentBefore: number | null = 0;

  constructor(calls: CanCalls, job: CyclicJob, onEnd: (job: BcmJob) => void) {
    this.#calls = calls;
    this.#job = { ...job, data: job.data.slice() };
    this.#onEnd = onEnd;
  }

  get sent(): number | null {
    if (this.isFinished) return this.#job.count;
    if (!this.#running) return this.#sentBefore;
    const { sent } = this.#running;
    return sent === null || this.#sentBefore === null ? null : this.#sentBefore + sent;
  }

  begin(place: BcmPlace): void {
    if (this.#running || this.isFinished) return;
    const { count } = this.#job;
    const left = count === 0 ? 0 : count - (this.#sentBefore ?? 0);
    const message = cyclicMessage(this.#job, left);
    this.#running = new RunningJob(this.#calls, place, message, () => {
      this.isFinished = true;
      this.#onEnd(this);
    });
  }

  pause(): void {
    this.#sentBefore = this.sent;
    this.#running?.close();
    this.#running = undefined;
  }

  stop(): void {
    this.pause();
    this.#onEnd(this);
  }
}

/** What the kernel sends for a channel, each job through a socket of its own. */
export class BcmJobs {
  readonly #calls: CanCalls;
  readonly #jobs = new Set<BcmJob>();
  #place: BcmPlace | undefined;

  constructor(calls: CanCalls) {
    this.#calls = calls;
  }

  /** Undefined if there are too many. Throws where the kernel has no broadcast manager. */
  start(asked: CyclicJob): OffloadedCyclic | undefined {
    if (this.#jobs.size >= mostJobs) return undefined;
    const job = new BcmJob(this.#calls, asked, (ended) => {
      this.#jobs.delete(ended);
      ended.pause();
    });
    if (this.#place) job.begin(this.#place);
    this.#jobs.add(job);
    return job;
  }

  /** The channel may send, on this interface. */
  resume(place: BcmPlace): void {
    this.#place = place;
    for (const job of [...this.#jobs]) job.begin(place);
  }

  /** It may not, for now. */
  pause(): void {
    this.#place = undefined;
    for (const job of this.#jobs) job.pause();
  }

  /** It never will again. */
  end(): void {
    this.pause();
    this.#jobs.clear();
  }
}
