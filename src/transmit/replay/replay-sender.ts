import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Lane, LaneOwner } from '../../bench/outbox/lane.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import { dlcToLength, maxFdLength } from '../../frame/dlc.ts';
import { maxExtendedId, maxLinId, maxStandardId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { hasEnhancedChecksum, linChecksumModel, maxLinLength } from '../../frame/lin.ts';
import { TraceBatch, traceDetail } from '../../trace/trace-batch.ts';
import { framesPerTurn, yields } from '../batch-send.ts';
import type { SendChannel } from '../send-channel.ts';
import type { ReplayCounts, SkipReason } from './replay-counts.ts';

interface RowSender {
  readonly isAnswering: boolean;
  send(batch: TraceBatch, row: number): SendResult | SkipReason;
  end(): void;
}

const canFlags =
  frameFlag.extended | frameFlag.remote | frameFlag.fd | frameFlag.brs | frameFlag.esi;

/** Returns whether a CAN controller could send this event. Files can contain anything. */
const isCanFrame = (batch: TraceBatch, row: number, flags: number): boolean => {
  if (batch.bus[row] === busCode.lin) return false;
  const highestId = (flags & frameFlag.extended) !== 0 ? maxExtendedId : maxStandardId;
  if ((batch.id[row] as number) > highestId) return false;
  const isRemote = (flags & frameFlag.remote) !== 0;
  const isFd = (flags & frameFlag.fd) !== 0;
  if (isRemote && isFd) return false;
  const length = isRemote ? 0 : dlcToLength(batch.dlc[row] as number, isFd);
  return batch.length[row] === length;
};

const canSender = (lane: Lane): RowSender => ({
  isAnswering: false,
  send(batch, row) {
    const flags = batch.flags[row] as number;
    if ((flags & frameFlag.error) !== 0) return 'error_frame';
    if (!isCanFrame(batch, row, flags)) return 'not_on_bus';
    return lane.send(
      batch.id[row] as number,
      flags & canFlags,
      batch.dlc[row] as number,
      batch.payload,
      row * maxFdLength,
      batch.length[row] as number,
    );
  },
  end() {},
});

/** Returns why an event cannot be sent as a LIN response on this channel. */
const linObstacle = (
  { settings }: LinControl,
  batch: TraceBatch,
  row: number,
): SkipReason | undefined => {
  const flags = batch.flags[row] as number;
  const length = batch.length[row] as number;
  if ((flags & frameFlag.error) !== 0) return 'error_frame';
  if (batch.bus[row] !== busCode.lin) return 'not_on_bus';
  if ((flags & frameFlag.syncBreak) !== 0) return 'sync_break';
  if ((flags & frameFlag.wakeUp) !== 0) return 'wake_up';
  if ((flags & frameFlag.checksumError) !== 0) return 'checksum_error';
  if ((flags & frameFlag.noResponse) !== 0 || length === 0) return 'no_response';
  if ((batch.id[row] as number) > maxLinId || length > maxLinLength) return 'not_on_bus';
  const isEnhanced = (flags & frameFlag.enhancedChecksum) !== 0;
  const canBe = !isEnhanced || !settings.lin || hasEnhancedChecksum(settings.lin.version);
  return canBe ? undefined : 'not_on_bus';
};

const linFlags = ({ settings }: LinControl, batch: TraceBatch, row: number): number => {
  if (((batch.detail[row] as number) & traceDetail.noModel) === 0) {
    return (batch.flags[row] as number) & frameFlag.enhancedChecksum;
  }
  const model = linChecksumModel(batch.id[row] as number, settings.lin?.checksum ?? 'classic');
  return model === 'enhanced' ? frameFlag.enhancedChecksum : 0;
};

/** The master also plays the slaves: their responses follow its own headers. */
const linMasterSender = (hardware: LinControl, lane: Lane): RowSender => ({
  isAnswering: false,
  send(batch, row) {
    const obstacle = linObstacle(hardware, batch, row);
    if (obstacle) return obstacle;
    return lane.masterWrite(
      batch.id[row] as number,
      linFlags(hardware, batch, row),
      batch.payload,
      row * maxFdLength,
      batch.length[row] as number,
    );
  },
  end() {},
});

/** A slave only responds: from its time, an event answers the next header. */
const linSlaveSender = (hardware: LinControl): RowSender => {
  const answered = new Uint8Array(maxLinId + 1);
  let isAnswering = false;
  return {
    get isAnswering() {
      return isAnswering;
    },
    send(batch, row) {
      const obstacle = linObstacle(hardware, batch, row);
      if (obstacle) return obstacle;
      const id = batch.id[row] as number;
      const length = batch.length[row] as number;
      const flags = linFlags(hardware, batch, row);
      hardware.setResponse(id, flags, batch.payload, row * maxFdLength, length);
      answered[id] = 1;
      isAnswering = true;
      return 'accepted';
    },
    end() {
      for (const [id, isAnswered] of answered.entries()) {
        if (isAnswered === 1) hardware.clearResponse(id);
      }
    },
  };
};

const rowSenderOf = (hardware: PortControl, lane: Lane): RowSender => {
  if (hardware.bus !== 'lin') return canSender(lane);
  return hardware.settings.lin?.role === 'master'
    ? linMasterSender(hardware, lane)
    : linSlaveSender(hardware);
};

/** Events that wait for room, in order and in fixed memory. */
class EventBacklog {
  /** Waiting events from `head`; `timeNs` is unused. */
  readonly batch: TraceBatch;
  readonly #dueUs: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.batch = new TraceBatch(capacity);
    this.#dueUs = new Float64Array(this.batch.capacity);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.batch.capacity;
  }

  get head(): number {
    return this.#head;
  }

  get headDueUs(): number {
    return this.#dueUs[this.#head] as number;
  }

  push(from: TraceBatch, row: number, dueUs: number): void {
    const { batch } = this;
    const to = (this.#head + this.#size) % batch.capacity;
    const length = from.length[row] as number;
    this.#dueUs[to] = dueUs;
    batch.id[to] = from.id[row] as number;
    batch.flags[to] = from.flags[row] as number;
    batch.bus[to] = from.bus[row] as number;
    batch.dlc[to] = from.dlc[row] as number;
    batch.length[to] = length;
    batch.detail[to] = from.detail[row] as number;
    const source = row * maxFdLength;
    const target = to * maxFdLength;
    for (let i = 0; i < length; i++) batch.payload[target + i] = from.payload[source + i] as number;
    this.#size += 1;
  }

  shift(): void {
    this.#head = (this.#head + 1) % this.batch.capacity;
    this.#size -= 1;
  }

  clear(): void {
    this.#size = 0;
  }
}

/** A channel with this many waiting events delays all others. */
export const backlogCapacity = 1024;

export interface ReplaySenderEvents {
  onRoom(): void;
  onClosed(channel: SendChannel): void;
}

export class ReplaySender implements LaneOwner {
  readonly #counts: ReplayCounts;
  readonly #scheduler: Scheduler;
  readonly #lane: Lane;
  readonly #sender: RowSender;
  readonly #backlog = new EventBacklog(backlogCapacity);
  readonly #events: ReplaySenderEvents;
  readonly #stopListening: () => void;
  /** Set after a `full` result: no attempt before room is reported. */
  #isBlocked = false;

  constructor(
    channel: SendChannel,
    counts: ReplayCounts,
    scheduler: Scheduler,
    events: ReplaySenderEvents,
  ) {
    this.#counts = counts;
    this.#scheduler = scheduler;
    this.#events = events;
    this.#lane = channel.outbox.open(this);
    this.#sender = rowSenderOf(channel.hardware, this.#lane);
    this.#stopListening = channel.onInterrupted((why) => {
      if (why === 'closed') events.onClosed(channel);
    });
  }

  /** Sends immediately; otherwise other lanes would use the room. */
  room(): void {
    this.#isBlocked = false;
    this.flush(framesPerTurn);
    this.#events.onRoom();
  }

  get isEmpty(): boolean {
    return this.#backlog.size === 0;
  }

  get isAnswering(): boolean {
    return this.#sender.isAnswering;
  }

  get isFull(): boolean {
    return this.#backlog.isFull;
  }

  get canContinue(): boolean {
    return !this.#isBlocked && this.#backlog.size > 0;
  }

  take(batch: TraceBatch, row: number, dueUs: number): void {
    if (this.#backlog.size > 0 || !this.#submit(batch, row, dueUs)) {
      this.#backlog.push(batch, row, dueUs);
    }
  }

  /** Sends at most `max` waiting events, fewer if a deadline is due; returns their number. */
  flush(max: number): number {
    const backlog = this.#backlog;
    let done = 0;
    while (done < max && this.canContinue) {
      if (!this.#submit(backlog.batch, backlog.head, backlog.headDueUs)) break;
      // Listeners called during a send can have stopped the replay.
      if (backlog.size === 0) break;
      backlog.shift();
      done += 1;
      if (yields(done, this.#scheduler)) break;
    }
    return done;
  }

  end(): void {
    this.#stopListening();
    this.#lane.close();
    this.#backlog.clear();
    this.#sender.end();
  }

  #submit(batch: TraceBatch, row: number, dueUs: number): boolean {
    const result = this.#sender.send(batch, row);
    if (result === 'full') {
      this.#isBlocked = true;
      return false;
    }
    if (result === 'accepted') this.#counts.send(dueUs);
    else this.#counts.skip(result);
    return true;
  }
}
