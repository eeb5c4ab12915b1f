import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { DriverChannel, LinReadDone } from '../../drivers/driver-channel.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import type { OutcomeListener } from '../bench-sink.ts';
import { FrameStore, noSlot } from './frame-store.ts';
import { Lane, type LaneOptions, type LaneOutbox, type LaneOwner, type TxOutcome } from './lane.ts';
import { LaneTurns } from './lane-turns.ts';
import { checkFrame, sendFrame } from './port-call.ts';
import { RoomWaiters } from './room-waiters.ts';
import { TxLedger } from './tx-ledger.ts';

export interface OutboxOptions {
  readonly hardware: DriverChannel;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Told what an owner has thrown. */
  readonly onDefect: (thrown: unknown) => void;
}

const nothing = new Uint8Array(0);

/**
 * The one way out of a channel. Every owner has a lane, and what it sends waits here, not with the
 * port: that gets a frame only when it is about to run out of them, from the lanes in turn. So a
 * flood of one owner costs the others a turn, and a frame that is due, on an urgent lane, goes out
 * behind no more than the few frames that the port has; the others have a turn now and then even if
 * urgent frames are too many for the bus.
 *
 * The ledger knows whose each frame with the port is, so that its outcome is told to exactly that
 * owner. The next frame is handed over from inside the report that one is through, which leaves no
 * pause on the bus.
 */
export class Outbox implements LaneOutbox, OutcomeListener {
  readonly store: FrameStore;
  readonly #hardware: DriverChannel;
  readonly #clock: Clock;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #unixOffsetUs: number;
  readonly #ledger: TxLedger;
  readonly #capacity: number;
  /** Lanes with frames that wait. */
  readonly #ready = new LaneTurns();
  readonly #waiters = new RoomWaiters();
  readonly #turn: Task;
  #failed = 0;
  /** Handing over reports outcomes, and owners that hear of them may send: the loop sees to that. */
  #isServing = false;
  /** The port takes no more before the next outcome. */
  #isBlocked = false;
  /** Records are missing that may have been outcomes. */
  #isUncertain = false;
  /** More of them are missing than the reconciliation under way knows of. */
  #isMissingMore = false;
  #isClosed = false;

  constructor({ hardware, clock, scheduler, onDefect }: OutboxOptions) {
    this.#hardware = hardware;
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.#unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#capacity = hardware.capabilities.txQueue;
    // A frame has a slot before it is known whether there is room for it.
    this.store = new FrameStore(this.#capacity + 1);
    // A port may have a few frames beside its queue.
    this.#ledger = new TxLedger(2 * this.#capacity);
    this.#turn = scheduler.createTask('outbox', () => {
      if (this.#isUncertain) this.#reconcile();
      this.#serve();
    });
  }

  /** A way for an owner to send. */
  open(owner: LaneOwner, options: LaneOptions = {}): Lane {
    return new Lane(this, owner, options);
  }

  /** Accepted frames that the port does not have yet. */
  get waiting(): number {
    return this.store.size;
  }

  /** Accepted frames that were given up before the port had them. */
  get failedFrames(): number {
    return this.#failed;
  }

  catchUp(): void {
    if (this.#ledger.pending > 0 || this.#isBlocked) void this.#hardware.pending;
  }

  submit(lane: Lane, slot: number): SendResult {
    let result = this.#tryToPass(lane, slot);
    // An owner that heard of something while it was handed over may have closed the channel.
    if (result === 'full' && this.#isClosed) result = 'lost';
    if (result === 'full' && this.#hasRoom(lane, this.store.size - 1)) {
      lane.append(slot);
      lane.pending += 1;
      this.#ready.join(lane);
      result = 'accepted';
    } else {
      this.store.giveBack(slot);
    }
    if (result === 'full') this.#waiters.add(lane);
    // Handing over may have reported what others have waited for. Not at once: no outcome of this
    // frame may come before the answer.
    if (!this.#isBlocked && this.#ledger.pending < this.#hardware.txDepth) this.#retry();
    return result;
  }

  discard(lane: Lane): number {
    const frames = lane.waiting;
    if (frames === 0) return 0;
    for (let slot = lane.takeAll(); slot !== noSlot; ) slot = this.#giveUp(lane, slot);
    // There is room for others.
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
    // What owners send when they hear of it waits: the port is busy with itself.
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
    // Not at once: what is left of the records may tell more.
    if (!this.#isClosed) this.#turn.scheduleAt(this.#clock.monotonicUs());
  }

  /** Other settings: what waits goes the way of what the port has, which it may have given up. */
  reconfigured(): void {
    if (this.#ledger.pending === 0) this.interrupt('failed');
  }

  /** The port starts anew, or is lost: what waits was not meant for what it will be. */
  interrupt(outcome: 'failed' | 'lost'): void {
    const wasServing = this.#isServing;
    this.#isServing = true;
    const atUs = this.#clock.monotonicUs();
    const ready: Lane[] = [];
    for (let lane = this.#ready.next(); lane; lane = this.#ready.next()) ready.push(lane);
    // Owners that hear of it may send anew, which is not part of this.
    const lanes = ready.filter(({ pending, waiting }) => pending === waiting);
    const first = lanes.map((lane) => lane.takeAll());
    // Of the others the port has frames, or is just being handed one: those come first, and the port
    // will say what becomes of the rest.
    for (const lane of ready) if (lane.isWaiting) this.#ready.join(lane);
    for (const [place, lane] of lanes.entries()) {
      for (let slot = first[place] ?? noSlot; slot !== noSlot; ) {
        slot = this.#giveUp(lane, slot);
        this.#tell(lane, outcome, atUs);
      }
    }
    this.#isServing = wasServing;
    this.#retry();
  }

  /** The port is being closed: nothing is handed to it any more. */
  end(): void {
    this.#isClosed = true;
    this.#turn.cancel();
  }

  /** The port is closed, and tells nothing any more: what has no outcome by now gets none from it. */
  closed(): void {
    const atUs = this.#clock.monotonicUs();
    while (this.#ledger.pending > 0) this.#settle(this.#skipped(), atUs);
    this.interrupt('failed');
  }

  #tryToPass(lane: Lane, slot: number): SendResult {
    try {
      return this.#isClosed ? 'lost' : this.#pass(lane, slot);
    } catch (thrown) {
      this.store.giveBack(slot);
      // The port may have reported before it threw, and others wait for what that has made room for.
      this.#retry();
      throw thrown;
    }
  }

  /** Hands a frame to the port if its turn is now. Says by `full` that it has to wait. */
  #pass(lane: Lane, slot: number): SendResult {
    const isFree =
      !lane.isWaiting && this.#ready.isNext(lane) && this.#ledger.pending < this.#hardware.txDepth;
    if (this.#isServing || !isFree) {
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

  /** Keeps the port in frames, one of each lane in turn. */
  #feed(): void {
    while (!this.#isBlocked && !this.#isClosed && this.#ledger.pending < this.#hardware.txDepth) {
      const lane = this.#ready.next();
      if (!lane) return;
      if (lane.isWaiting) this.#serveFirst(lane);
    }
  }

  /** Sees to the first frame of a lane, and to the next turn of the lane if it has more of them. */
  #serveFirst(lane: Lane): void {
    const slot = lane.takeFirst();
    const nowUs = this.#clock.monotonicUs();
    const isLate = (this.store.deadlineUs[slot] as number) <= nowUs;
    const result = isLate ? 'expired' : this.#handOverSafely(lane, slot);
    if (result === 'accepted') {
      this.store.giveBack(slot);
    } else if (result === 'full') {
      lane.putBack(slot);
      this.#isBlocked = true;
    } else if (lane.pending > lane.waiting + 1) {
      // Its frames with the port have their outcomes first; then it comes back.
      lane.putBack(slot);
      return;
    } else {
      this.#giveUp(lane, slot);
      this.#tell(lane, result, nowUs);
    }
    if (lane.isWaiting) this.#ready.join(lane, result !== 'accepted');
  }

  /** Tells one lane that it can send again; false if there is none that can. */
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

  readonly #hasRoomNow = (lane: Lane): boolean => this.#hasRoom(lane, this.store.size);

  /** Whether a frame of the lane could wait here, beside that many slots. */
  #hasRoom(lane: Lane, taken: number): boolean {
    if (lane.pending < lane.reserved) return true;
    return lane.pending < lane.most && taken + this.#ledger.pending < this.#capacity;
  }

  /**
   * What became of frames that have no outcome though a later one has: every completion is a record, so
   * that they have failed; unless records are missing.
   */
  #skipped(): TxOutcome {
    return this.#isUncertain ? 'unknown' : 'failed';
  }

  /** The next frame with the port has its outcome. */
  #settle(outcome: TxOutcome, atUs: number, eventId = 0): void {
    const lane = this.#ledger.settle();
    if (!lane) return;
    lane.pending -= 1;
    if (lane.isWaiting) this.#ready.join(lane, true);
    this.#tell(lane, outcome, atUs, eventId);
  }

  /** Settles what the port has done with, but no record that is left tells of. */
  #reconcile(): void {
    const { pending } = this.#hardware;
    this.#isMissingMore = false;
    // The records of all that was done by then are told with this, unless they are missing too: that
    // has another turn.
    this.catchUp();
    const atUs = this.#clock.monotonicUs();
    while (this.#ledger.pending > pending) this.#settle('unknown', atUs);
    this.#isUncertain = this.#isMissingMore;
    this.#isBlocked = false;
  }

  /** A frame that the port never had will not be sent. Says which one was behind it. */
  #giveUp(lane: Lane, slot: number): number {
    const read = this.store.readOf(slot);
    const next = this.store.nextOf(slot);
    this.store.giveBack(slot);
    lane.pending -= 1;
    this.#failed += 1;
    try {
      read?.('aborted', this.#clock.unixUs(), 0, nothing, 0, 0);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
    return next;
  }

  #tell(lane: Lane, outcome: TxOutcome, atUs: number, eventId = 0): void {
    if (lane.isClosed) return;
    try {
      lane.owner.settled?.(outcome, atUs, eventId);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
  }

  /** There may be room again; not at once, because the port is busy with itself. */
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
    const deadlineUs = store.deadlineUs[slot] as number;
    const result = sendFrame(this.#hardware, store, slot, this.#readDone);
    if (result === 'accepted') this.#ledger.add(lane, deadlineUs, store.readOf(slot));
    return result;
  }

  /** A frame is not worth the others: the driver has told its own story. */
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
    // What was accepted before it has an outcome too, though no record of it was seen.
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
