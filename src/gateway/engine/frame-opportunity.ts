import type { FrameBuilder } from './frame-builder.ts';
import type { FaultDecision, TaskFaults } from './task-faults.ts';
import { counter, type TaskStates } from './task-states.ts';

/** What has become of an opportunity: a frame to send; nothing, because rules say so; or no frame could be made. */
export type OpportunityOutcome = 'frame' | 'passed' | 'failed';

/**
 * The opportunities of a task to send, and what fault rules make of them. What they decide at one holds for all
 * attempts at it, and is counted once.
 */
export class FrameOpportunity {
  readonly #task: number;
  readonly #builder: FrameBuilder;
  readonly #faults: TaskFaults;
  readonly #states: TaskStates;
  #decision: FaultDecision = 'none';
  /** It was counted. It is not as long as no frame could be made. */
  #isTallied = true;

  constructor(task: number, builder: FrameBuilder, faults: TaskFaults, states: TaskStates) {
    this.#task = task;
    this.#builder = builder;
    this.#faults = faults;
    this.#states = states;
  }

  /** Rules that exclude each other fired at the last one. */
  get isConflict(): boolean {
    return this.#decision === 'conflict';
  }

  /** Makes the frame of the next opportunity, or that of the last one anew, of the words of what it carries. */
  build(business: Int32Array, isRetry: boolean): OpportunityOutcome {
    if (!isRetry) {
      this.#decision = this.#faults.isEmpty ? 'none' : this.#faults.decide();
      this.#isTallied = false;
    }
    const outcome = this.#build(business);
    if (outcome !== 'failed') this.#isTallied = true;
    return outcome;
  }

  #build(business: Int32Array): OpportunityOutcome {
    const builder = this.#builder;
    switch (this.#decision) {
      case 'conflict':
        this.#tally(counter.fault_conflicts);
        return 'passed';
      case 'suppress':
        this.#tally(counter.suppressed);
        return 'passed';
      case 'repeat': {
        const isThere = builder.repeat();
        this.#tally(isThere ? counter.repeated : counter.suppressed);
        return isThere ? 'frame' : 'passed';
      }
      case 'bypass':
        this.#tally(counter.unprotected);
        builder.bypass(business);
        return 'frame';
      default:
        if (!builder.build(business)) return 'failed';
        this.#tally(counter.generated);
        if (this.#decision === 'drop') {
          this.#tally(counter.dropped);
          builder.commit();
          return 'passed';
        }
        if (this.#decision === 'override') {
          this.#tally(counter.injected);
          builder.override(this.#faults);
        }
        return 'frame';
    }
  }

  #tally(which: number): void {
    if (!this.#isTallied) this.#states.count(this.#task, which, 1);
  }
}
