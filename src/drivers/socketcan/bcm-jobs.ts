import { readFileSync, readlinkSync } from 'node:fs';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { CyclicJob, OffloadedCyclic } from '../can-offload.ts';
import { type CanCalls, callFailed } from './can-calls.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';
import { interfaceAddress } from './raw-socket.ts';

/**
 * Messages of the kernel's broadcast manager (can/bcm.h), which sends frames without this process:
 *
 *     0        4       8       16           32           48      52       56
 *     | opcode | flags | count | interval 1 | interval 2 | id    | frames | frame …
 *
 * An interval is seconds and microseconds, 64 bits each. The kernel sends `count` frames every
 * interval 1, then one every interval 2. The first frame is sent immediately.
 */

const headBytes = 56;

const opcode = { setUp: 1, expired: 9 } as const;

const flag = { setTimer: 0x1, startTimer: 0x2, reportExpiry: 0x4, fdFrame: 0x800 } as const;

const putInterval = (view: DataView, at: number, us: number): void => {
  view.setBigInt64(at, BigInt(Math.floor(us / 1e6)), true);
  view.setBigInt64(at + 8, BigInt(Math.floor(us % 1e6)), true);
};

export const cyclicMessage = (job: CyclicJob, count: number): Uint8Array => {
  const { id, flags, dlc, data, periodUs } = job;
  const buffer = new ArrayBuffer(headBytes + rawSlotBytes);
  const frames = new RawFrames(buffer, headBytes, 1);
  const used = frames.write(0, id, flags, dlc, data, 0, data.length);
  const view = new DataView(buffer);
  const isFd = (flags & frameFlag.fd) !== 0;
  const options = flag.setTimer | flag.startTimer | (count > 0 ? flag.reportExpiry : 0);
  view.setUint32(0, opcode.setUp, true);
  view.setUint32(4, options | (isFd ? flag.fdFrame : 0), true);
  view.setUint32(8, count, true);
  putInterval(view, count > 0 ? 16 : 32, periodUs);
  view.setUint32(48, frames.word(0), true);
  view.setUint32(52, 1, true);
  return new Uint8Array(buffer, 0, headBytes + used);
};

export const reportsExpiry = (message: Uint8Array, length: number): boolean =>
  length >= headBytes &&
  new DataView(message.buffer, message.byteOffset).getUint32(0, true) === opcode.expired;

/** Number of frames sent, from a kernel line such as `tx_op: 123 vcan0 [1] t2=100000 # sent 42`. */
export const sentInList = (list: string): number | undefined => {
  const sent = /^\s*tx_op:.*# sent (\d+)/m.exec(list)?.[1];
  return sent === undefined ? undefined : Number(sent);
};

const canFamily = 29;
const datagramType = 2;
const bcmProtocol = 2;
const nonblockingClosedOnExec = 0o4000 | 0o2000000;
const messageBytes = 128;

const maxJobs = 64;

export interface BcmInterface {
  readonly name: string;
  readonly index: number;
}

export type ReadJobList = (fd: number) => string | undefined;

const readJobList: ReadJobList = (fd) => {
  try {
    const inode = /\[(\d+)\]/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
    return inode && readFileSync(`/proc/net/can-bcm/${inode}`, 'utf8');
  } catch {
    return undefined;
  }
};

interface JobTools {
  readonly calls: CanCalls;
  readonly readList: ReadJobList;
}

/** A job in the kernel. Closing its socket stops it. */
class RunningJob {
  readonly #tools: JobTools;
  readonly #fd: number;
  #watch: { close(): void } | undefined;

  constructor(tools: JobTools, place: BcmInterface, message: Uint8Array, onExpired: () => void) {
    const { calls } = tools;
    this.#tools = tools;
    this.#fd = calls.socket(canFamily, datagramType | nonblockingClosedOnExec, bcmProtocol);
    if (this.#fd < 0) throw callFailed('socket', calls.errno(), place.name);
    try {
      const address = interfaceAddress(place.index);
      if (calls.connect(this.#fd, address, address.length) !== 0) {
        throw callFailed('connect', calls.errno(), place.name);
      }
      this.#watchFor(place, onExpired);
      // Last, because the kernel starts sending immediately.
      if (calls.write(this.#fd, message, message.length) !== message.length) {
        throw callFailed('write', calls.errno(), place.name);
      }
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  get sent(): number | null {
    const list = this.#tools.readList(this.#fd);
    return (list === undefined ? undefined : sentInList(list)) ?? null;
  }

  #watchFor(place: BcmInterface, onExpired: () => void): void {
    const { calls } = this.#tools;
    const reported = new Uint8Array(messageBytes);
    this.#watch = calls.watch(this.#fd, place.name, () => {
      const length = calls.read(this.#fd, reported, reported.length);
      if (reportsExpiry(reported, Number(length))) onExpired();
    });
  }

  close(): void {
    this.#watch?.close();
    this.#tools.calls.close(this.#fd);
  }
}

/** A cyclic job across interface changes. It is in the kernel while the channel may send. */
class BcmJob implements OffloadedCyclic {
  /** The kernel does not count failures. */
  readonly failed = null;
  readonly lastRefusal = undefined;
  isFinished = false;
  readonly #tools: JobTools;
  readonly #job: CyclicJob;
  readonly #onEnd: (job: BcmJob) => void;
  #running: RunningJob | undefined;
  #sentBefore: number | null = 0;

  constructor(tools: JobTools, job: CyclicJob, onEnd: (job: BcmJob) => void) {
    this.#tools = tools;
    this.#job = { ...job, data: job.data.slice() };
    this.#onEnd = onEnd;
  }

  get sent(): number | null {
    if (!this.#running || this.#sentBefore === null) return this.#sentBefore;
    const { sent } = this.#running;
    return sent === null ? null : this.#sentBefore + sent;
  }

  begin(place: BcmInterface): void {
    if (this.#running || this.isFinished) return;
    const { count } = this.#job;
    const left = count === 0 ? 0 : count - (this.#sentBefore ?? 0);
    const message = cyclicMessage(this.#job, left);
    this.#running = new RunningJob(this.#tools, place, message, () => this.#finish(count));
    // The first frame is sent immediately; the kernel reports completion only for later ones.
    if (left === 1) this.#finish(count);
  }

  pause(): void {
    if (!this.#running) return;
    const { count } = this.#job;
    this.#sentBefore = this.sent;
    this.#running.close();
    this.#running = undefined;
    if (count === 0) return;
    // Too few frames are safer than too many.
    if (this.#sentBefore === null || this.#sentBefore >= count) this.#finish(this.#sentBefore);
  }

  stop(): void {
    this.pause();
    this.#onEnd(this);
  }

  #finish(sent: number | null): void {
    this.#running?.close();
    this.#running = undefined;
    this.#sentBefore = sent;
    this.isFinished = true;
    this.#onEnd(this);
  }
}

export class BcmJobs {
  readonly #tools: JobTools;
  readonly #jobs = new Set<BcmJob>();
  #place: BcmInterface | undefined;

  constructor(calls: CanCalls, readList = readJobList) {
    this.#tools = { calls, readList };
  }

  /** Undefined if too many jobs are running. Throws without a broadcast manager. */
  start(asked: CyclicJob): OffloadedCyclic | undefined {
    if (this.#jobs.size >= maxJobs) return undefined;
    const job = new BcmJob(this.#tools, asked, (ended) => this.#jobs.delete(ended));
    if (this.#place) job.begin(this.#place);
    if (!job.isFinished) this.#jobs.add(job);
    return job;
  }

  resume(place: BcmInterface): void {
    this.#place = place;
    for (const job of [...this.#jobs]) job.begin(place);
  }

  pause(): void {
    this.#place = undefined;
    for (const job of [...this.#jobs]) job.pause();
  }

  end(): void {
    this.pause();
    this.#jobs.clear();
  }
}
