import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import { qualityNumber } from '../values/quality.ts';
import { Slots } from '../values/slots.ts';
import { inputFlag, type ProcessorProgram } from './native-parts.ts';
import type { OrderedBitSet } from './ordered-bit-set.ts';
import { maxItems, type RequestTask, type RequestTasks } from './request-task.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';
import { counter, type TaskStates } from './task-states.ts';

const transformError = qualityNumber('transform_error');

export interface ProcessorParts {
  readonly number: number;
  readonly program: ProcessorProgram;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Null if the processor runs when its inputs change. */
  readonly periodUs: number | null;
  readonly sendTasks: readonly number[];
}

export interface ProcessorContext {
  readonly signals: SignalStates;
  readonly states: TaskStates;
  readonly time: RoundTime;
  readonly requests: RequestTasks;
}

const keepTime = Number.NaN;

/**
 * Computes signals and stages frames with a stateful program. The results of a run are all used
 * or all dropped: it fails if it stages a frame that it must not send, or too many frames.
 */
export class Processor implements HeapEntry {
  heapIndex = -1;
  readonly number: number;
  readonly sendTasks: readonly number[];
  /** Next periodic run; Infinity if the processor runs when its inputs change. */
  expiresAtUs = Number.POSITIVE_INFINITY;
  readonly #program: ProcessorProgram;
  readonly #inputs: readonly number[];
  readonly #outputs: readonly number[];
  readonly #periodUs: number | null;
  readonly #context: ProcessorContext;
  readonly #last: Slots;
  readonly #lastValid: Uint8Array;
  readonly #lastObservedUs: Float64Array;
  #startUs = 0;
  #hasStarted = false;
  #earliestUs = Number.NaN;

  constructor(parts: ProcessorParts, context: ProcessorContext) {
    this.number = parts.number;
    this.sendTasks = parts.sendTasks;
    this.#program = parts.program;
    this.#inputs = parts.inputs;
    this.#outputs = parts.outputs;
    this.#periodUs = parts.periodUs;
    this.#context = context;
    this.#last = new Slots(parts.inputs.length);
    this.#lastValid = new Uint8Array(parts.inputs.length);
    this.#lastObservedUs = new Float64Array(parts.inputs.length);
  }

  reset(): void {
    this.#program.reset();
    this.#hasStarted = false;
    this.#lastValid.fill(0);
    this.#lastObservedUs.fill(Number.NaN);
    this.expiresAtUs = Number.POSITIVE_INFINITY;
  }

  markTasks(due: OrderedBitSet): void {
    for (let index = 0; index < this.sendTasks.length; index++) {
      due.mark(this.sendTasks[index] as number);
    }
  }

  evaluate(): void {
    const { time, requests } = this.#context;
    this.#schedule(time.nowUs);
    this.#putInputs();
    this.#putOutputs();
    const isDone = this.#program.run(time.nowUs, requests.room.free) && this.#areItemsAllowed();
    time.observedUs = Number.isNaN(this.#earliestUs) ? time.nowUs : this.#earliestUs;
    if (isDone) {
      this.#takeOutputs();
      this.#stageItems();
      return;
    }
    this.#countRejected();
    time.observedUs = keepTime;
    for (const output of this.#outputs) this.#context.signals.setQuality(output, 'transform_error');
  }

  /** Keeps the grid of the start: missed runs are skipped. */
  #schedule(nowUs: number): void {
    const periodUs = this.#periodUs;
    if (periodUs === null) return;
    if (!this.#hasStarted) this.#startUs = nowUs;
    this.#hasStarted = true;
    const passed = Math.floor((nowUs - this.#startUs) / periodUs);
    this.expiresAtUs = this.#startUs + (passed + 1) * periodUs;
  }

  #putInputs(): void {
    const { signals } = this.#context;
    this.#earliestUs = Number.NaN;
    for (let index = 0; index < this.#inputs.length; index++) {
      const signal = this.#inputs[index] as number;
      const isValid = signals.isValid(signal);
      this.#program.putInput(index, signals.values, signal, isValid, this.#flagsOf(index, signal));
      const observedUs = signals.observedUs[signal] as number;
      if (!isValid || !signals.isDynamic(signal)) continue;
      if (!(observedUs >= this.#earliestUs)) this.#earliestUs = observedUs;
    }
  }

  #flagsOf(index: number, signal: number): number {
    const { signals } = this.#context;
    const valid = signals.isValid(signal) ? 1 : 0;
    const observedUs = signals.observedUs[signal] as number;
    const last = this.#last;
    const isSame =
      this.#lastValid[index] === valid &&
      last.numbers[index] === signals.values.numbers[signal] &&
      last.wide[index] === signals.values.wide[signal];
    const isObserved = !Number.isNaN(observedUs) && this.#lastObservedUs[index] !== observedUs;
    this.#lastValid[index] = valid;
    this.#lastObservedUs[index] = observedUs;
    last.copyFrom(index, signals.values, signal);
    return (isSame ? 0 : inputFlag.changed) | (isObserved ? inputFlag.observed : 0);
  }

  #putOutputs(): void {
    const { signals } = this.#context;
    for (let index = 0; index < this.#outputs.length; index++) {
      const signal = this.#outputs[index] as number;
      this.#program.putOutput(index, signals.values, signal, signals.isValid(signal));
    }
  }

  #takeOutputs(): void {
    const { signals } = this.#context;
    for (let index = 0; index < this.#outputs.length; index++) {
      const output = this.#outputs[index] as number;
      if (this.#program.isOutputValid(index)) signals.setGood(output, this.#program.outputs, index);
      else if (this.#isToJudge(output)) signals.setQuality(output, 'invalid');
    }
  }

  /** Outputs that are invalid or were never set do not change. */
  #isToJudge(output: number): boolean {
    const { signals } = this.#context;
    return signals.isValid(output) || signals.qualityOf(output) === transformError;
  }

  #areItemsAllowed(): boolean {
    const program = this.#program;
    if (program.itemCount > this.#context.requests.room.free) return false;
    for (let index = 0; index < program.itemCount; index++) {
      const task = this.#taskOf(index);
      if (!task || program.itemLength(index) !== task.length) return false;
    }
    return true;
  }

  #stageItems(): void {
    const program = this.#program;
    for (let index = 0; index < program.itemCount; index++) {
      this.#taskOf(index)?.stage(program.itemBytes(index));
    }
  }

  /** Counts the whole group, including items beyond the limit. */
  #countRejected(): void {
    const { itemCount } = this.#program;
    const readable = Math.min(itemCount, maxItems);
    for (let index = 0; index < readable; index++) {
      this.#reject(this.#taskOf(index)?.number, 1);
    }
    if (itemCount > readable) this.#reject(undefined, itemCount - readable);
  }

  /** Items without a task count for the processor's first task. */
  #reject(of: number | undefined, count: number): void {
    const { states } = this.#context;
    const task = of ?? this.sendTasks[0];
    if (task === undefined) states.countTotal(counter.processor_rejected_requests, count);
    else states.count(task, counter.processor_rejected_requests, count);
  }

  #taskOf(item: number): RequestTask | undefined {
    const task = this.sendTasks[this.#program.itemTask(item)];
    return task === undefined ? undefined : this.#context.requests.get(task);
  }
}
