import type { TaskError } from '../values/task-error.ts';
import { type EngineTask, never, retryUs } from './engine-task.ts';
import type { FrameBuilder } from './frame-builder.ts';
import type { FrameCounts } from './frame-counts.ts';
import { FrameOpportunity } from './frame-opportunity.ts';
import type { HotPart } from './generated/hot-parts.ts';
import type { TaskFaults } from './task-faults.ts';
import { counter } from './task-states.ts';
import type { ValueTaskContext } from './value-task.ts';

export class RequestTasks {
  readonly room = new RequestRoom();
  readonly #tasks = new Map<number, RequestTask>();

  add(task: RequestTask): void {
    this.#tasks.set(task.number, task);
  }

  get(number: number): RequestTask | undefined {
    return this.#tasks.get(number);
  }
}

/** Maximum requests of an instance, queued and in flight. */
const maxRequests = 64;
export const maxItems = 16;

export class RequestRoom {
  #used = 0;

  get free(): number {
    return Math.min(maxItems, maxRequests - this.#used);
  }

  take(): void {
    this.#used += 1;
  }

  give(count: number): void {
    this.#used -= count;
  }
}

export interface RequestTaskParts {
  readonly number: number;
  readonly length: number;
  readonly builder: FrameBuilder;
  readonly faults: TaskFaults;
  readonly counts: FrameCounts;
}

interface Payload {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
}

const newPayload = (length: number): Payload => {
  const words = new Int32Array(Math.ceil(length / Int32Array.BYTES_PER_ELEMENT));
  return { words, bytes: new Uint8Array(words.buffer) };
};

/**
 * Sends the frames that processors stage, in order and one at a time. A frame is protected when it is sent, so that
 * cancelled frames leave no gaps in the counters on the bus.
 *
 *     staged ──► queued ──► accepted ──► sent, failed
 *                  │           └───────► unconfirmed  stopped before its outcome
 *                  └─────────► cancelled               by a stop or a fault rule
 */
export class RequestTask implements EngineTask {
  heapIndex = -1;
  readonly number: number;
  readonly faults: TaskFaults;
  readonly length: number;
  readonly #counts: FrameCounts;
  readonly #builder: FrameBuilder;
  readonly #opportunity: FrameOpportunity;
  readonly #context: ValueTaskContext;
  readonly #room: RequestRoom;
  readonly #payloads: readonly Payload[];
  #first = 0;
  #queued = 0;
  #isInFlight = false;
  #submittedUs = 0;
  #isRetry = false;
  #marked = 0;
  #freeAtUs = Number.NEGATIVE_INFINITY;

  constructor(parts: RequestTaskParts, context: ValueTaskContext, room: RequestRoom) {
    const { number, length, builder, faults, counts } = parts;
    this.#counts = counts;
    this.number = number;
    this.length = length;
    this.faults = faults;
    this.#builder = builder;
    this.#context = context;
    this.#room = room;
    this.#opportunity = new FrameOpportunity(parts, context);
    this.#payloads = Array.from({ length: maxRequests }, () => newPayload(length));
  }

  get hotParts(): readonly HotPart[] {
    return [this.#counts];
  }

  get isWaiting(): boolean {
    return this.#queued > 0;
  }

  get nextUs(): number {
    return this.#queued === 0 || this.#isInFlight ? never : this.#freeAtUs;
  }

  start(_nowUs: number): void {
    this.#isInFlight = false;
    this.#isRetry = false;
    this.#freeAtUs = Number.NEGATIVE_INFINITY;
    this.faults.rearm();
    this.#builder.reset();
  }

  refresh(): void {}

  stage(bytes: Uint8Array): void {
    const payload = this.#payloads[(this.#first + this.#queued) % maxRequests] as Payload;
    for (let index = 0; index < this.length; index++) payload.bytes[index] = bytes[index] as number;
    this.#queued += 1;
    this.#room.take();
    this.#context.states.count(this.number, counter.queued_requests, 1);
  }

  mark(): void {
    this.#marked = this.#queued;
  }

  cancelMarked(): void {
    this.#cancel(this.#queued - this.#marked);
  }

  serve(): void {
    const { nowUs } = this.#context.time;
    while (this.#queued > 0 && !this.#isInFlight && nowUs >= this.#freeAtUs) this.#attempt();
  }

  settled(error: TaskError | null): void {
    const { states, time } = this.#context;
    this.#isInFlight = false;
    this.#room.give(1);
    time.submittedUs = this.#submittedUs;
    states.setError(this.number, error, time.settledUs);
    if (error === null) {
      this.#opportunity.sent();
      this.#counts.sent();
    } else this.#counts.failed();
  }

  get hasToSend(): boolean {
    return this.#queued > 0 || this.#isInFlight;
  }

  stop(): void {
    this.#cancel(this.#queued);
    this.#isRetry = false;
  }

  release(): void {
    if (!this.#isInFlight) return;
    this.#isInFlight = false;
    this.#room.give(1);
    this.#context.states.count(this.number, counter.unconfirmed, 1);
  }

  #cancel(count: number): void {
    const { states } = this.#context;
    states.count(this.number, counter.queued_requests, -count);
    states.count(this.number, counter.cancelled_requests, count);
    this.#room.give(count);
    this.#queued -= count;
  }

  #attempt(): void {
    const { words } = this.#payloads[this.#first] as Payload;
    const outcome = this.#opportunity.build(words, this.#isRetry);
    if (outcome === 'passed') this.#pass();
    else if (outcome === 'failed') this.#refused('native_failed');
    else this.#send();
  }

  #send(): void {
    const error = this.#context.transport.send(this.number, this.#builder.bytes);
    if (error === null) this.#accepted();
    else this.#refused(error);
  }

  #pass(): void {
    const { states, time } = this.#context;
    if (this.#opportunity.isConflict) states.setError(this.number, 'fault_conflict', time.nowUs);
    this.#dequeue();
    this.#room.give(1);
    states.count(this.number, counter.cancelled_requests, 1);
  }

  #accepted(): void {
    const { clock, time } = this.#context;
    time.acceptedUs = clock.monotonicUs();
    this.#dequeue();
    this.#builder.accepted();
    this.#isInFlight = true;
    this.#submittedUs = time.acceptedUs;
    this.#counts.accepted();
  }

  #refused(error: TaskError): void {
    const { states, time } = this.#context;
    this.#builder.discard();
    states.setError(this.number, error, time.nowUs);
    this.#isRetry = true;
    this.#freeAtUs = time.nowUs + retryUs;
  }

  #dequeue(): void {
    this.#first = (this.#first + 1) % maxRequests;
    this.#queued -= 1;
    this.#isRetry = false;
    this.#context.states.count(this.number, counter.queued_requests, -1);
  }
}
