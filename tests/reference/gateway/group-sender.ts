import type { Output, Outputs } from './outputs.ts';
import { type ResourceRow, rowOf, type Tables, type WriteTaskRow } from './project.ts';
import { writeStepsOf } from './requests.ts';
import type { WriteStep } from './script.ts';
import { createFaultCounts } from './task-counts.ts';
import type { Attempt, Sender } from './tasks.ts';

/** Sends a request group to the link; returns the error code, or null if it was accepted. */
export type SubmitGroup = (
  task: WriteTaskRow,
  endpoint: string,
  steps: readonly WriteStep[],
) => string | null;

/** Request groups of a task that writes resources. Fault rules do not apply to them. */
export class GroupSender implements Sender {
  readonly endpoint: string;
  readonly periodMs: number;
  readonly faultCounts = createFaultCounts();
  readonly #row: WriteTaskRow;
  readonly #resources: readonly ResourceRow[];
  readonly #outputs: Outputs;
  readonly #submit: SubmitGroup;

  constructor(tables: Tables, row: WriteTaskRow, outputs: Outputs, submit: SubmitGroup) {
    this.#row = row;
    this.#resources = row.resources.map((id) => rowOf(tables.modbus_resources, id));
    this.endpoint = this.#resources[0]?.endpoint ?? '';
    this.periodMs = row.period_ms ?? 0;
    this.#outputs = outputs;
    this.#submit = submit;
  }

  start(): void {}

  outputs(): readonly Output[] {
    return this.#outputs.ofResources(this.#resources);
  }

  snapshotOf(outputs: readonly Output[]): string {
    const items = this.#resources.map((resource) => this.#outputs.itemsOf(resource));
    return JSON.stringify([items, outputs.map(({ valid }) => valid)]);
  }

  attempt(isRetry: boolean): Attempt {
    if (!isRetry) this.faultCounts.generated += 1;
    const steps = writeStepsOf(this.#resources, (resource) => this.#outputs.itemsOf(resource));
    const refusal = this.#submit(this.#row, this.endpoint, steps);
    return refusal === null ? { kind: 'accepted' } : { kind: 'refused', error: refusal };
  }
}
