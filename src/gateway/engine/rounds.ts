import { DeadlineHeap, type HeapEntry } from '../../base/schedule/deadline-heap.ts';
import { takeEffect, type Verdict } from '../../base/threads/verdict.ts';
import { lowerHalf } from '../values/cells.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import type { CompiledEngine } from './compile-engine.ts';
import type { EngineTask } from './engine-task.ts';
import { InputBinding, InputMessage } from './input-message.ts';
import { Mapping } from './mapping.ts';
import { OrderedBitSet, SparseSet } from './ordered-bit-set.ts';
import type { OutputBinding } from './output-binding.ts';
import { ServedOutputs } from './output-binding.ts';
import { Processor } from './processor.ts';
import type { RoundTime } from './round-time.ts';
import type { DirtySet, SignalMoment, SignalStates } from './signal-states.ts';
import type { TaskStates } from './task-states.ts';
import { UnitInputs } from './unit-inputs.ts';
import type { EngineTransport } from './value-task.ts';
import { WaveformGroup } from './waveform-group.ts';

const maxBytes = 64;

const initialCapacity = 256;

const isLittleEndian = lowerHalf === 0;

class FrameInbox {
  size = 0;
  bytes = new Uint8Array(initialCapacity * maxBytes);
  #words = new Int32Array(this.bytes.buffer);
  #messages: (InputMessage | null)[] = new Array<InputMessage | null>(initialCapacity).fill(null);
  #lengths = new Int16Array(initialCapacity);
  #times = new Float64Array(initialCapacity);

  add(message: InputMessage, record: DataView, at: number, length: number, atUs: number): void {
    if (this.size === this.#messages.length) this.#grow();
    const { size } = this;
    const first = size * maxBytes;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      this.#words[(first + index) >> 2] = record.getInt32(at + index, isLittleEndian);
    }
    for (; index < length; index++) this.bytes[first + index] = record.getUint8(at + index);
    this.#messages[size] = message;
    this.#lengths[size] = length;
    this.#times[size] = atUs;
    this.size = size + 1;
  }

  messageAt(index: number): InputMessage {
    return this.#messages[index] as InputMessage;
  }

  bytesAt(index: number): number {
    return index * maxBytes;
  }

  lengthAt(index: number): number {
    return this.#lengths[index] as number;
  }

  timeAt(index: number): number {
    return this.#times[index] as number;
  }

  clear(): void {
    this.size = 0;
  }

  #grow(): void {
    const capacity = 2 * this.#messages.length;
    const { bytes } = this;
    this.bytes = new Uint8Array(capacity * maxBytes);
    this.bytes.set(bytes);
    this.#words = new Int32Array(this.bytes.buffer);
    this.#lengths = grown(this.#lengths, new Int16Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#messages = [...this.#messages, ...new Array<null>(capacity / 2).fill(null)];
  }
}

const grown = <Numbers extends Int16Array | Float64Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};

type Timed = InputBinding | InputMessage | Mapping | Processor | WaveformGroup | EngineTask;

export interface PendingSet {
  readonly signal: number;
  readonly value: SignalValue;
  readonly atUs: number;
  /**
   * The caller can cancel while a plugin blocks the round: then the set must not take effect.
   */
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
  readonly #taken: TakenSet[] = [];
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
    this.#taken.length = 0;
    for (let first = this.#deadlines.first; first; first = this.#deadlines.first) {
      this.#deadlines.remove(first);
    }
  }

  run(): void {
    this.drain();
    this.units.forgetFresh();
    this.#expire();
    this.#evaluate();
    if (this.#taken.length > 0) this.#settleSets();
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
      this.#taken.push({ ...set, before: this.#signals.momentOf(set.signal) });
      this.#takeSet(set);
    }
    this.#sets.length = 0;
  }

  /** Undoes sets whose callers cancelled, before anything is sent. */
  #settleSets(): void {
    let isUndone = false;
    for (let set = this.#taken.pop(); set; set = this.#taken.pop()) {
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
