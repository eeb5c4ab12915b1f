import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { DriverChannel, LinReadDone } from '../../drivers/driver-channel.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import type { OutcomeListener } from '../bench-sink.ts';
import { BackpressureQueue } from './backpressure-queue.ts';
import { FrameStore, noSlot } from './frame-store.ts';
import {
  Lane,
  type LaneOptions,
  type LaneOutbox,
  type LaneOwner,
  LaneScheduler,
  type TxOutcome,
} from './lane.ts';
import type { LaneGate } from './lane-gate.ts';
import { checkFrame, sendFrame } from './port-call.ts';
import { TxLedger } from './tx-ledger.ts';

export interface OutboxOptions {
  readonly hardware: DriverChannel;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly onDefect: (thrown: unknown) => void;
}

const nothing = new Uint8Array(0);

/**
 * Transmit scheduler of a channel; all its frames are sent here. Every sender has a lane.
 * Frames wait in lanes, not at the port, which gets the next frame only when it is about to run
 * out. Lanes are served in turn, so a flood from one sender delays the others by one frame
 * each. Urgent lanes are served first, but not exclusively. The ledger records the sender of
 * each frame at the port and reports the outcome to it. The next frame is submitted inside the
 * completion report, which leaves no gap on the bus.
 */
export class Outbox implements LaneOutbox, OutcomeListener {
  readonly store: FrameStore;
  readonly #hardware: DriverChannel;
  readonly #clock: Clock;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #unixOffsetUs: number;
  readonly #ledger: TxLedger;
  readonly #capacity: number;
  readonly #ready = new LaneScheduler();
  readonly #waiters = new BackpressureQueue();
  readonly #turn: Task;
  #failed = 0;
  /**
   * Submitting reports outcomes, and their listeners can send; the running loop handles those
   * frames.
   */
  #isServing = false;
  #isBlocked = false;
  #isUncertain = false;
  #isMissingMore = false;
  #isClosed = false;
  #gate: LaneGate | undefined;

  constructor({ hardware, clock, scheduler, onDefect }: OutboxOptions) {
    this.#hardware = hardware;
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.#unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#capacity = hardware.capabilities.txQueue;
    // A frame gets its slot before room is checked.
    this.store = new FrameStore(this.#capacity + 1);
    // A port can hold a few frames in addition to its queue.
    this.#ledger = new TxLedger(2 * this.#capacity);
    this.#turn = scheduler.createTask('outbox', () => {
      if (this.#isUncertain) this.#reconcile();
      this.#serve();
    });
  }

  open(owner: LaneOwner, options: LaneOptions = {}): Lane {
    return new Lane(this, owner, options);
  }

  /** While a gate is set, other lanes send only in its gaps. */
  setGate(gate: LaneGate | undefined): void {
    this.#gate = gate;
    this.#retry();
  }

  get hasGate(): boolean {
    return this.#gate !== undefined;
  }

  /** Call when a gap begins. */
  gateOpened(): void {
    this.#retry();
  }

  get waiting(): number {
    return this.store.size;
  }

  get failedFrames(): number {
    return this.#failed;
  }

  catchUp(): void {
    if (this.#ledger.pending > 0 || this.#isBlocked) void this.#hardware.pending;
  }

  submit(lane: Lane, slot: number): SendResult {
    let result = this.#tryToPass(lane, slot);
    // A listener can have closed the channel in the meantime.
    if (result === 'full' && this.#isClosed) result = 'lost';
    const mayWait = result === 'full' && this.#mayWait(lane, slot);
    if (mayWait && this.#hasRoom(lane, this.store.size - 1)) {
      lane.append(slot);
      lane.pending += 1;
      this.#ready.join(lane);
      result = 'accepted';
    } else {
      this.store.free(slot);
    }
    if (result === 'full') this.#waiters.add(lane);
    else lane.triedOpening = -1;
    // Other lanes can have room now. Deferred, because no outcome of this frame can precede the
    // result of this call.
    if (!this.#isBlocked && this.#ledger.pending < this.#hardware.txDepth) this.#retry();
    return result;
  }

  discard(lane: Lane): number {
    const frames = lane.waiting;
    if (frames === 0) return 0;
    for (let slot = lane.takeAll(); slot !== noSlot; ) slot = this.#abandon(lane, slot);
    this.#retry();
    return frames;
  }

  close(lane: Lane): void {
    if (lane.isClosed) return;
    lane.isClosed = true;
    this.#waiters.remove(lane);
  }

  sent(number: number, timestampUs: number, eventId: number): void {
    const atUs = timestampUs - this.#unixOffsetUs;
    const ledger = this.#ledger;
    while (ledger.pending > 0 && ledger.next < number) this.#settle(this.#skipped(), atUs);
    if (ledger.pending > 0 && ledger.next === number) this.#settle('sent', atUs, eventId);
    this.#isUncertain = false;
    this.#isBlocked = false;
    this.#serve();
  }

  failed(frames: number, last: number, timestampUs: number): void {
    const atUs = timestampUs - this.#unixOffsetUs;
    const nowUs = this.#clock.monotonicUs();
    const ledger = this.#ledger;
    const wasServing = this.#isServing;
    // Frames sent by listeners wait, because the port is busy.
    this.#isServing = true;
    while (ledger.pending > 0 && ledger.next <= last - frames) this.#settle(this.#skipped(), atUs);
    while (ledger.pending > 0 && ledger.next <= last) {
      this.#settle(ledger.deadlineUs <= nowUs ? 'expired' : 'failed', atUs);
    }
    this.#isServing = wasServing;
    this.#retry();
  }

  moved(): void {
    if (this.#isBlocked) this.#retry();
  }

  missed(): void {
    this.#isUncertain = true;
    this.#isMissingMore = true;
    // Deferred, because the remaining records can contain more outcomes.
    if (!this.#isClosed) this.#turn.scheduleAt(this.#clock.monotonicUs());
  }

  reconfigured(): void {
    if (this.#ledger.pending === 0) this.interrupt('failed');
  }

  /** Called when the port restarts or is lost: waiting frames fail. */
  interrupt(outcome: 'failed' | 'lost'): void {
    const wasServing = this.#isServing;
    this.#isServing = true;
    const atUs = this.#clock.monotonicUs();
    const ready: Lane[] = [];
    for (let lane = this.#ready.next(); lane; lane = this.#ready.next()) ready.push(lane);
    const lanes = ready.filter(({ pending, waiting }) => pending === waiting);
    const first = lanes.map((lane) => lane.takeAll());
    // Other lanes have frames at the port, whose outcomes come first.
    for (const lane of ready) if (lane.isWaiting) this.#ready.join(lane);
    for (const [place, lane] of lanes.entries()) {
      for (let slot = first[place] ?? noSlot; slot !== noSlot; ) {
        slot = this.#abandon(lane, slot);
        this.#report(lane, outcome, atUs);
      }
    }
    this.#isServing = wasServing;
    this.#retry();
  }

  /** Called when the port is closing: nothing more is submitted. */
  end(): void {
    this.#isClosed = true;
    this.#turn.cancel();
  }

  /** Called when the port is closed: the remaining frames get no outcome. */
  closed(): void {
    const atUs = this.#clock.monotonicUs();
    while (this.#ledger.pending > 0) this.#settle(this.#skipped(), atUs);
    this.interrupt('failed');
  }

  #tryToPass(lane: Lane, slot: number): SendResult {
    try {
      return this.#isClosed ? 'lost' : this.#pass(lane, slot);
    } catch (thrown) {
      this.store.free(slot);
      // The port can have reported outcomes before it threw.
      this.#retry();
      throw thrown;
    }
  }

  #pass(lane: Lane, slot: number): SendResult {
    const isNext =
      !lane.isWaiting && this.#ready.isNext(lane) && this.#ledger.pending < this.#hardware.txDepth;
    if (this.#isServing || !isNext || !this.#isAdmitted(lane, slot)) {
      const result = checkFrame(this.#hardware, this.store, slot);
      return result === 'accepted' ? 'full' : result;
    }
    this.#isServing = true;
    try {
      const result = this.#handOver(lane, slot);
      if (result === 'accepted') lane.pending += 1;
      if (result === 'full') this.#isBlocked = true;
      return result;
    } finally {
      this.#isServing = false;
    }
  }

  #serve(): undefined {
    if (this.#isServing || this.#isClosed) return;
    this.#isServing = true;
    do this.#feed();
    while (this.#offerRoom());
    this.#isServing = false;
  }

  #feed(): void {
    while (!this.#isBlocked && !this.#isClosed && this.#ledger.pending < this.#hardware.txDepth) {
      const lane = this.#nextLane();
      if (!lane) return;
      if (lane.isWaiting) this.#serveFirst(lane);
    }
  }

  #nextLane(): Lane | undefined {
    const owner = this.#gate?.lane;
    if (owner?.isWaiting) return owner;
    const lane = this.#ready.next();
    if (!lane?.isWaiting || this.#isAdmitted(lane, lane.first)) return lane;
    this.#ready.join(lane, true);
    return undefined;
  }

  #isFree(lane: Lane): boolean {
    return this.#gate === undefined || lane === this.#gate.lane;
  }

  /** With a gate, frames of other lanes wait only while they are handed to the port. */
  #mayWait(lane: Lane, slot: number): boolean {
    if (this.#isFree(lane)) return true;
    return this.#isServing && this.#ready.size === 0 && this.#isAdmitted(lane, slot);
  }

  /** Whether the gate lets the frame start now. */
  #isAdmitted(lane: Lane, slot: number): boolean {
    if (this.#gate === undefined || lane === this.#gate.lane) return true;
    const { action, dlc } = this.store;
    if (this.#ledger.pending > 0) return false;
    return this.#gate.admits(action[slot] as number, dlc[slot] as number);
  }

  #serveFirst(lane: Lane): void {
    const slot = lane.takeFirst();
    const nowUs = this.#clock.monotonicUs();
    const isLate = (this.store.deadlineUs[slot] as number) <= nowUs;
    const result = isLate ? 'expired' : this.#handOverSafely(lane, slot);
    if (result === 'accepted') {
      this.store.free(slot);
    } else if (result === 'full') {
      lane.putBack(slot);
      this.#isBlocked = true;
    } else if (lane.pending > lane.waiting + 1) {
      // Outcomes of its frames at the port come first.
      lane.putBack(slot);
      return;
    } else {
      this.#abandon(lane, slot);
      this.#report(lane, result, nowUs);
    }
    if (lane.isWaiting) this.#ready.join(lane, result !== 'accepted');
  }

  #offerRoom(): boolean {
    const lane = this.#isClosed ? undefined : this.#waiters.take(this.#hasRoomNow);
    if (!lane) return false;
    try {
      lane.owner.room?.();
    } catch (thrown) {
      this.#onDefect(thrown);
    }
    return true;
  }

  readonly #hasRoomNow = (lane: Lane): boolean =>
    this.#hasRoom(lane, this.store.size) && (this.#isFree(lane) || this.#mayTry(lane));

  /** Once in each gap: what does not fit would try without end. */
  #mayTry(lane: Lane): boolean {
    const gate = this.#gate;
    if (!gate?.isOpen || lane.triedOpening === gate.opening || this.#ledger.pending > 0)
      return false;
    lane.triedOpening = gate.opening;
    return true;
  }

  #hasRoom(lane: Lane, taken: number): boolean {
    if (lane.pending < lane.reserved) return true;
    return lane.pending < lane.max && taken + this.#ledger.pending < this.#capacity;
  }

  /** Outcome of frames overtaken by a later completion: failed, unless records are missing. */
  #skipped(): TxOutcome {
    return this.#isUncertain ? 'unknown' : 'failed';
  }

  #settle(outcome: TxOutcome, atUs: number, eventId = 0): void {
    const lane = this.#ledger.settle();
    if (!lane) return;
    lane.pending -= 1;
    if (lane.isWaiting) this.#ready.join(lane, true);
    this.#report(lane, outcome, atUs, eventId);
  }

  /** Settles frames that the port completed without a remaining record. */
  #reconcile(): void {
    const { pending } = this.#hardware;
    this.#isMissingMore = false;
    this.catchUp();
    const atUs = this.#clock.monotonicUs();
    while (this.#ledger.pending > pending) this.#settle('unknown', atUs);
    this.#isUncertain = this.#isMissingMore;
    this.#isBlocked = false;
  }

  #abandon(lane: Lane, slot: number): number {
    const read = this.store.readOf(slot);
    const next = this.store.nextOf(slot);
    this.store.free(slot);
    lane.pending -= 1;
    this.#failed += 1;
    try {
      read?.('aborted', this.#clock.unixUs(), 0, nothing, 0, 0);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
    return next;
  }

  #report(lane: Lane, outcome: TxOutcome, atUs: number, eventId = 0): void {
    if (lane.isClosed) return;
    try {
      lane.owner.settled?.(outcome, atUs, eventId);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
  }

  #retry(): void {
    this.#isBlocked = false;
    if (this.#isClosed || this.#isServing) return;
    if (this.#ready.size + this.#waiters.size > 0) {
      this.#turn.scheduleAt(this.#clock.monotonicUs());
    }
  }

  #handOver(lane: Lane, slot: number): SendResult {
    if (this.#ledger.isFull) return 'full';
    const { store } = this;
    const gate = this.#gate;
    if (gate !== undefined && lane !== gate.lane) {
      // A read without a response ends in the gap too.
      store.deadlineUs[slot] = Math.min(store.deadlineUs[slot] as number, gate.endUs);
    }
    const deadlineUs = store.deadlineUs[slot] as number;
    const result = sendFrame(this.#hardware, store, slot, this.#readDone);
    if (result === 'accepted') this.#ledger.add(lane, deadlineUs, store.readOf(slot));
    return result;
  }

  /** A driver error must not affect other frames. */
  #handOverSafely(lane: Lane, slot: number): SendResult | 'failed' {
    try {
      return this.#handOver(lane, slot);
    } catch (thrown) {
      this.#onDefect(thrown);
      return 'failed';
    }
  }

  readonly #readDone: LinReadDone = (
    outcome,
    timestampUs,
    checksum,
    payload,
    offset,
    length,
  ): void => {
    const atUs = timestampUs - this.#unixOffsetUs;
    const ledger = this.#ledger;
    // Earlier frames have outcomes too, although their records were not seen.
    while (ledger.pending > 0 && !ledger.isRead) this.#settle(this.#skipped(), atUs);
    try {
      ledger.takeRead()?.(outcome, timestampUs, checksum, payload, offset, length);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
    this.#settle(outcome === 'answered' ? 'sent' : 'failed', atUs);
    if (outcome === 'aborted') {
      this.#retry();
      return;
    }
    this.#isBlocked = false;
    this.#serve();
  };
}
