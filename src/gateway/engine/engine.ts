import { BusbarError } from '../../base/errors/busbar-error.ts';
import { DeadlineHeap, type HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { StateWriter } from '../image/image-state.ts';
import { faultStateTable, taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { ClientWrite } from '../modbus/server-image.ts';
import type { WritePlan } from '../modbus/write-plan.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import type { TaskError } from '../values/task-error.ts';
import { ChangeMarks } from './change-marks.ts';
import { type CompiledEngine, type CompiledInput, EngineCompiler } from './compile-engine.ts';
import type { CompiledPoll, CompiledServer } from './compile-units.ts';
import type { EngineTask } from './engine-task.ts';
import { FrameInbox } from './frame-inbox.ts';
import { type HotPart, HotParts, usualRunsUntilHot } from './generated/hot-parts.ts';
import { TakenValues } from './generated/taken-values.ts';
import { InputBinding } from './input-binding.ts';
import type { InputMessage } from './input-message.ts';
import { Mapping } from './mapping.ts';
import { MarkedNumbers } from './marked-numbers.ts';
import type { NativeParts } from './native-parts.ts';
import { NumberSet } from './number-set.ts';
import type { OutputBinding } from './output-binding.ts';
import { Processor } from './processor.ts';
import { RoundTime } from './round-time.ts';
import { ServedOutputs } from './served-outputs.ts';
import { SignalStarts } from './signal-starts.ts';
import { SignalStates } from './signal-states.ts';
import { TaskStates } from './task-states.ts';
import { UnitInputs } from './unit-inputs.ts';
import type { EngineTransport } from './value-task.ts';
import { WaveformGroup } from './waveform-group.ts';

export interface EngineOptions {
  readonly image: ProjectImage;
  readonly writer: StateWriter;
  readonly transport: EngineTransport;
  readonly clock: { readonly unixOffsetUs: number; monotonicUs(): number };
  /** The plugins of the project, if it has any. */
  readonly natives?: NativeParts | undefined;
  /** Runs after which a part of it gets a function of its own. With 0 all of them have one from the beginning. */
  readonly runsUntilHot?: number;
}

type Timed = InputBinding | Mapping | Processor | WaveformGroup | EngineTask;

interface EngineParts extends CompiledEngine {
  readonly unitInputs: UnitInputs;
  readonly servedOutputs: ServedOutputs;
}

const hotPartsOf = ({ inputs, mappings, outputs, tasks }: CompiledEngine): HotPart[] => [
  ...inputs.map(({ message }) => message),
  ...mappings.filter((mapping) => mapping instanceof Mapping),
  ...outputs,
  ...tasks.flatMap((task) => task?.hotParts ?? []),
];

/** A value for a software signal, as it was set. */
interface PendingSet {
  readonly signal: number;
  readonly value: SignalValue;
  readonly atUs: number;
}

/**
 * Runs a project: observations and time in, frames and the next deadline out. Everything happens in rounds:
 *
 *     frames, sets ──► inputs ──► ages, samples ──► mappings ──► encoding ──► tasks ──► transport
 *
 * It knows no driver, no channel and no timer; time is what it is told, and what is to be sent goes to its
 * transport. In steady state a round makes no objects.
 */
export class Engine {
  readonly #image: ProjectImage;
  readonly #writer: StateWriter;
  readonly #signals: SignalStates;
  readonly #states: TaskStates;
  readonly #compiler: EngineCompiler;
  readonly #time = new RoundTime();
  readonly #inbox = new FrameInbox();
  readonly #sets: PendingSet[] = [];
  readonly #deadlines = new DeadlineHeap<Timed & HeapEntry>();
  readonly #slot = new Slots(1);
  readonly #changed: ChangeMarks;
  readonly #starts: SignalStarts;
  readonly #changedTasks: NumberSet;
  readonly #dueTasks: MarkedNumbers;
  readonly #transport: EngineTransport;
  readonly #hot: HotParts;
  #parts: EngineParts | undefined;
  /** Of the parts, by themselves: they are looked at in every round. */
  #mappings: CompiledEngine['mappings'] = [];
  #outputs: CompiledEngine['outputs'] = [];
  #tasks: CompiledEngine['tasks'] = [];
  #isRunning = false;
  /** Inputs were disconnected, and no round has seen it yet. */
  #isDisturbed = false;

  constructor({ image, writer, transport, clock, natives, runsUntilHot }: EngineOptions) {
    this.#hot = new HotParts(runsUntilHot ?? usualRunsUntilHot);
    this.#image = image;
    this.#writer = writer;
    this.#transport = transport;
    const unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#changed = new ChangeMarks(image);
    this.#signals = new SignalStates(image, unixOffsetUs, this.#time, this.#changed);
    this.#starts = new SignalStarts(image, this.#signals, this.#time);
    this.#states = new TaskStates(image, unixOffsetUs);
    const { count } = taskTable.open(image.tasks);
    this.#changedTasks = new NumberSet(count);
    this.#dueTasks = new MarkedNumbers(count);
    const context = {
      signals: this.#signals,
      states: this.#states,
      time: this.#time,
      transport,
      clock,
      hot: this.#hot,
      taken: new TakenValues(this.#signals, this.#changed, this.#time),
    };
    this.#compiler = new EngineCompiler(image, context, natives);
  }

  /** Makes it ready to start. Yields after each of many small steps, so that it can be done in slices. */
  *compile(): Generator<void> {
    if (this.#parts) return;
    const parts = yield* this.#compiler.compile();
    const { units, served } = parts;
    this.#parts = {
      ...parts,
      unitInputs: new UnitInputs(units, this.#states, this.#time, (binding) =>
        this.#observed(binding),
      ),
      servedOutputs: new ServedOutputs(units, served, this.#transport),
    };
    this.#mappings = parts.mappings;
    this.#outputs = parts.outputs;
    this.#tasks = parts.tasks;
    this.#starts.findSet();
    if (this.#hot.runsUntilHot > 0) return;
    for (const part of hotPartsOf(parts)) {
      part.generate();
      yield;
    }
  }

  /** Messages that it wants to hear of. */
  get inputs(): readonly CompiledInput[] {
    return this.#parts?.inputs ?? [];
  }

  /** Reads of units that are to be made again and again. */
  get polls(): readonly CompiledPoll[] {
    return this.#parts?.units.polls ?? [];
  }

  /** Units that others read and write. */
  get servers(): readonly CompiledServer[] {
    return this.#parts?.units.servers ?? [];
  }

  /** How the bytes of a task become requests; undefined for tasks on CAN. */
  writePlan(task: number): WritePlan | undefined {
    return this.#parts?.writePlans[task];
  }

  /** When a round is due, whatever comes; Infinity for never. */
  get nextDeadlineUs(): number {
    const isWaiting =
      this.#inbox.size > 0 ||
      this.#sets.length > 0 ||
      this.#isDisturbed ||
      this.#parts?.unitInputs.isEmpty === false;
    return isWaiting ? Number.NEGATIVE_INFINITY : this.#deadlines.firstDeadline;
  }

  /**
   * Everything begins anew but what software set, what was counted and the counters of protections. To be done
   * before `begin`, in slices.
   */
  *reset(): Generator<void> {
    const parts = this.#requireParts();
    this.#clearInboxes();
    this.#sets.length = 0;
    this.#clearDeadlines();
    const { count } = this.#signals;
    for (let signal = 0; signal < count; signal++) {
      this.#atOnce(() => this.#starts.reset(signal));
      yield;
    }
    for (const { message } of parts.inputs) {
      this.#atOnce(() => message.reset());
      yield;
    }
    for (const step of parts.unitInputs.reset()) {
      this.#atOnce(step);
      yield;
    }
    for (const mapping of parts.mappings) {
      mapping.reset();
      this.#changed.mappings.mark(mapping.number);
      yield;
    }
    for (const [number, output] of parts.outputs.entries()) {
      this.#atOnce(() => output.reset());
      this.#changed.outputs.add(number);
      yield;
    }
    const { servedOutputs } = parts;
    for (let number = 0; number < servedOutputs.count; number++) {
      this.#atOnce(() => servedOutputs.reset(number));
      this.#changed.outputs.add(parts.outputs.length + number);
      yield;
    }
    yield* servedOutputs.fill();
  }

  /** Runs from that time on. */
  begin(nowUs: number): void {
    const parts = this.#requireParts();
    this.#isRunning = true;
    this.#time.startUs = nowUs;
    this.#atOnce(() => {
      this.#starts.observeInitials(nowUs);
      for (const waveform of parts.waveforms) {
        waveform.reset(nowUs);
        this.#deadlines.put(waveform, nowUs);
      }
    });
    for (const task of parts.tasks) {
      task?.start(nowUs);
      if (task) this.#changedTasks.add(task.number);
    }
    this.run(nowUs);
  }

  /** Sends nothing more. Outcomes of what is under way are still taken. */
  stop(): void {
    this.#isRunning = false;
    this.#isDisturbed = false;
    this.#clearInboxes();
    this.#clearDeadlines();
    // What was set is kept, also if no round has seen it.
    for (const set of this.#sets) this.#setIdle(set);
    this.#sets.length = 0;
    this.#atOnce(() => {
      for (const task of this.#parts?.tasks ?? []) task?.stop?.();
    });
  }

  /** No outcome will come any more: what is under way stays unconfirmed. */
  release(): void {
    this.#atOnce(() => {
      for (const task of this.#parts?.tasks ?? []) task?.release();
    });
  }

  /** Accepted frames without an outcome. */
  get isInFlight(): boolean {
    return this.#states.inFlight > 0;
  }

  /**
   * A frame for one of its inputs, observed at that time, to be taken in the next round. Its bytes are copied; a
   * length below 0 says that it was a remote frame.
   */
  receive(message: InputMessage, record: DataView, at: number, length: number, atUs: number): void {
    if (this.#isRunning) this.#inbox.add(message, record, at, length, atUs);
  }

  /** The answer to a poll, registers or bits, to be taken in the next round. Items are copied. */
  polled(poll: number, items: Uint16Array, atUs: number): void {
    if (this.#isRunning) this.#requireParts().unitInputs.polled(poll, items, atUs);
  }

  /** The unit answered a poll with an exception. */
  pollRefused(poll: number, atUs: number): void {
    if (this.#isRunning) this.#requireParts().unitInputs.pollRefused(poll, atUs);
  }

  /** Polls that were passed over. */
  pollsMissed(count: number): void {
    this.#atOnce(() => this.#states.countInstance('pollMissed', count));
  }

  /** What a client wrote and its server has agreed to, to be taken in one round. */
  written(server: number, write: ClientWrite, atUs: number): void {
    if (this.#isRunning) this.#requireParts().unitInputs.written(server, write, atUs);
  }

  /** Sets a software signal: from the next round on, or at once while nothing runs. */
  set(signal: number, value: SignalValue, atUs: number): void {
    this.#starts.set(signal);
    const set = { signal, value, atUs };
    if (this.#isRunning) this.#sets.push(set);
    else this.#setIdle(set);
  }

  /**
   * An endpoint is down: its inputs are worth nothing until something comes again, and its tasks have an error
   * until something is sent again.
   */
  disconnect(endpoint: number, error: TaskError, atUs: number): void {
    if (!this.#isRunning) return;
    this.#atOnce(() => {
      // What came before does not make up for it.
      this.#drain();
      this.#isDisturbed = true;
      for (const input of this.inputs) {
        if (input.endpoint !== endpoint) continue;
        for (const binding of input.message.bindings) binding.disconnect();
      }
      this.#requireParts().unitInputs.disconnect(endpoint);
      const { endpoint: endpoints } = taskTable.open(this.#image.tasks);
      for (let task = 0; task < endpoints.length; task++) {
        if (endpoints[task] === endpoint) this.#states.setError(task, error, atUs);
      }
    });
  }

  /** Switches a fault rule, by its place in the plan. */
  switchFault(place: number, enabled: boolean): void {
    const states = faultStateTable.open(this.#image.state.faults);
    if ((states.enabled[place] === 1) === enabled) return;
    this.#atOnce(() => {
      states.enabled[place] = enabled ? 1 : 0;
      for (const task of this.#parts?.tasks ?? []) task?.faults.switched(place);
    });
  }

  /** What a task wrote has got the link. */
  started(task: number, atUs: number): void {
    this.#atOnce(() => this.#parts?.tasks[task]?.started?.(atUs));
  }

  /** The frame of a task that is under way has its outcome. */
  settled(task: number, error: TaskError | null, atUs: number): void {
    this.#writer.begin();
    const settled = this.#tasks[task];
    this.#time.settledUs = atUs;
    settled?.settled(error);
    // The period of a task does not depend on what became of a frame.
    if (settled && this.#isRunning && settled.isWaiting) this.#schedule(settled, settled.nextUs);
    this.#writer.end();
  }

  /** Everything that is due by now. */
  run(nowUs: number): void {
    if (!this.#isRunning) return;
    this.#writer.begin();
    try {
      this.#time.nowUs = nowUs;
      this.#isDisturbed = false;
      this.#drain();
      this.#requireParts().unitInputs.forgetFresh();
      this.#expire();
      this.#evaluate();
      this.#encode();
      this.#serve();
      // One at a time: to compile all of them would keep others from their deadlines.
      if (!this.#hot.isEmpty) this.#hot.generateNext();
    } finally {
      this.#writer.end();
    }
  }

  #drain(): void {
    const inbox = this.#inbox;
    for (let index = 0; index < inbox.size; index++) this.#observe(index);
    inbox.clear();
    const { unitInputs } = this.#requireParts();
    if (!unitInputs.isEmpty) unitInputs.drain();
    if (this.#sets.length > 0) this.#takeSets();
  }

  #takeSets(): void {
    for (const set of this.#sets) this.#takeSet(set);
    this.#sets.length = 0;
  }

  #takeSet({ signal, value, atUs }: PendingSet): void {
    this.#slot.setValue(0, value);
    this.#time.observedUs = atUs;
    this.#signals.take(signal, this.#slot, 0);
  }

  #setIdle(set: PendingSet): void {
    const { outputs, servedOutputs } = this.#requireParts();
    this.#atOnce(() => {
      this.#takeSet(set);
      const changed = this.#changed.outputs;
      for (let number = changed.take(); number >= 0; number = changed.take()) {
        if (number < outputs.length) outputs[number]?.update();
        else servedOutputs.encode(number - outputs.length);
      }
    });
  }

  #observe(index: number): void {
    const inbox = this.#inbox;
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
  }

  #watch({ bindings }: InputMessage): void {
    for (let place = 0; place < bindings.length; place++) {
      this.#observed(bindings[place] as InputBinding);
    }
  }

  #observed(binding: InputBinding): void {
    // One that has a deadline keeps it: when it comes, it is looked at how old the value is then.
    if (binding.heapIndex < 0) this.#schedule(binding, binding.staleAtUs);
  }

  #expire(): void {
    const deadlines = this.#deadlines;
    while (deadlines.firstDeadline <= this.#time.nowUs) {
      const timed = deadlines.first as Timed;
      deadlines.remove(timed);
      if (timed instanceof InputBinding) {
        timed.age();
        this.#schedule(timed, timed.staleAtUs);
      } else if (timed instanceof WaveformGroup) {
        timed.sample();
        this.#schedule(timed, timed.nextUs);
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
        this.#schedule(mapping, mapping.expiresAtUs);
      }
    }
  }

  #encode(): void {
    const outputs = this.#outputs;
    const { taskOfOutput, validityTaskOfOutput, servedOutputs } = this.#requireParts();
    const changed = this.#changed.outputs;
    for (let number = changed.take(); number >= 0; number = changed.take()) {
      if (number >= outputs.length) {
        servedOutputs.update(number - outputs.length);
        continue;
      }
      // A signal that becomes valid makes its task ready, also if the raw is the same.
      (outputs[number] as OutputBinding).update();
      this.#changedTasks.add(taskOfOutput[number] as number);
      const validityTask = validityTaskOfOutput[number] as number;
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
      this.#schedule(task, task.nextUs);
    }
  }

  #schedule(timed: Timed, atUs: number): void {
    if (atUs === Number.POSITIVE_INFINITY) {
      if (timed.heapIndex >= 0) this.#deadlines.remove(timed);
    } else this.#deadlines.put(timed, atUs);
  }

  #atOnce(change: () => void): void {
    this.#writer.begin();
    try {
      change();
    } finally {
      // Readers would wait for ever.
      this.#writer.end();
    }
  }

  #clearInboxes(): void {
    this.#inbox.clear();
    this.#parts?.unitInputs.clear();
  }

  #clearDeadlines(): void {
    for (let first = this.#deadlines.first; first; first = this.#deadlines.first) {
      this.#deadlines.remove(first);
    }
  }

  #requireParts(): EngineParts {
    if (!this.#parts) throw new BusbarError('internal_error');
    return this.#parts;
  }
}
