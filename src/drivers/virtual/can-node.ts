import { canFrameUs } from '../../frame/can-bits.ts';
import { noRoom } from '../../frame/can-queue.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { RefusedSend, SendResult } from '../send-result.ts';
import type { CanCyclicJob } from './can-cyclic-job.ts';
import { CanErrorCounters, severity } from './can-error-counters.ts';
import { CanTxQueue } from './can-tx-queue.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

const cyclicSlots = 8;

class CanCyclicJobs {
  readonly #jobs: CanCyclicJob[] = [];

  get isFull(): boolean {
    return this.#jobs.length >= cyclicSlots;
  }

  get dueUs(): number {
    return this.next?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  get next(): CanCyclicJob | undefined {
    let next: CanCyclicJob | undefined;
    for (let i = 0; i < this.#jobs.length; i++) {
      const job = this.#jobs[i];
      if (job && (!next || job.dueUs < next.dueUs)) next = job;
    }
    return next;
  }

  add(job: CanCyclicJob): void {
    this.#jobs.push(job);
  }

  remove(job: CanCyclicJob): void {
    const place = this.#jobs.indexOf(job);
    if (place >= 0) this.#jobs.splice(place, 1);
  }

  clear(): void {
    this.#jobs.length = 0;
  }

  wholeUs(freeUs: number): number {
    let wholeUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#jobs.length; i++) {
      const job = this.#jobs[i];
      if (job) wholeUs = Math.min(wholeUs, Math.max(freeUs, job.dueUs) + job.frameUs);
    }
    return wholeUs;
  }

  measure(frameUs: (job: CanCyclicJob) => number): void {
    for (const job of this.#jobs) job.frameUs = frameUs(job);
  }

  refuse(untilUs: number, refusal: RefusedSend): void {
    for (const job of this.#jobs) job.refuse(untilUs, refusal);
  }
}

export const canTxQueueLength = 1024;

/** Nodes cannot decode frames with a larger rate difference. */
const rateTolerance = 0.005;

const maxFilterHit = 0xff;

const agree = (one: number, other: number): boolean => Math.abs(one / other - 1) <= rateTolerance;

export interface CanTap {
  offer(frame: CanWireFrame, atUs: number): void;
}

export class CanNode {
  readonly reporter: PortReporter;
  readonly queue = new CanTxQueue(canTxQueueLength);
  readonly jobs = new CanCyclicJobs();
  /** Copied on write, so that a running loop is not disturbed. */
  routes: readonly CanTap[] = [];
  readonly counters = new CanErrorCounters();
  severity: number = severity.active;
  /** Present when the current frame started. */
  hears = false;
  sends = false;
  readyUs = Number.NEGATIVE_INFINITY;
  recoveredUs = Number.POSITIVE_INFINITY;
  bitErrors = 0;
  bitUs = 0;
  listenOnly = false;
  readonly #filters: readonly IdPredicate[];
  #bitrate = 0;
  #dataBitrate = 0;
  #fd = false;
  #impossible = 0;

  constructor(reporter: PortReporter, filters: readonly IdPredicate[]) {
    this.reporter = reporter;
    this.#filters = filters;
  }

  start(settings: ChannelSettings): void {
    this.#bitrate = settings.bitrate;
    this.#dataBitrate = settings.dataBitrate ?? settings.bitrate;
    this.#fd = settings.bus === 'canfd';
    this.#impossible = frameFlag.error | (this.#fd ? 0 : frameFlag.fd);
    this.bitUs = 1e6 / settings.bitrate;
    this.listenOnly = settings.mode === 'listen_only';
    this.counters.reset();
    this.severity = severity.active;
    this.hears = false;
    this.sends = false;
    this.readyUs = Number.NEGATIVE_INFINITY;
    this.recoveredUs = Number.POSITIVE_INFINITY;
    this.measureJobs();
  }

  get isBusOff(): boolean {
    return this.severity === severity.busOff;
  }

  earliestStartUs(freeUs: number): number {
    if (this.queue.size === 0) return Number.POSITIVE_INFINITY;
    return Math.max(freeUs, this.readyUs, this.queue.headQueuedUs);
  }

  /**
   * Returns whether it has work other than frames until then: expiry, pending errors, recovery,
   * or the device's own frames.
   */
  hasPendingWork(untilUs: number): boolean {
    return (
      this.queue.headDeadlineUs <= untilUs ||
      this.reporter.repeatsDueUs <= untilUs ||
      this.recoveredUs <= untilUs ||
      this.jobs.dueUs <= untilUs
    );
  }

  check(flags: number): SendResult {
    if ((flags & this.#impossible) !== 0) return 'not_on_bus';
    if (this.listenOnly) return 'listen_only';
    return this.isBusOff ? 'bus_off' : 'accepted';
  }

  take(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    atUs: number,
    deadlineUs = Number.POSITIVE_INFINITY,
  ): SendResult {
    const result = this.check(flags);
    if (result !== 'accepted') return result;
    const slot = this.queue.push(id, flags, dlc, data, offset, length);
    if (slot === noRoom) return 'full';
    this.queue.time(slot, atUs, this.frameUs(id, flags, dlc, data, offset), deadlineUs);
    return 'accepted';
  }

  takeOwn(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    atUs: number,
  ): SendResult {
    const result = this.take(id, flags, dlc, data, offset, length, atUs);
    if (result === 'accepted') this.queue.markLastOwn();
    return result;
  }

  frameUs(id: number, flags: number, dlc: number, data: Uint8Array, offset: number): number {
    return canFrameUs(flags, id, dlc, data, offset, this.#bitrate, this.#dataBitrate);
  }

  measureJobs(): void {
    this.jobs.measure(({ id, flags, dlc, data }) => this.frameUs(id, flags, dlc, data, 0));
  }

  runJob(untilUs: number): void {
    const job = this.jobs.next;
    if (!job) return;
    const { id, flags, dlc, data, dueUs } = job;
    const result = this.takeOwn(id, flags, dlc, data, 0, data.length, dueUs);
    if (result !== 'accepted') {
      job.refuse(untilUs, result);
      return;
    }
    job.take();
    if (job.isFinished) this.jobs.remove(job);
  }

  jobWholeUs(freeUs: number): number {
    if (this.listenOnly || this.isBusOff) return Number.POSITIVE_INFINITY;
    return this.jobs.wholeUs(Math.max(freeUs, this.readyUs));
  }

  /** Flags as sent: an error-passive node sets ESI. */
  get outgoingFlags(): number {
    const flags = this.queue.headFlags;
    const reports = (flags & frameFlag.fd) !== 0 && this.counters.isPassive;
    return reports ? flags | frameFlag.esi : flags;
  }

  outgoingUs(flags: number): number {
    const { queue } = this;
    if (flags === queue.headFlags) return queue.headUs;
    return this.frameUs(queue.headId, flags, queue.headDlc, queue.data, queue.headOffset);
  }

  /** Returns whether it can decode a frame. Classic nodes cannot decode FD frames. */
  understands(sender: CanNode, flags: number): boolean {
    if (!agree(this.#bitrate, sender.#bitrate)) return false;
    if ((flags & frameFlag.fd) === 0) return true;
    if (!this.#fd) return false;
    return (flags & frameFlag.brs) === 0 || agree(this.#dataBitrate, sender.#dataBitrate);
  }

  receive(frame: CanWireFrame, atUs: number): void {
    const hit = this.#filterHit(frame.id, frame.flags);
    if (hit < 0) return;
    this.reporter.rxFrames += 1;
    this.reporter.received(frame, eventStatus.ok, atUs, hit);
    const { routes } = this;
    for (let i = 0; i < routes.length; i++) routes[i]?.offer(frame, atUs);
  }

  complete(frame: CanWireFrame, atUs: number): void {
    if (frame.isOwn) this.reporter.completedOwn(frame, atUs);
    else this.reporter.completed(frame, atUs);
  }

  failFirst(atUs: number): void {
    const own = this.queue.headIsOwn ? 1 : 0;
    this.queue.pop();
    this.reporter.failed(1, own, atUs);
  }

  failQueue(atUs: number): void {
    const { ownFrames } = this.queue;
    this.reporter.failed(this.queue.clear(), ownFrames, atUs);
  }

  #filterHit(id: number, flags: number): number {
    const filters = this.#filters;
    if (filters.length === 0) return 0;
    for (let i = 0; i < filters.length; i++) {
      if (filters[i]?.(id, flags)) return Math.min(i + 1, maxFilterHit);
    }
    return -1;
  }
}
