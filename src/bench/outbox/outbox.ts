import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { DriverChannel, LinReadDone, SendResult } from '../../drivers/driver-channel.ts';
import type { OutcomeListener } from '../bench-sink.ts';
import { FrameStore, txAction } from './frame-store.ts';
import { Lane, type LaneOptions, type LaneOutlet, type LaneOwner, type TxOutcome } from './lane.ts';
import { LaneQueue } from './lane-queue.ts';
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
 * behind no more than the few frames that the port has.
 *
 * The ledger knows whose each frame with the port is, so that its outcome is told to exactly that
 * owner. The next frame is handed over from inside the report that one is through, which leaves no
 * pause on the bus.
 */
export class Outbox implements LaneOutlet, OutcomeListener {
  readonly store: FrameStore;
  readonly #hardware: DriverChannel;
  readonly #clock: Clock;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #unixOffsetUs: number;
  readonly #ledger: TxLedger;
  readonly #capacity: number;
  /** Lanes with frames that wait. */
  readonly #ready = new LaneQueue();
  /** Lanes that want room. */
  readonly #waiters = new LaneQueue();
  readonly #turn: Task;
  #failed = 0;
  /** Handing over reports outcomes, and owners that hear of them may send: the loop sees to that. */
  #isServing = false;
  /** The port takes no more before the next outcome. */
  #isBlocked = false;
  /** Records are missing that may have been outcomes. */
  #isUncertain = false;
  #isClosed = false;

  constructor({ hardware, clock, scheduler, onDefect }: OutboxOptions) {
    this.#hardware = hardware;
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.#unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#capacity = hardware.capabilities.txQueue;
    // An urgent frame passes through a slot although all others may be taken.
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
    if (options.reserved) this.store.grow(options.reserved);
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
    void this.#hardware.pending;
  }

  submit(lane: Lane, slot: number): SendResult {
    const result = this.#tryToPass(lane, slot);
    if (result === 'full' && this.#hasRoom(lane, this.store.size - 1)) {
      lane.append(slot);
      lane.pending += 1;
      this.#lineUp(lane);
      return 'accepted';
    }
    this.store.giveBack(slot);
    if (result === 'full') this.#want(lane);
    // Handing over may have reported outcomes, which others have waited for.
    else if (this.#waiters.size > 0) this.#serve();
    return result;
  }

  discard(lane: Lane): number {
    const frames = lane.waiting;
    for (let left = frames; left > 0; left--) this.#giveUp(lane, lane.takeFirst());
    return frames;
  }

  close(lane: Lane): void {
    if (lane.isClosed) return;
    lane.isClosed = true;
    if (lane.wantsRoom) this.#waiters.remove(lane);
    lane.wantsRoom = false;
  }

  sent(number: number, timestampUs: number): void {
    const atUs = timestampUs - this.#unixOffsetUs;
    const ledger = this.#ledger;
    // Every completion is a record, so that what was left out has failed; unless records are missing.
    const skipped = this.#isUncertain ? 'unknown' : 'failed';
    while (ledger.pending > 0 && ledger.next < number) this.#settle(skipped, atUs);
    if (ledger.pending > 0 && ledger.next === number) this.#settle('sent', atUs);
    this.#isUncertain = false;
    this.#isBlocked = false;
    this.#serve();
  }

  failed(last: number, timestampUs: number): void {
    const atUs = timestampUs - this.#unixOffsetUs;
    const nowUs = this.#clock.monotonicUs();
    const ledger = this.#ledger;
    while (ledger.pending > 0 && ledger.next <= last) {
      this.#settle(ledger.deadlineUs <= nowUs ? 'expired' : 'failed', atUs);
    }
    this.#retry();
  }

  missed(): void {
    this.#isUncertain = true;
    // Not at once: what is left of the records may tell more.
    if (!this.#isClosed) this.#turn.scheduleAt(this.#clock.monotonicUs());
  }

  /** The port starts anew, or is lost: what waits was not meant for what it will be. */
  interrupt(outcome: 'failed' | 'lost'): void {
    const wasServing = this.#isServing;
    this.#isServing = true;
    const atUs = this.#clock.monotonicUs();
    for (let lanes = this.#ready.size; lanes > 0; lanes--) {
      const lane = this.#ready.shift();
      if (!lane) continue;
      lane.isReady = false;
      // Owners that hear of it may send anew, which is not part of this.
      for (let left = lane.waiting; left > 0; left--) {
        this.#giveUp(lane, lane.takeFirst());
        this.#tell(lane, outcome, atUs);
      }
      if (lane.isWaiting) this.#lineUp(lane);
    }
    this.#isServing = wasServing;
    this.#retry();
  }

  /** Nothing is sent any more. What the port still has is its own affair. */
  end(): void {
    this.#isClosed = true;
    this.#turn.cancel();
    this.interrupt('failed');
  }

  #tryToPass(lane: Lane, slot: number): SendResult {
    try {
      return this.#isClosed ? 'lost' : this.#pass(lane, slot);
    } catch (thrown) {
      this.store.giveBack(slot);
      throw thrown;
    }
  }

  /** Hands a frame to the port if its turn is now. Says by `full` that it has to wait. */
  #pass(lane: Lane, slot: number): SendResult {
    const isFree = this.#ready.size === 0 && this.#ledger.pending < this.#hardware.txDepth;
    if (this.#isServing || !(isFree || lane.isUrgent)) {
      const result = this.#check(slot);
      return result === 'accepted' ? 'full' : result;
    }
    this.#isServing = true;
    try {
      const result = this.#handOver(lane, slot);
      if (result === 'accepted') lane.pending += 1;
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
    while (!this.#isBlocked && this.#ledger.pending < this.#hardware.txDepth) {
      const lane = this.#ready.shift();
      if (!lane) return;
      lane.isReady = false;
      const hasHadTurn = lane.isWaiting && this.#serveFirst(lane);
      if (lane.isWaiting) this.#lineUp(lane, !hasHadTurn);
    }
  }

  /** Whether the port took the first frame of the lane. */
  #serveFirst(lane: Lane): boolean {
    const slot = lane.takeFirst();
    const nowUs = this.#clock.monotonicUs();
    const isLate = (this.store.deadlineUs[slot] as number) <= nowUs;
    const result = isLate ? 'expired' : this.#handOverSafely(lane, slot);
    if (result === 'full') {
      lane.putBack(slot);
      this.#isBlocked = true;
    } else if (result === 'accepted') {
      this.store.giveBack(slot);
    } else {
      this.#giveUp(lane, slot);
      this.#tell(lane, result, nowUs);
    }
    return result === 'accepted';
  }

  /** Tells one lane that it can send again; false if there is none that can. */
  #offerRoom(): boolean {
    for (let left = this.#waiters.size; left > 0 && !this.#isClosed; left--) {
      const lane = this.#waiters.shift();
      if (!lane) return false;
      if (!this.#hasRoom(lane, this.store.size)) {
        this.#waiters.push(lane);
        continue;
      }
      lane.wantsRoom = false;
      try {
        lane.owner.room?.();
      } catch (thrown) {
        this.#onDefect(thrown);
      }
      return true;
    }
    return false;
  }

  /** Whether a frame of the lane could wait here, beside that many slots. */
  #hasRoom(lane: Lane, taken: number): boolean {
    if (lane.pending < lane.reserved) return true;
    return lane.pending < lane.most && taken + this.#ledger.pending < this.#capacity;
  }

  #want(lane: Lane): void {
    if (lane.wantsRoom || lane.isClosed || !lane.owner.room) return;
    lane.wantsRoom = true;
    this.#waiters.push(lane);
  }

  #lineUp(lane: Lane, goesFirst = lane.isUrgent): void {
    if (lane.isReady) return;
    lane.isReady = true;
    if (goesFirst) this.#ready.unshift(lane);
    else this.#ready.push(lane);
  }

  /** The next frame with the port has its outcome. */
  #settle(outcome: TxOutcome, atUs: number): void {
    const lane = this.#ledger.settle();
    if (!lane) return;
    lane.pending -= 1;
    this.#tell(lane, outcome, atUs);
  }

  /** Settles what the port has done with, but no record that is left tells of. */
  #reconcile(): void {
    const { pending } = this.#hardware;
    // The records of all that was done by then are told with this.
    this.catchUp();
    const atUs = this.#clock.monotonicUs();
    while (this.#ledger.pending > pending) this.#settle('unknown', atUs);
    this.#isUncertain = false;
    this.#isBlocked = false;
  }

  /** A frame that the port never had will not be sent. */
  #giveUp(lane: Lane, slot: number): void {
    const read = this.store.readOf(slot);
    this.store.giveBack(slot);
    lane.pending -= 1;
    this.#failed += 1;
    read?.('aborted', this.#clock.unixUs(), 0, nothing, 0, 0);
  }

  #tell(lane: Lane, outcome: TxOutcome, atUs: number): void {
    if (lane.isClosed) return;
    try {
      lane.owner.settled?.(outcome, atUs);
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

  #check(slot: number): SendResult {
    const hardware = this.#hardware;
    const isCan = this.store.action[slot] === txAction.send;
    if (hardware.bus === 'lin') return isCan ? 'not_on_bus' : hardware.check();
    return isCan ? hardware.check(this.store.flags[slot] as number) : 'not_on_bus';
  }

  #handOver(lane: Lane, slot: number): SendResult {
    if (this.#ledger.isFull) return 'full';
    const { store } = this;
    const deadlineUs = store.deadlineUs[slot] as number;
    const result = this.#toPort(slot, deadlineUs);
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

  #toPort(slot: number, deadlineUs: number): SendResult {
    const { store } = this;
    const hardware = this.#hardware;
    const id = store.id[slot] as number;
    const flags = store.flags[slot] as number;
    const dlc = store.dlc[slot] as number;
    const length = store.length[slot] as number;
    const offset = store.offsetOf(slot);
    const action = store.action[slot];
    if (hardware.bus !== 'lin') {
      if (action !== txAction.send) return 'not_on_bus';
      return hardware.send(id, flags, dlc, store.data, offset, length, deadlineUs);
    }
    switch (action) {
      case txAction.masterWrite:
        return hardware.masterWrite(id, flags, store.data, offset, length);
      case txAction.masterRead:
        return hardware.masterRead(id, flags, dlc, this.#readDone);
      case txAction.syncBreak:
        return hardware.syncBreak();
      default:
        return 'not_on_bus';
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
    this.#ledger.takeRead()?.(outcome, timestampUs, checksum, payload, offset, length);
    this.#settle(outcome === 'answered' ? 'sent' : 'failed', timestampUs - this.#unixOffsetUs);
    if (outcome === 'aborted') {
      this.#retry();
      return;
    }
    this.#isBlocked = false;
    this.#serve();
  };
}
