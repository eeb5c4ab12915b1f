import type { FaultEffect } from '../image/image-values.ts';
import type { FaultLog } from './fault-log.ts';
import type { FrameBuilder } from './frame-builder.ts';
import type { RoundTime } from './signal-states.ts';
import type { FaultDecision, FaultRule, TaskFaults } from './task-faults.ts';
import { counter, type TaskStates } from './task-states.ts';

/** `passed`: a rule dropped the frame. `failed`: the frame could not be built. */
export type OpportunityOutcome = 'frame' | 'passed' | 'failed';

interface OpportunityParts {
  readonly number: number;
  readonly builder: FrameBuilder;
  readonly faults: TaskFaults;
}

interface OpportunityContext {
  readonly states: TaskStates;
  readonly faultLog: FaultLog;
  readonly time: RoundTime;
}

const effects = {
  conflict: 'conflict',
  suppress: 'suppressed',
  repeat: 'repeated',
  bypass: 'unprotected',
  drop: 'dropped',
  override: 'injected',
} as const satisfies Record<Exclude<FaultDecision, 'none'>, FaultEffect>;

/**
 * Decides at each send opportunity of a task which fault rules apply. A retry repeats the
 * decision, which is counted once.
 */
export class FrameOpportunity {
  readonly #task: number;
  readonly #builder: FrameBuilder;
  readonly #faults: TaskFaults;
  readonly #states: TaskStates;
  readonly #log: FaultLog;
  readonly #time: RoundTime;
  #decision: FaultDecision = 'none';
  #isTallied = true;

  #firstEvent = 0;
  #events = 0;
  #effect: FaultEffect = 'injected';
  #logged: Uint8Array | null = null;
  readonly #logRule = ({ place }: FaultRule): void => {
    this.#log.add(this.#task, place, this.#effect, this.#logged);
    this.#events += 1;
  };

  constructor(
    { number, builder, faults }: OpportunityParts,
    { states, faultLog, time }: OpportunityContext,
  ) {
    this.#task = number;
    this.#builder = builder;
    this.#faults = faults;
    this.#states = states;
    this.#log = faultLog;
    this.#time = time;
  }

  get isConflict(): boolean {
    return this.#decision === 'conflict';
  }

  build(business: Int32Array, isRetry: boolean): OpportunityOutcome {
    if (!isRetry) {
      this.#decision = this.#faults.isEmpty ? 'none' : this.#faults.decide();
      this.#isTallied = false;
      this.#events = 0;
    }
    const outcome = this.#build(business);
    if (outcome === 'failed' || this.#isTallied) return outcome;
    this.#isTallied = true;
    if (this.#decision !== 'none') this.#logEvents(this.#decision, outcome === 'frame');
    return outcome;
  }

  sent(): void {
    const { eventId } = this.#time;
    if (this.#events > 0 && eventId > 0) {
      this.#log.complete(this.#firstEvent, this.#events, eventId);
    }
  }

  #logEvents(decision: Exclude<FaultDecision, 'none'>, isFrame: boolean): void {
    this.#effect = decision === 'repeat' && !isFrame ? 'suppressed' : effects[decision];
    this.#logged = isFrame || decision === 'drop' ? this.#builder.bytes : null;
    this.#firstEvent = this.#log.newest + 1;
    this.#faults.firing(this.#logRule);
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
