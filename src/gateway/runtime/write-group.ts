import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../../modbus/pdu/requests.ts';
import { readRegisters } from '../../modbus/pdu/wire-words.ts';
import type { Exchange, GoodResponse } from '../../modbus/session/exchange.ts';
import type { UnitTuning } from '../../modbus/session/unit-tuning.ts';
import { modifiedRequest, type WriteStep } from '../modbus/task-writes.ts';

export interface GroupTarget {
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
}

export interface GroupOwner {
  /**
   * Time of its first request. Reported with the first response, or before the group completes.
   */
  groupStarted(group: WriteGroup, atUs: number): void;
  groupAnswered(): void;
  groupEnded(group: WriteGroup, error: BusbarError | null): void;
}

const nothingFound = new Uint16Array(0);

/** Write steps of a task as one exchange, so that no other request is sent in between. */
export class WriteGroup implements Exchange {
  readonly task: number;
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning: UnitTuning | undefined;
  readonly request: ModbusRequest;
  readonly #steps: readonly WriteStep[];
  readonly #owner: GroupOwner;
  #step = 0;
  #reads = 0;
  #found = nothingFound;
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

  /** The owner may still be submitting this group, or another that gets the link first. */
  started(nowUs: number): void {
    this.#startedUs = nowUs;
  }

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
