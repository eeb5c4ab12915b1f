import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { maxRun } from '../channel-sink.ts';
import type { BusState } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { CanCalls } from './can-calls.ts';
import type { ErrorCounts } from './can-interfaces.ts';
import { ErrorReport } from './error-report.ts';
import { KernelClock, KernelFrame, MessageTimes } from './raw-frame.ts';
import { type MessageBatch, RawSocket, SocketDrops } from './raw-socket.ts';
import { TxOutcomes, TxRing } from './tx-ring.ts';

interface CanPortParts {
  readonly calls: CanCalls;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly reporter: PortReporter;
  readonly filters: readonly IdPredicate[];
  readonly receiveBuffer: number;
  readonly onDown: () => void;
}

interface PortInterface {
  readonly name: string;
  readonly index: number;
  readonly fd: boolean;
  readonly kernelFilters: Uint32Array | undefined;
}

const maxFilterHit = 255;

/** Number of the matching filter, from 1; 0 without filters, -1 if no filter matches. */
const filterHit = (filters: readonly IdPredicate[], id: number, flags: number): number => {
  if (filters.length === 0) return 0;
  for (let i = 0; i < filters.length; i++) {
    if (filters[i]?.(id, flags)) return Math.min(i + 1, maxFilterHit);
  }
  return -1;
};

export const txQueueLength = 512;

/** Retry interval when the kernel queue is full. */
const retryUs = 1_000;
/** A later echo was dropped by the kernel. */
const echoLateUs = 1_000_000;
const batchesPerTurn = 2;
const batchesPerCatchUp = 64;

/**
 * Data plane of one interface: frames in both directions. Received frames are written to
 * records in place; accepted frames wait in memory that the kernel reads.
 */
export class CanPort {
  overruns = 0;
  busState: BusState = 'error_active';
  txErrorCount = 0;
  rxErrorCount = 0;
  readonly #parts: CanPortParts;
  readonly #reporter: PortReporter;
  readonly #tx: TxRing;
  readonly #times: MessageTimes;
  readonly #outcomes: TxOutcomes;
  readonly #wire = new KernelFrame();
  readonly #report = new ErrorReport();
  readonly #drops: SocketDrops;
  readonly #retry: Task;
  readonly #late: Task;
  readonly #repeats: Task;
  #socket: RawSocket | undefined;
  #bitrate = 0;
  #dataBitrate = 0;
  #isReading = false;
  #isFlushQueued = false;
  #isUncertain = false;
  #holds = 0;
  #held = 0;

  constructor(parts: CanPortParts) {
    const { calls, clock, scheduler, reporter } = parts;
    this.#parts = parts;
    this.#reporter = reporter;
    this.#drops = new SocketDrops(reporter);
    this.#tx = new TxRing((buffer) => calls.addressOf(buffer), txQueueLength);
    this.#times = new MessageTimes(new KernelClock(clock, () => calls.systemTimeUs()));
    this.#outcomes = new TxOutcomes(this.#tx, reporter, () => this.#times.nowUs);
    this.#retry = scheduler.createTask('socketcan retry', () => {
      this.#flush();
      return undefined;
    });
    this.#late = scheduler.createTask('socketcan echo', () => {
      this.#giveUpEchoes();
      return undefined;
    });
    this.#repeats = scheduler.createTask('socketcan errors', () => {
      if (this.#reporter.repeatsDueUs <= this.#times.nowUs) this.#reporter.flushDueRepeats();
      this.#scheduleRepeats();
      return undefined;
    });
  }

  /** Frames without an outcome. Reports all available outcomes first. */
  get pending(): number {
    // Frames outside the kernel cannot have an outcome yet.
    if (this.#tx.given > 0) this.#read(batchesPerCatchUp);
    return this.#tx.size;
  }

  get clockBracketUs(): number {
    return this.#times.bracketUs;
  }

  open(
    { name, index, fd, kernelFilters: filters }: PortInterface,
    settings: ChannelSettings,
  ): void {
    const { calls, receiveBuffer } = this.#parts;
    this.setRates(settings);
    const socket = new RawSocket({ calls, name, index, fd, filters, receiveBuffer });
    socket.watch(() => this.#read(batchesPerTurn));
    this.#socket = socket;
    this.#drops.restart();
    this.#startOver();
    this.#queueFlush();
  }

  /**
   * Reports everything received, then closes and drops pending frames. The kernel may still
   * send frames that it accepted.
   */
  close(isInterfaceDown = false): void {
    this.#drain();
    this.#socket?.close();
    this.#socket = undefined;
    this.#retry.cancel();
    this.#late.cancel();
    this.#repeats.cancel();
    this.#reporter.flushRepeats();
    if (!isInterfaceDown || this.#isUncertain) this.#outcomes.forgetGiven();
    this.failAll();
  }

  hold(): void {
    this.#holds += 1;
    this.#held = this.#tx.waiting;
  }

  resume(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#queueFlush();
  }

  failHeld(all = false): void {
    this.#outcomes.refuse(all ? this.#tx.waiting : this.#held);
    this.#held = 0;
  }

  /** The interface restarted, so the kernel dropped its frames. */
  restarted(): void {
    this.#drain();
    if (this.#isUncertain) this.#outcomes.forgetGiven();
    this.#outcomes.failGiven();
    this.#isUncertain = false;
    this.setState('error_active');
    this.#startOver();
  }

  setFilters(filters: Uint32Array | undefined): void {
    this.#socket?.setFilters(filters);
  }

  setRates({ bitrate, dataBitrate = bitrate }: ChannelSettings): void {
    this.#bitrate = bitrate;
    this.#dataBitrate = dataBitrate;
  }

  catchUp(): void {
    if (this.#isReading) return;
    this.#read(batchesPerCatchUp);
    const socket = this.#socket;
    if (socket?.readMemory()) this.#noteDrops(socket.drops);
  }

  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): boolean {
    if (!this.#tx.push(id, flags, dlc, data, offset, length)) return false;
    this.#queueFlush();
    return true;
  }

  failAll(): void {
    this.#isUncertain = false;
    this.#held = 0;
    this.#outcomes.failAll();
  }

  setErrorCounts({ tx, rx }: ErrorCounts): void {
    this.txErrorCount = tx;
    this.rxErrorCount = rx;
  }

  setState(state: BusState): void {
    if (state === this.busState) return;
    this.busState = state;
    if (state === 'bus_off') this.failAll();
    if (state === 'error_active') this.setErrorCounts({ tx: 0, rx: 0 });
    this.#reporter.sink.stateChanged(state, this.#times.nowUs);
  }

  #startOver(): void {
    this.#times.restart();
    this.busState = 'error_active';
    this.setErrorCounts({ tx: 0, rx: 0 });
  }

  /** Frames accepted in one turn are sent in one call. */
  #queueFlush(): void {
    if (this.#isFlushQueued || this.#isReading) return;
    this.#isFlushQueued = true;
    queueMicrotask(this.#flushQueued);
  }

  readonly #flushQueued = (): void => {
    this.#isFlushQueued = false;
    if (!this.#isReading) this.#flush();
  };

  #flush(): void {
    if (this.#holds > 0) return;
    const tx = this.#tx;
    while (tx.waiting > 0 && this.#socket) {
      const sent = this.#socket.send(tx.runAddress, tx.runLength);
      if (sent !== undefined && sent > 0) {
        tx.taken(sent);
        continue;
      }
      const { error } = this.#socket;
      if (error === 'refused') {
        tx.refuse();
        this.#outcomes.settleRefused();
        continue;
      }
      if (error === 'down') this.#parts.onDown();
      // The next echo makes room, but other programs may fill the queue.
      else this.#retry.scheduleAt(this.#parts.clock.monotonicUs() + retryUs);
      return;
    }
  }

  #read(batches: number): void {
    if (this.#isReading) return;
    this.#isReading = true;
    let isDown = false;
    for (let left = batches; left > 0 && this.#socket; left--) {
      const socket = this.#socket;
      const count = this.#readBatch(socket);
      if (count === undefined) isDown = socket.error === 'down';
      if (count !== socket.batch.capacity) break;
    }
    this.#isReading = false;
    if (isDown) this.#parts.onDown();
    else this.#flush();
  }

  #drain(): void {
    const socket = this.#socket;
    if (!socket || this.#isReading) return;
    this.#isReading = true;
    const beganUs = this.#parts.calls.systemTimeUs();
    // An interface error is reported once, before earlier messages.
    for (let failures = 0; failures < 2 && this.#socket === socket; ) {
      const count = this.#readBatch(socket);
      if (count === undefined) {
        if (socket.error === 'again') break;
        failures += 1;
      } else if (socket.batch.kernelUs > beganUs) {
        break;
      }
    }
    this.#isReading = false;
    if (socket.readMemory()) this.#noteDrops(socket.drops);
  }

  #readBatch(socket: RawSocket): number | undefined {
    const count = socket.receive();
    if (count === undefined) return undefined;
    this.#times.beginBatch();
    const max = this.#parts.filters.length === 0 ? maxRun : 0;
    // A listener may have closed or lost the port.
    for (let index = 0; index < count && this.#socket === socket; ) {
      const end = Math.min(count, index + max);
      const run = socket.batch.runFrom(index, end, this.#drops.reported);
      if (run > 1) this.#takeRun(socket, index, run);
      else this.#take(socket, index);
      index += Math.max(1, run);
    }
    return count;
  }

  /** Publishes frames of other senders together, at the cost of one. */
  #takeRun({ batch }: RawSocket, first: number, count: number): void {
    this.#reporter.openRun(count);
    for (let index = first; index < first + count; index++) {
      batch.look(index);
      this.#readFrame(batch, index);
      this.#reporter.addToRun(this.#wire, this.#times.unixUs(batch.kernelUs, batch.adapterUs));
    }
    this.#reporter.closeRun();
  }

  #take({ batch }: RawSocket, index: number): void {
    batch.look(index);
    const { frames } = batch;
    const atUs = this.#times.unixUs(batch.kernelUs, batch.adapterUs);
    if (batch.drops !== 0) this.#noteDrops(batch.drops);
    if (frames.isError(index)) {
      this.#report.read(frames, index);
      this.#reportError(atUs);
      return;
    }
    this.#readFrame(batch, index);
    if (batch.isOwnEcho(index)) this.#complete(index, batch.used(index), atUs);
    else this.#receive(atUs);
  }

  #readFrame(batch: MessageBatch, index: number): void {
    this.#wire.read(batch.frames, index, batch.used(index));
    this.#reporter.busyUs += this.#wire.busUs(this.#bitrate, this.#dataBitrate);
  }

  #receive(atUs: number): void {
    const hit = filterHit(this.#parts.filters, this.#wire.id, this.#wire.flags);
    if (hit < 0) return;
    this.#reporter.rxFrames += 1;
    this.#reporter.received(this.#wire, eventStatus.ok, atUs, hit);
  }

  #complete(index: number, used: number, atUs: number): void {
    const tx = this.#tx;
    const skipped = tx.search((this.#socket as RawSocket).batch.frames, index, used);
    if (skipped < 0) {
      this.#reporter.completedOwn(this.#wire, atUs);
      return;
    }
    if (skipped > 0) this.#outcomes.forget(skipped);
    // A listener may have closed the channel.
    if (tx.given === 0) return;
    tx.drop(1);
    if (this.#isUncertain) this.#scheduleLate();
    this.#reporter.completed(this.#wire, atUs);
    this.#outcomes.settleRefused();
  }

  #giveUpEchoes(): void {
    if (!this.#isUncertain) return;
    this.catchUp();
    if (this.#socket?.isSending) {
      this.#scheduleLate();
      return;
    }
    this.#isUncertain = false;
    if (this.#tx.given > 0) this.#outcomes.forget(this.#tx.given);
    this.#flush();
  }

  #reportError(atUs: number): void {
    const report = this.#report;
    if (report.txCount !== undefined) this.txErrorCount = report.txCount;
    if (report.rxCount !== undefined) this.rxErrorCount = report.rxCount;
    if (report.isOverflow) this.overruns += 1;
    report.report(this.#reporter, this.#bitrate, atUs);
    if (report.isBusError) this.#scheduleRepeats();
    this.setState(report.stateAfter(this.busState));
  }

  #noteDrops(drops: number): void {
    const missing = this.#drops.note(drops, this.#times.lastUs || this.#times.nowUs);
    this.overruns += missing;
    if (missing === 0 || this.#tx.given === 0) return;
    this.#isUncertain = true;
    this.#scheduleLate();
  }

  #scheduleLate(): void {
    this.#late.scheduleAt(this.#parts.clock.monotonicUs() + echoLateUs);
  }

  #scheduleRepeats(): void {
    const { repeatsDueUs } = this.#reporter;
    if (repeatsDueUs === Number.POSITIVE_INFINITY) this.#repeats.cancel();
    else this.#repeats.scheduleAt(repeatsDueUs - this.#parts.clock.unixOffsetUs);
  }

  reportPresence(status: number): void {
    this.#reporter.presence(busCode.can, status, this.#times.advance());
  }
}
