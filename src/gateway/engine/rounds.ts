import { DeadlineHeap, type HeapEntry } from '../../base/schedule/deadline-heap.ts';
import { takeEffect, type Verdict } from '../../base/threads/verdict.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { Quality } from '../values/quality.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import type { CompiledOutputs } from './compile-outputs.ts';
import type { CompiledUnits } from './compile-units.ts';
import type { EngineTask } from './engine-task.ts';
import {
  type Evaluate,
  generateEvaluate,
  type LineMapping,
} from './generated/generate-evaluate.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { ValueStoreEmitter } from './generated/value-store-emitter.ts';
import { FrameInbox, InputBinding, InputMessage } from './input-message.ts';
import { OrderedBitSet, SparseSet } from './ordered-bit-set.ts';
import { type OutputBinding, ServedOutputs } from './output-binding.ts';
import { Processor } from './processor.ts';
import type { DirtySet, RoundTime, SignalMoment, SignalStates } from './signal-states.ts';
import type { TaskStates } from './task-states.ts';
import { UnitInputs } from './unit-inputs.ts';
import type { EngineTransport } from './value-task.ts';
import { WaveformGroup } from './waveform-group.ts';

interface MappingParts {
  readonly number: number;
  readonly program: TransformProgram;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly maxSkewUs: number;
  readonly ttlUs: number;
  readonly line: LineMapping | null;
}

interface MappingContext {
  readonly signals: SignalStates;
  readonly time: RoundTime;
  readonly hot: HotParts;
  readonly stores: ValueStoreEmitter;
}

const keepTime = Number.NaN;

export class Mapping implements HeapEntry, HotPart {
  heapIndex = -1;
  readonly number: number;
  /** When its inputs become stale; Infinity for never. */
  expiresAtUs = Number.POSITIVE_INFINITY;
  readonly #program: TransformProgram;
  readonly #inputs: readonly number[];
  readonly #outputs: readonly number[];
  readonly #maxSkewUs: number;
  readonly #ttlUs: number;
  readonly #states: SignalStates;
  readonly #time: RoundTime;
  readonly #in: Slots;
  readonly #out: Slots;
  readonly #line: LineMapping | null;
  readonly #runs: RunCounter;
  readonly #stores: ValueStoreEmitter;
  #quick: Evaluate | null = null;
  /** NaN if all inputs are constant. */
  #earliestUs = Number.NaN;
  #latestUs = Number.NaN;

  constructor(parts: MappingParts, { signals, time, hot, stores }: MappingContext) {
    this.#time = time;
    this.#line = parts.line;
    this.#runs = hot.counterOf(this);
    this.#stores = stores;
    this.number = parts.number;
    this.#program = parts.program;
    this.#inputs = parts.inputs;
    this.#outputs = parts.outputs;
    this.#maxSkewUs = parts.maxSkewUs;
    this.#ttlUs = parts.ttlUs;
    this.#states = signals;
    this.#in = new Slots(parts.inputs.length);
    this.#out = new Slots(parts.outputs.length);
  }

  reset(): void {
    this.#program.reset();
    this.expiresAtUs = Number.POSITIVE_INFINITY;
  }

  generate(): void {
    if (this.#line !== null) this.#quick = generateEvaluate(this, this.#line, this.#stores);
  }

  evaluate(): void {
    const quick = this.#quick;
    if (quick !== null) {
      quick();
      return;
    }
    this.#runs.count();
    this.evaluateSlow();
  }

  evaluateSlow(): void {
    this.expiresAtUs = Number.POSITIVE_INFINITY;
    const fault = this.#fault();
    this.#time.observedUs = fault === null ? this.#earliestUs : keepTime;
    const outputs = this.#outputs;
    for (let index = 0; index < outputs.length; index++) {
      const output = outputs[index] as number;
      if (fault === null) this.#states.setGood(output, this.#out, index);
      else this.#states.setQuality(output, fault);
    }
  }

  #fault(): Quality | null {
    if (!this.#collect()) return 'input_invalid';
    if (this.#latestUs - this.#earliestUs > this.#maxSkewUs) return 'skew';
    if (this.#time.nowUs - this.#earliestUs > this.#ttlUs) return 'expired';
    // One microsecond after the last one in which the result is valid.
    if (!Number.isNaN(this.#earliestUs)) this.expiresAtUs = this.#earliestUs + this.#ttlUs + 1;
    return this.#program.run(this.#in, this.#out) ? null : 'transform_error';
  }

  #collect(): boolean {
    this.#earliestUs = Number.NaN;
    this.#latestUs = Number.NaN;
    const inputs = this.#inputs;
    if (!this.#add(0)) return false;
    const chosen = this.#program.chosen(this.#in);
    if (chosen > 0) return this.#add(chosen);
    for (let index = 1; index < inputs.length; index++) if (!this.#add(index)) return false;
    return true;
  }

  #add(index: number): boolean {
    const signal = this.#inputs[index] as number;
    const states = this.#states;
    if (!states.isValid(signal)) return false;
    this.#in.copyFrom(index, states.values, signal);
    if (!states.isDynamic(signal)) return true;
    const observedUs = states.observedUs[signal] as number;
    if (!(observedUs >= this.#earliestUs)) this.#earliestUs = observedUs;
    if (!(observedUs <= this.#latestUs)) this.#latestUs = observedUs;
    return true;
  }
}

export interface CompiledInput {
  readonly endpoint: number;
  readonly canId: number;
  readonly extended: boolean;
  readonly message: InputMessage;
}

export interface CompiledEngine extends CompiledOutputs {
  readonly inputs: readonly CompiledInput[];
  readonly mappings: readonly (Mapping | Processor)[];
  readonly waveforms: readonly WaveformGroup[];
  readonly units: CompiledUnits;
}

type Timed = InputBinding | InputMessage | Mapping | Processor | WaveformGroup | EngineTask;

export interface PendingSet {
  readonly signal: number;
  readonly value: SignalValue;
  readonly atUs: number;
  /** The caller can cancel while a plugin blocks the round: then the set must not take effect. */
  readonly verdict?: Verdict | undefined;
}

interface TakenSet extends PendingSet {
  readonly before: SignalMoment;
}

export interface RoundsOptions {
  readonly parts: CompiledEngine;
  readonly signals: SignalStates;
  readonly states: TaskStates;
  readonly changed: DirtySet;
  readonly time: RoundTime;
  readonly transport: EngineTransport;
  readonly onSet: (signal: number) => void;
}

export class Rounds {
  readonly inbox = new FrameInbox();
  readonly units: UnitInputs;
  readonly served: ServedOutputs;
  readonly #sets: PendingSet[] = [];
  readonly #stores: TakenSet[] = [];
  readonly #onSet: (signal: number) => void;
  readonly #deadlines = new DeadlineHeap<Timed & HeapEntry>();
  readonly #slot = new Slots(1);
  readonly #changed: DirtySet;
  readonly #changedTasks: SparseSet;
  readonly #dueTasks: OrderedBitSet;
  readonly #signals: SignalStates;
  readonly #states: TaskStates;
  readonly #time: RoundTime;
  readonly #mappings: CompiledEngine['mappings'];
  readonly #outputs: CompiledEngine['outputs'];
  readonly #tasks: CompiledEngine['tasks'];
  readonly #taskOfOutput: Uint32Array;
  readonly #validityTaskOfOutput: Uint32Array;

  constructor({ parts, signals, states, changed, time, transport, onSet }: RoundsOptions) {
    this.#onSet = onSet;
    this.#signals = signals;
    this.#states = states;
    this.#changed = changed;
    this.#time = time;
    // Fields instead of a parts object, because every round reads them.
    this.#mappings = parts.mappings;
    this.#outputs = parts.outputs;
    this.#tasks = parts.tasks;
    this.#taskOfOutput = parts.taskOfOutput;
    this.#validityTaskOfOutput = parts.validityTaskOfOutput;
    this.#changedTasks = new SparseSet(parts.tasks.length);
    this.#dueTasks = new OrderedBitSet(parts.tasks.length);
    this.units = new UnitInputs(parts.units, states, time, (binding) => this.#observed(binding));
    this.served = new ServedOutputs(parts.units, parts.served, transport);
  }

  /** The current time if input is queued; Infinity if nothing is due. */
  get nextDeadlineUs(): number {
    const isWaiting = this.inbox.size > 0 || this.#sets.length > 0 || !this.units.isEmpty;
    return isWaiting ? Number.NEGATIVE_INFINITY : this.#deadlines.firstDeadline;
  }

  clear(): void {
    this.inbox.clear();
    this.units.clear();
    this.#sets.length = 0;
    this.#stores.length = 0;
    for (let first = this.#deadlines.first; first; first = this.#deadlines.first) {
      this.#deadlines.remove(first);
    }
  }

  run(): void {
    this.drain();
    this.units.forgetFresh();
    this.#expire();
    this.#evaluate();
    if (this.#stores.length > 0) this.#settleSets();
    this.#encode();
    this.#serve();
  }

  touch({ number }: EngineTask): void {
    this.#changedTasks.add(number);
  }

  set(set: PendingSet): void {
    this.#sets.push(set);
  }

  keepSets(): void {
    for (const set of this.#sets) this.setIdle(set);
    this.#sets.length = 0;
  }

  setIdle(set: PendingSet): void {
    if (set.verdict && !takeEffect(set.verdict)) return;
    this.#onSet(set.signal);
    const outputs = this.#outputs;
    this.#takeSet(set);
    const changed = this.#changed.outputs;
    for (let number = changed.take(); number >= 0; number = changed.take()) {
      if (number < outputs.length) outputs[number]?.update();
      else this.served.update(number - outputs.length);
    }
  }

  drain(): void {
    const { inbox } = this;
    for (let index = 0; index < inbox.size; index++) this.#observe(index);
    inbox.clear();
    if (!this.units.isEmpty) this.units.drain();
    if (this.#sets.length > 0) this.#takeSets();
  }

  schedule(timed: Timed, atUs: number): void {
    if (atUs === Number.POSITIVE_INFINITY) {
      if (timed.heapIndex >= 0) this.#deadlines.remove(timed);
    } else this.#deadlines.put(timed, atUs);
  }

  #takeSets(): void {
    for (const task of this.#tasks) task?.mark?.();
    for (const set of this.#sets) {
      this.#stores.push({ ...set, before: this.#signals.momentOf(set.signal) });
      this.#takeSet(set);
    }
    this.#sets.length = 0;
  }

  /** Undoes sets whose callers cancelled, before anything is sent. */
  #settleSets(): void {
    let isUndone = false;
    for (let set = this.#stores.pop(); set; set = this.#stores.pop()) {
      if (!set.verdict || takeEffect(set.verdict)) {
        this.#onSet(set.signal);
        continue;
      }
      this.#signals.restore(set.signal, set.before);
      isUndone = true;
    }
    if (!isUndone) return;
    for (const task of this.#tasks) task?.cancelMarked?.();
    this.#evaluate();
  }

  #takeSet({ signal, value, atUs }: PendingSet): void {
    this.#slot.setValue(0, value);
    this.#time.observedUs = atUs;
    this.#signals.setGood(signal, this.#slot, 0);
  }

  #observe(index: number): void {
    const inbox = this.inbox;
    const message = inbox.messageAt(index);
    const length = inbox.lengthAt(index);
    if (length < message.length) {
      this.#states.countInstance(length < 0 ? 'rejectedRemote' : 'rejectedShort');
      return;
    }
    this.#time.observedUs = inbox.timeAt(index);
    const { quick } = message;
    if (quick !== null) {
      if (!quick(inbox.bytes, inbox.bytesAt(index))) this.#watch(message);
      return;
    }
    const isGood = message.observe(inbox.bytes, inbox.bytesAt(index));
    if (!isGood) this.#states.countInstance('rejectedE2e');
    this.#watch(message);
    this.schedule(message, message.nextUs);
  }

  #watch({ bindings }: InputMessage): void {
    for (let place = 0; place < bindings.length; place++) {
      this.#observed(bindings[place] as InputBinding);
    }
  }

  #observed(binding: InputBinding): void {
    // A scheduled deadline stays: it checks the age when it fires.
    if (binding.heapIndex < 0) this.schedule(binding, binding.staleAtUs);
  }

  #expire(): void {
    const deadlines = this.#deadlines;
    while (deadlines.firstDeadline <= this.#time.nowUs) {
      const timed = deadlines.first as Timed;
      deadlines.remove(timed);
      if (timed instanceof InputBinding) {
        timed.age();
        this.schedule(timed, timed.staleAtUs);
      } else if (timed instanceof InputMessage) {
        timed.age();
        this.schedule(timed, timed.nextUs);
      } else if (timed instanceof WaveformGroup) {
        timed.sample();
        this.schedule(timed, timed.nextUs);
      } else if (timed instanceof Mapping || timed instanceof Processor) {
        this.#changed.mappings.mark(timed.number);
      } else {
        this.#dueTasks.mark(timed.number);
      }
    }
  }

  #evaluate(): void {
    const marked = this.#changed.mappings;
    for (let number = marked.takeLowest(); number >= 0; number = marked.takeLowest()) {
      const mapping = this.#mappings[number] as Mapping | Processor;
      mapping.evaluate();
      if (mapping instanceof Processor) mapping.markTasks(this.#dueTasks);
      if (mapping.heapIndex < 0 || mapping.expiresAtUs === Number.POSITIVE_INFINITY) {
        this.schedule(mapping, mapping.expiresAtUs);
      }
    }
  }

  #encode(): void {
    const outputs = this.#outputs;
    const changed = this.#changed.outputs;
    for (let number = changed.take(); number >= 0; number = changed.take()) {
      if (number >= outputs.length) {
        this.served.update(number - outputs.length);
        continue;
      }
      // A signal that becomes valid makes its task ready even if the raw value stays the same.
      (outputs[number] as OutputBinding).update();
      this.#changedTasks.add(this.#taskOfOutput[number] as number);
      const validityTask = this.#validityTaskOfOutput[number] as number;
      if (validityTask > 0) this.#changedTasks.add(validityTask - 1);
    }
    const touched = this.#changedTasks;
    for (let number = touched.take(); number >= 0; number = touched.take()) {
      const task = this.#tasks[number];
      if (!task) continue;
      task.refresh();
      this.#dueTasks.mark(number);
    }
  }

  #serve(): void {
    const due = this.#dueTasks;
    for (let number = due.takeLowest(); number >= 0; number = due.takeLowest()) {
      const task = this.#tasks[number];
      if (!task) continue;
      task.serve();
      this.schedule(task, task.nextUs);
    }
  }
}
