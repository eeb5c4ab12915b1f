import type { Clock } from '../../base/clock/clock.ts';
import { DurationHistogram } from '../../base/durations/duration-histogram.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { RingQueue } from '../../base/ring-queue.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { Lane, LaneOwner, TxOutcome } from '../../bench/outbox/lane.ts';
import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { RefusedSend, SendResult } from '../../drivers/send-result.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import { DiagnosticSlots } from '../../lin/diagnostic-slots.ts';
import { ScheduleMachine } from '../../lin/schedule-machine.ts';
import {
  diagnosticPollUs,
  isSlaveResponse,
  type ReadFrame,
  type SchedulePlan,
  type SlotAction,
} from '../../lin/schedule-plan.ts';
import { lastErrorOf } from '../last-error.ts';
import type { LastError } from '../record-fields.ts';
import { SlotGap } from './slot-gap.ts';

/** The frame at the port, and the next one if that ends late. More would only be later. */
const maxPending = 2;

export interface ScheduleRunParts {
  readonly channel: Pick<Channel, 'outbox' | 'hardware'>;
  readonly plan: SchedulePlan;
  readonly table: number;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

const none = -1;
/** Instead of a frame's index: the frame of a diagnostic request. */
const diagnostic = -2;

interface CurrentFrame {
  readonly id: number;
  readonly flags: number;
  readonly data: Uint8Array;
}

const flagsOf = ({ enhanced }: Pick<ReadFrame, 'enhanced'>): number =>
  enhanced ? frameFlag.enhancedChecksum : 0;

/** A schedule on a channel: hands the frame of each slot to the outbox when the slot starts. */
export class ScheduleRun implements LaneOwner {
  readonly machine: ScheduleMachine;
  readonly frames: readonly CurrentFrame[];
  readonly diagnostics: DiagnosticSlots;
  readonly lateness = new DurationHistogram();
  sent = 0;
  failed = 0;
  empty = 0;
  unanswered = 0;
  invalid = 0;
  readonly #outbox: Channel['outbox'];
  readonly #lane: Lane;
  readonly #gap: SlotGap;
  readonly #timer: Task;
  #refusal: RefusedSend | undefined;
  /** Frames without an outcome, in order; none for commands and headers. */
  readonly #published = new RingQueue<number>();
  #defect: LastError | undefined;

  constructor({ channel, plan, table, clock, scheduler }: ScheduleRunParts) {
    const { outbox, hardware } = channel;
    const startUs = clock.monotonicUs();
    this.machine = new ScheduleMachine(plan, table, startUs);
    const pollUs = plan.tables.map(diagnosticPollUs);
    this.diagnostics = new DiagnosticSlots(() => {
      const { nextTable, table: current } = this.machine;
      return pollUs[nextTable ?? current] ?? null;
    });
    this.frames = plan.frames.map((frame) => ({
      id: frame.id,
      flags: flagsOf(frame),
      data: frame.data.slice(),
    }));
    this.#outbox = outbox;
    this.#lane = outbox.open(this, { isUrgent: true, max: maxPending });
    this.#gap = new SlotGap(this.#lane, hardware, clock);
    outbox.setGate(this.#gap);
    this.#timer = scheduler.createTask('LIN schedule', (nowUs) => this.#run(nowUs));
    this.#timer.scheduleAt(startUs);
  }

  get lastError(): LastError | null {
    return this.#defect ?? lastErrorOf(this.#refusal);
  }

  change(frame: number, data: Uint8Array): void {
    this.frames[frame]?.data.set(data);
    this.machine.change(frame);
  }

  stop(): void {
    this.#timer.cancel();
    this.#lane.discard();
    this.#lane.close();
    this.#outbox.setGate(undefined);
    this.diagnostics.end();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const frame = this.#published.shift() ?? none;
    if (outcome === 'expired') this.#expire(frame);
    if (frame === diagnostic) this.diagnostics.settled(outcome === 'sent', atUs);
    if (this.#lane.pending === 0) this.#openGap();
  }

  #run(nowUs: number): number {
    const { machine } = this;
    this.lateness.record(nowUs - machine.dueUs);
    this.#gap.close();
    const action = machine.begin(nowUs);
    this.#submit(action, nowUs);
    if (this.#lane.pending === 0) this.#openGap();
    return machine.dueUs;
  }

  /** The bus was busy until the end of the slot. */
  #expire(frame: number): void {
    this.sent -= 1;
    this.failed += 1;
    this.#defect = { code: 'hardware_timeout', message: 'The bus was busy for a whole slot' };
    if (frame >= 0) this.machine.change(frame);
  }

  #openGap(): void {
    this.#gap.open(this.machine.dueUs);
    this.#outbox.gateOpened();
  }

  #submit(action: SlotAction, nowUs: number): void {
    try {
      this.#count(this.#handOver(action, nowUs));
    } catch (thrown) {
      const { code, message } = BusbarError.from(thrown);
      this.#defect = { code, message };
      this.failed += 1;
    }
  }

  /** Null for a slot without a header. */
  #handOver(action: SlotAction, nowUs: number): SendResult | null {
    switch (action.kind) {
      case 'publish':
        return this.#publish(action.frame);
      case 'changed':
        return this.#publishChanged(action.frames);
      case 'request':
        return this.#request(nowUs) ?? this.#publishRequest(action.frames);
      case 'command':
        return this.#write(linMasterRequestId, 0, action.data, none);
      case 'read':
        return this.#read(action, isSlaveResponse(action) ? this.#polled : this.#answered);
      case 'event':
        return this.#read(action, this.#triggered);
    }
  }

  /** A frame that the bus keeps waiting does not start in the next slot. */
  #write(id: number, flags: number, data: Uint8Array, frame: number): SendResult {
    const result = this.#lane.masterWrite(id, flags, data, 0, data.length, this.machine.dueUs);
    if (result === 'accepted') this.#published.push(frame);
    return result;
  }

  #read(frame: ReadFrame, done: LinReadDone): SendResult {
    const { id, length } = frame;
    const result = this.#lane.masterRead(id, flagsOf(frame), length, done, this.machine.dueUs);
    if (result === 'accepted') this.#published.push(none);
    return result;
  }

  #publish(frame: number): SendResult {
    const { id, flags, data } = this.frames[frame] as CurrentFrame;
    const result = this.#write(id, flags, data, frame);
    if (result === 'accepted') this.machine.sent(frame);
    return result;
  }

  #publishChanged(frames: readonly number[]): SendResult | null {
    const frame = this.machine.firstChanged(frames);
    return frame === none ? null : this.#publish(frame);
  }

  /** Another request would cancel the response to the one under way. */
  #publishRequest(frames: readonly number[]): SendResult | null {
    return this.diagnostics.isInUse ? null : this.#publishChanged(frames);
  }

  #request(nowUs: number): SendResult | null {
    const data = this.diagnostics.next(nowUs);
    if (!data) return null;
    let result: SendResult | null = null;
    try {
      result = this.#write(linMasterRequestId, 0, data, diagnostic);
      return result;
    } finally {
      if (result !== 'accepted') this.diagnostics.settled(false, nowUs);
    }
  }

  #count(result: SendResult | null): void {
    if (result === null) this.empty += 1;
    else if (result === 'accepted') this.sent += 1;
    else {
      this.#refusal = result;
      this.#defect = undefined;
      this.failed += 1;
    }
  }

  readonly #answered: LinReadDone = (outcome) => {
    if (outcome === 'no_response') this.unanswered += 1;
    else if (outcome === 'checksum_error' || outcome === 'collision') this.invalid += 1;
  };

  /** A slave that is not ready does not respond, which is no error. */
  readonly #polled: LinReadDone = (outcome) => {
    if (outcome === 'checksum_error' || outcome === 'collision') this.invalid += 1;
  };

  /** Responses of several slaves together have no valid checksum, if they are not garbled. */
  readonly #triggered: LinReadDone = (outcome) => {
    if (outcome === 'checksum_error' || outcome === 'collision') this.machine.collide();
  };
}
