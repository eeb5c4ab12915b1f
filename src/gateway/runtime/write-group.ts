import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../../modbus/pdu/requests.ts';
import { readRegisters } from '../../modbus/pdu/wire-words.ts';
import type { Exchange, GoodResponse } from '../../modbus/session/exchange.ts';
import type { UnitTuning } from '../../modbus/session/unit-tuning.ts';
import { modifiedRequest, type WriteStep } from '../modbus/task-writes.ts';

/** Where the requests of a group go. */
export interface GroupTarget {
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
}

/** Told what becomes of a group. */
export interface GroupOwner {
  /** When its first request went out; told with the first answer to it, or before its end. */
  groupStarted(group: WriteGroup, atUs: number): void;
  /** The unit answered one of the requests, which may not have been the last. */
  groupAnswered(): void;
  /** All of it was written, or the first request that failed has ended it. */
  groupEnded(group: WriteGroup, error: BusbarError | null): void;
}

const nothingFound = new Uint16Array(0);

/** All that a task writes at once, one step or more: one exchange, so that no other request comes in between. */
export class WriteGroup implements Exchange {
  readonly task: number;
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning: UnitTuning | undefined;
  readonly request: ModbusRequest;
  readonly #steps: readonly WriteStep[];
  readonly #owner: GroupOwner;
  /** The step that is next, or whose words are being read. */
  #step = 0;
  /** Reads of that step that were answered, and the words that they found. */
  #reads = 0;
  #found = nothingFound;
  /** When it got the link, if its owner was not told yet. */
  #startedUs: number | undefined;

  constructor(
    task: number,
    steps: readonly WriteStep[],
    { unit, timeoutMs, tuning }: GroupTarget,
    owner: GroupOwner,
  ) {
    this.task = task;
    this.unit = unit;
    this.timeoutMs = timeoutMs;
    this.tuning = tuning;
    this.#steps = steps;
    this.#owner = owner;
    this.request = this.#requestOf(steps[0] as WriteStep);
  }

  /** Its owner may just be submitting it, or another one that the link goes to first. */
  started(nowUs: number): void {
    this.#startedUs = nowUs;
  }

  /** Tells its owner when it got the link, if it did and this was not told before. */
  reportStart(): void {
    const atUs = this.#startedUs;
    this.#startedUs = undefined;
    if (atUs !== undefined) this.#owner.groupStarted(this, atUs);
  }

  answered(response: GoodResponse): ModbusRequest | undefined {
    this.reportStart();
    this.#owner.groupAnswered();
    const step = this.#steps[this.#step];
    if (response.kind === 'registers' && step?.kind === 'read_modify_write') {
      const at = (step.reads[this.#reads]?.address ?? 0) - step.address;
      readRegisters(response.data, response.dataAt, response.count, this.#found, at);
      this.#reads += 1;
    }
    if (step !== undefined) return this.#requestOf(step);
    this.#owner.groupEnded(this, null);
    return undefined;
  }

  failed(error: BusbarError): void {
    this.reportStart();
    this.#owner.groupEnded(this, error);
  }

  /** What a step asks next. */
  #requestOf(step: WriteStep): ModbusRequest {
    if (step.kind === 'read_modify_write') {
      if (this.#reads === 0) this.#found = new Uint16Array(step.words.length);
      const read = step.reads[this.#reads];
      if (read) return read;
    }
    this.#step += 1;
    this.#reads = 0;
    return step.kind === 'write' ? step.request : modifiedRequest(step, this.#found);
  }
}
