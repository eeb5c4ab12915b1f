import type { CyclicJob } from '../can-offload.ts';
import type { RefusedSend } from '../send-result.ts';

export class CanCyclicJob {
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  readonly data: Uint8Array;
  sent = 0;
  failed = 0;
  lastRefusal: RefusedSend | undefined;
  frameUs = 0;
  readonly #startUs: number;
  readonly #periodUs: number;
  readonly #count: number;
  #turn = 0;

  constructor({ id, flags, dlc, data, periodUs, count }: CyclicJob, startUs: number) {
    this.id = id;
    this.flags = flags;
    this.dlc = dlc;
    this.data = data.slice();
    this.#periodUs = periodUs;
    this.#count = count;
    this.#startUs = startUs;
  }

  get dueUs(): number {
    return this.#startUs + this.#turn * this.#periodUs;
  }

  get isFinished(): boolean {
    return this.#count > 0 && this.sent >= this.#count;
  }

  take(): void {
    this.sent += 1;
    this.#turn += 1;
  }

  refuse(untilUs: number, refusal: RefusedSend): void {
    if (this.dueUs > untilUs) return;
    const turns = Math.floor((untilUs - this.dueUs) / this.#periodUs) + 1;
    this.failed += turns;
    this.#turn += turns;
    this.lastRefusal = refusal;
  }
}
