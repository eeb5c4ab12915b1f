import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { canFrameUs, errorFrameBits } from '../../frame/can-bits.ts';
import { canControllerError, canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import type { BusState } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { CanCalls } from './can-calls.ts';
import type { ErrorCounts } from './can-interfaces.ts';
import { ErrorReport } from './error-report.ts';
import { RawSocket } from './raw-socket.ts';
import { MessageTimes } from './time-stamps.ts';
import { TxRing } from './tx-ring.ts';
import { WireRecord } from './wire-record.ts';

/** Frames that can wait. */
export const txQueueLength = 512;

/** How soon a frame is offered again for which the kernel had no room and tells nothing. */
const retryUs = 1_000;
/** An echo that is so late after others were dropped was dropped as well. */
const echoLateUs = 1_000_000;
/** Batches that are read in one go before the rest of the thread has a turn. */
const batchesPerTurn = 2;
/** For those who want to know everything by now, within reason. */
const batchesPerCatchUp = 64;

const highestFilterHit = 255;

export interface CanPortParts {
  readonly calls: CanCalls;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly reporter: PortReporter;
  readonly filters: readonly IdPredicate[];
  /** Bytes that the kernel keeps for the port. */
  readonly receiveBuffer: number;
  /** Told when the socket says that the interface is down or gone. */
  readonly onDown: () => void;
}

/** What a port is opened on. */
export interface PortPlace {
  readonly name: string;
  readonly index: number;
  readonly fd: boolean;
  readonly kernelFilters: Uint32Array | undefined;
}

/**
 * The data plane of one interface: frames in both directions, and what the kernel tells of them. What
 * is received goes into records in place; what is accepted waits in memory that the kernel reads.
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
  readonly #wire = new WireRecord();
  readonly #report = new ErrorReport();
  readonly #overrun = new Uint8Array(canErrorLength);
  readonly #retry: Task;
  readonly #late: Task;
  readonly #repeats: Task;
  #socket: RawSocket | undefined;
  #bitrate = 0;
  #dataBitrate = 0;
  /** Drops of the socket that have been told. */
  #drops = 0;
  #isReading = false;
  #isFlushQueued = false;
  /** Echoes of frames under way may have been dropped. */
  #isUncertain = false;

  constructor(parts: CanPortParts) {
    const { calls, clock, scheduler, reporter } = parts;
    this.#parts = parts;
    this.#reporter = reporter;
    this.#tx = new TxRing((buffer) => calls.addressOf(buffer), txQueueLength);
    this.#times = new MessageTimes(
      () => clock.unixUs(),
      () => calls.systemTimeUs(),
    );
    this.#retry = scheduler.createTask('socketcan retry', () => {
      this.#flush();
      return undefined;
    });
    this.#late = scheduler.createTask('socketcan echo', () => {
      this.#giveUpEchoes();
      return undefined;
    });
    this.#repeats = scheduler.createTask('socketcan errors', () => {
      if (this.#reporter.repeatsDueUs <= this.#times.nowUs) this.#reporter.tellDueRepeats();
      this.#scheduleRepeats();
      return undefined;
    });
  }

  /** Frames without an outcome, once all that has happened by now is told. */
  get pending(): number {
    // What the kernel does not have has no outcome either.
    if (this.#tx.given > 0) this.#read(batchesPerCatchUp);
    return this.#tx.size;
  }

  /** Begins to receive and to send. */
  open({ name, index, fd, kernelFilters }: PortPlace, settings: ChannelSettings): void {
    const { calls, receiveBuffer } = this.#parts;
    this.setRates(settings);
    const filters = kernelFilters;
    const socket = new RawSocket({ calls, name, index, fd, filters, receiveBuffer });
    this.#socket = socket;
    this.#drops = 0;
    this.#times.restart();
    this.busState = 'error_active';
    this.txErrorCount = 0;
    this.rxErrorCount = 0;
    socket.watch(() => this.#read(batchesPerTurn));
    this.#queueFlush();
  }

  /** Ends both, and gives up what has no outcome. What was received by now is told before. */
  close(): void {
    this.catchUp();
    this.#socket?.close();
    this.#socket = undefined;
    this.#retry.cancel();
    this.#late.cancel();
    this.#repeats.cancel();
    this.#reporter.tellRepeats();
    this.failAll();
  }

  setRates({ bitrate, dataBitrate = bitrate }: ChannelSettings): void {
    this.#bitrate = bitrate;
    this.#dataBitrate = dataBitrate;
  }

  /** Tells what has happened by now, and what is missing of it. */
  catchUp(): void {
    if (this.#isReading) return;
    this.#read(batchesPerCatchUp);
    const socket = this.#socket;
    if (socket?.readMemory()) this.#noteDrops(socket.drops);
  }

  /** False if there is no room. */
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

  /** Everything without an outcome will never be sent. */
  failAll(): void {
    this.#isUncertain = false;
    this.#reporter.failed(this.#tx.clear(), 0, this.#times.nowUs);
  }

  /** What the controller has counted, where the kernel was asked. */
  setErrorCounts({ tx, rx }: ErrorCounts): void {
    this.txErrorCount = tx;
    this.rxErrorCount = rx;
  }

  /** The controller has another state, as an event of the interface tells. */
  setState(state: BusState): void {
    if (state === this.busState) return;
    this.busState = state;
    if (state === 'bus_off') this.failAll();
    if (state === 'error_active') {
      this.txErrorCount = 0;
      this.rxErrorCount = 0;
    }
    this.#reporter.sink.stateChanged(state, this.#times.nowUs);
  }

  /**
   * What is accepted in one turn of the thread goes to the kernel in one call, and what is accepted
   * while a batch is read, behind that.
   */
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
    const tx = this.#tx;
    while (tx.waiting > 0 && this.#socket) {
      const sent = this.#socket.send(tx.runAddress, tx.runLength);
      if (sent !== undefined && sent > 0) {
        tx.taken(sent);
        continue;
      }
      const { trouble } = this.#socket;
      if (trouble === 'refused') {
        tx.refuse();
        this.#settleRefused();
        continue;
      }
      if (trouble === 'down') this.#parts.onDown();
      // The next echo makes room; but the queue may be full of frames of others.
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
      const count = socket.receive();
      if (count === undefined) {
        isDown = socket.trouble === 'down';
        break;
      }
      this.#times.beginBatch();
      // A listener may have closed the port, or lost it.
      for (let index = 0; index < count && this.#socket === socket; index++) {
        this.#take(socket, index);
      }
      if (count < socket.batch.capacity) break;
    }
    this.#isReading = false;
    if (isDown) this.#parts.onDown();
    else this.#flush();
  }

  #take({ batch }: RawSocket, index: number): void {
    batch.look(index);
    const { frames } = batch;
    const atUs = this.#times.unixUs(batch.kernelUs, batch.adapterUs);
    if (batch.drops !== 0) this.#noteDrops(batch.drops);
    if (frames.isError(index)) {
      this.#report.read(frames, index);
      this.#tellError(atUs);
      return;
    }
    const wire = this.#wire;
    const used = batch.used(index);
    wire.read(frames, index, used);
    this.#reporter.busyUs += canFrameUs(
      wire.flags,
      wire.id,
      wire.dlc,
      wire.data,
      wire.offset,
      this.#bitrate,
      this.#dataBitrate,
    );
    if (batch.isOwnEcho(index)) this.#complete(index, used, atUs);
    else this.#receive(atUs);
  }

  #receive(atUs: number): void {
    const wire = this.#wire;
    const hit = this.#filterHit(wire.id, wire.flags);
    if (hit < 0) return;
    this.#reporter.rxFrames += 1;
    this.#reporter.received(wire, eventStatus.ok, atUs, hit);
  }

  #complete(index: number, used: number, atUs: number): void {
    const tx = this.#tx;
    const { batch } = this.#socket as RawSocket;
    const skipped = tx.search(batch.frames, index, used);
    if (skipped < 0) {
      this.#reporter.completedOwn(this.#wire, atUs);
      return;
    }
    if (skipped > 0) this.#forget(skipped);
    tx.drop(1);
    if (this.#isUncertain) this.#scheduleLate();
    this.#reporter.completed(this.#wire, atUs);
    this.#settleRefused();
  }

  /** Frames that the kernel refused have their outcome when those before them have. */
  #settleRefused(): void {
    while (this.#tx.isFirstRefused) {
      this.#tx.drop(1);
      this.#reporter.failed(1, 0, this.#times.nowUs);
    }
  }

  /** The first frames with the kernel will have no echo any more. */
  #forget(frames: number): void {
    this.#tx.drop(frames);
    for (let i = 0; i < frames; i++) this.#reporter.readSettled();
    this.#reporter.sink.outcomesDropped();
  }

  #giveUpEchoes(): void {
    if (!this.#isUncertain) return;
    this.catchUp();
    const { given } = this.#tx;
    if (this.#socket?.isSending) {
      this.#scheduleLate();
      return;
    }
    this.#isUncertain = false;
    if (given > 0) this.#forget(given);
    this.#flush();
  }

  #tellError(atUs: number): void {
    const report = this.#report;
    const reporter = this.#reporter;
    if (report.txCount !== undefined) this.txErrorCount = report.txCount;
    if (report.rxCount !== undefined) this.rxErrorCount = report.rxCount;
    if (report.isOverflow) this.overruns += 1;
    if (report.isBusError) {
      reporter.busyUs += (errorFrameBits * 1e6) / this.#bitrate;
      reporter.canError(report.id, report.status, report.details, atUs);
      this.#scheduleRepeats();
    } else {
      reporter.canState(report.id, report.status, report.details, atUs);
    }
    if (report.state !== undefined) this.setState(report.state);
  }

  /** The socket has dropped so many messages by now. */
  #noteDrops(drops: number): void {
    const missing = (drops - this.#drops) >>> 0;
    // A message that was queued earlier tells of fewer than are known.
    if (missing === 0 || missing > 0x7fff_ffff) return;
    this.#drops = drops;
    this.overruns += missing;
    this.#overrun[1] = canControllerError.rxOverflow;
    new DataView(this.#overrun.buffer).setUint32(4, missing);
    const { controller } = canErrorClass;
    this.#reporter.canState(
      controller,
      eventStatus.overrun,
      this.#overrun,
      this.#times.lastUs || this.#times.nowUs,
    );
    if (this.#tx.given === 0) return;
    this.#isUncertain = true;
    this.#scheduleLate();
  }

  #scheduleLate(): void {
    this.#late.scheduleAt(this.#parts.clock.monotonicUs() + echoLateUs);
  }

  #scheduleRepeats(): void {
    const { repeatsDueUs } = this.#reporter;
    const { clock } = this.#parts;
    if (repeatsDueUs === Number.POSITIVE_INFINITY) this.#repeats.cancel();
    else this.#repeats.scheduleAt(repeatsDueUs - clock.unixOffsetUs);
  }

  /** The device is gone or back: shows where nothing could be seen. */
  tellPresence(status: number): void {
    this.#reporter.presence(busCode.can, status, this.#times.advance());
  }

  /** The number of the filter that lets a frame pass, from 1; 0 without filters, else -1. */
  #filterHit(id: number, flags: number): number {
    const { filters } = this.#parts;
    if (filters.length === 0) return 0;
    for (let i = 0; i < filters.length; i++) {
      if (filters[i]?.(id, flags)) return Math.min(i + 1, highestFilterHit);
    }
    return -1;
  }
}
