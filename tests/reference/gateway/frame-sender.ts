import { bitsOfRaw } from './codecs.ts';
import { decide, type FaultDecision, type FaultRule, rearm } from './faults.ts';
import type { FrameBuilder } from './frames.ts';
import type { Output, Outputs } from './outputs.ts';
import type { FrameTaskRow, MessageRow } from './project.ts';
import { createFaultCounts } from './task-counts.ts';
import type { Attempt, Sender } from './tasks.ts';

/** Sends a frame to the bus; returns the error code, or null if it was accepted. */
export type SubmitFrame = (
  task: FrameTaskRow,
  message: MessageRow,
  data: Uint8Array,
) => string | null;

/** The frames of a task, with its faults. */
export class FrameSender implements Sender {
  readonly faultCounts = createFaultCounts();
  readonly #row: FrameTaskRow;
  readonly #message: MessageRow;
  readonly #rules: readonly FaultRule[];
  readonly #outputs: Outputs;
  readonly #frames: FrameBuilder;
  readonly #submit: SubmitFrame;
  #decision: FaultDecision = { kind: 'none', overrides: [] };

  constructor(
    row: FrameTaskRow,
    message: MessageRow,
    rules: readonly FaultRule[],
    outputs: Outputs,
    frames: FrameBuilder,
    submit: SubmitFrame,
  ) {
    this.#row = row;
    this.#message = message;
    this.#rules = rules;
    this.#outputs = outputs;
    this.#frames = frames;
    this.#submit = submit;
  }

  get endpoint(): string {
    return this.#message.endpoint;
  }

  get periodMs(): number {
    return this.#row.period_ms ?? this.#message.period_ms ?? 0;
  }

  start(): void {
    this.#frames.start();
    this.#rules.forEach(rearm);
  }

  outputs(): readonly Output[] {
    return this.#outputs.activeOf(this.#message);
  }

  snapshotOf(outputs: readonly Output[]): string {
    return outputs
      .map(({ row, codec, raw, valid }) => `${row.id}=${bitsOfRaw(codec, raw)}${valid ? '' : '!'}`)
      .join(' ');
  }

  /**
   * Builds and submits a frame according to the rules. A retry keeps its decision, and is not
   * counted again.
   */
  attempt(isRetry: boolean): Attempt {
    if (!isRetry) this.#decision = decide(this.#rules);
    const { kind, overrides } = this.#decision;
    const counts = this.faultCounts;
    const count = (name: 'generated' | 'injected' | 'unprotected' | 'repeated'): void => {
      if (!isRetry) counts[name] += 1;
    };
    switch (kind) {
      case 'conflict':
        counts.faultConflicts += 1;
        return { kind: 'held', error: 'fault_conflict' };
      case 'suppress':
        counts.suppressed += 1;
        return { kind: 'held' };
      case 'drop':
        counts.generated += 1;
        counts.dropped += 1;
        this.#frames.commit(this.#frames.protect([]));
        return { kind: 'held' };
      case 'repeat': {
        const last = this.#frames.lastUnaltered;
        if (last === undefined) {
          counts.suppressed += 1;
          return { kind: 'held' };
        }
        count('repeated');
        return this.#hand(last);
      }
      case 'bypass':
        count('unprotected');
        return this.#hand(this.#frames.bypass());
      default: {
        const frame = this.#frames.protect(overrides);
        count('generated');
        if (kind === 'override') count('injected');
        const attempt = this.#hand(frame.data);
        if (attempt.kind === 'accepted') {
          this.#frames.commit(frame);
          this.#frames.remember(frame);
        }
        return attempt;
      }
    }
  }

  #hand(data: Uint8Array): Attempt {
    const refusal = this.#submit(this.#row, this.#message, data);
    return refusal === null ? { kind: 'accepted' } : { kind: 'refused', error: refusal };
  }
}
