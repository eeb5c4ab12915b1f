import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Verdict } from '../../base/threads/verdict.ts';
import type { StateWriter } from '../image/image-state.ts';
import { faultStateTable, taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { ClientWrite } from '../modbus/server-image.ts';
import type { TaskWrites } from '../modbus/task-writes.ts';
import type { SignalValue } from '../values/signal-value.ts';
import type { TaskError } from '../values/task-error.ts';
import { EngineCompiler } from './compile-engine.ts';
import type { CompiledPoll, CompiledServer } from './compile-units.ts';
import { FaultLog } from './fault-log.ts';
import { defaultRunsUntilHot, type HotPart, HotParts } from './generated/hot-parts.ts';
import { ValueStoreEmitter } from './generated/value-store-emitter.ts';
import type { InputMessage } from './input-message.ts';
import type { NativeParts } from './native-parts.ts';
import { type CompiledEngine, type CompiledInput, Mapping, Rounds } from './rounds.ts';
import { SignalStarts } from './signal-starts.ts';
import { DirtySet, RoundTime, SignalStates } from './signal-states.ts';
import { TaskStates } from './task-states.ts';
import type { EngineTransport } from './value-task.ts';
export interface EngineOptions {
  readonly image: ProjectImage;
  readonly writer: StateWriter;
  readonly transport: EngineTransport;
  readonly clock: { readonly unixOffsetUs: number; monotonicUs(): number };
  readonly natives?: NativeParts | undefined;
  /** Number of runs after which a part gets a compiled function; 0 for immediately. */
  readonly runsUntilHot?: number;
}

interface EngineParts extends CompiledEngine {
  readonly rounds: Rounds;
}

const hotPartsOf = ({ inputs, mappings, outputs, tasks }: CompiledEngine): HotPart[] => [
  ...inputs.map(({ message }) => message),
  ...mappings.filter((mapping) => mapping instanceof Mapping),
  ...outputs,
  ...tasks.flatMap((task) => task?.hotParts ?? []),
];

/**
 * Runs a project. Input and time go in, frames and the next deadline come out. All work is done in rounds:
 *
 *     frames, sets ──► inputs ──► ages, samples ──► mappings ──► encoding ──► tasks ──► transport
 *
 * The engine has no drivers and no timers. In steady state a round allocates nothing.
 */
export class Engine {
  readonly #image: ProjectImage;
  readonly #writer: StateWriter;
  readonly #signals: SignalStates;
  readonly #states: TaskStates;
  readonly #compiler: EngineCompiler;
  readonly #time = new RoundTime();
  readonly #changed: DirtySet;
  readonly #starts: SignalStarts;
  readonly #transport: EngineTransport;
  readonly #hot: HotParts;
  #parts: EngineParts | undefined;
  #tasks: CompiledEngine['tasks'] = [];
  #rounds: Rounds | undefined;
  #isRunning = false;
  #roundDue = false;
  readonly #down = new Set<number>();

  constructor({ image, writer, transport, clock, natives, runsUntilHot }: EngineOptions) {
    this.#hot = new HotParts(runsUntilHot ?? defaultRunsUntilHot, this.#time);
    this.#image = image;
    this.#writer = writer;
    this.#transport = transport;
    const unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#changed = new DirtySet(image);
    this.#signals = new SignalStates(image, unixOffsetUs, this.#time, this.#changed);
    this.#starts = new SignalStarts(image, this.#signals, this.#time);
    this.#states = new TaskStates(image, unixOffsetUs);
    const context = {
      signals: this.#signals,
      states: this.#states,
      time: this.#time,
      transport,
      clock,
      faultLog: new FaultLog(image, unixOffsetUs, this.#time, (task) => transport.channelOf(task)),
      hot: this.#hot,
      stores: new ValueStoreEmitter(this.#signals, this.#changed, this.#time),
    };
    this.#compiler = new EngineCompiler(image, context, natives);
  }

  *compile(): Generator<void> {
    if (this.#parts) return;
    const parts = yield* this.#compiler.compile();
    const rounds = new Rounds({
      parts,
      signals: this.#signals,
      states: this.#states,
      changed: this.#changed,
      time: this.#time,
      transport: this.#transport,
      onSet: (signal) => this.#starts.set(signal),
    });
    this.#parts = { ...parts, rounds };
    this.#rounds = rounds;
    this.#tasks = parts.tasks;
    this.#starts.findSet();
    if (this.#hot.runsUntilHot > 0) return;
    for (const part of hotPartsOf(parts)) {
      part.generate();
      yield;
    }
  }

  get inputs(): readonly CompiledInput[] {
    return this.#parts?.inputs ?? [];
  }

  get polls(): readonly CompiledPoll[] {
    return this.#parts?.units.polls ?? [];
  }

  get servers(): readonly CompiledServer[] {
    return this.#parts?.units.servers ?? [];
  }

  writesOf(task: number): TaskWrites | undefined {
    return this.#parts?.taskWrites[task];
  }

  get nextDeadlineUs(): number {
    if (!this.#parts) return Number.POSITIVE_INFINITY;
    return this.#roundDue ? Number.NEGATIVE_INFINITY : this.#parts.rounds.nextDeadlineUs;
  }

  /**
   * Resets everything except software values, counters and protection counters. Call in time
   * slices before `begin`.
   */
  *reset(): Generator<void> {
    const parts = this.#requireParts();
    const { units, served } = parts.rounds;
    parts.rounds.clear();
    yield* this.#each(this.#signals.count, (signal) => this.#starts.reset(signal));
    yield* this.#each(parts.inputs.length, (number) => parts.inputs[number]?.message.reset());
    for (const step of units.reset()) {
      this.#atOnce(step);
      yield;
    }
    yield* this.#each(parts.mappings.length, (number) => {
      parts.mappings[number]?.reset();
      this.#changed.mappings.mark(number);
    });
    yield* this.#each(parts.outputs.length, (number) => {
      parts.outputs[number]?.reset();
      this.#changed.outputs.add(number);
    });
    yield* this.#each(served.count, (number) => {
      served.reset(number);
      this.#changed.outputs.add(parts.outputs.length + number);
    });
    yield* served.fill();
  }

  *#each(count: number, change: (number: number) => void): Generator<void> {
    for (let number = 0; number < count; number++) {
      this.#writer.begin();
      try {
        change(number);
      } finally {
        this.#writer.end();
      }
      yield;
    }
  }

  /** The first round is due immediately. */
  begin(nowUs: number): void {
    const parts = this.#requireParts();
    this.#isRunning = true;
    this.#roundDue = true;
    this.#down.clear();
    this.#time.startUs = nowUs;
    this.#atOnce(() => {
      for (const number of parts.tasks.keys()) this.#states.clearLoss(number);
      this.#starts.observeInitials(nowUs);
      for (const waveform of parts.waveforms) {
        waveform.reset(nowUs);
        parts.rounds.schedule(waveform, nowUs);
      }
    });
    for (const task of parts.tasks) {
      task?.start(nowUs);
      if (task) parts.rounds.touch(task);
    }
  }

  /** Stops sending. Outcomes of frames in flight are still accepted. */
  stop(): void {
    this.#isRunning = false;
    this.#roundDue = false;
    this.#atOnce(() => {
      this.#rounds?.keepSets();
      this.#rounds?.clear();
      for (const task of this.#parts?.tasks ?? []) task?.stop?.();
      for (const { message } of this.inputs) message.silence();
    });
  }

  /** Frames in flight stay unconfirmed: no further outcome is accepted. */
  release(): void {
    this.#atOnce(() => {
      for (const task of this.#parts?.tasks ?? []) task?.release();
    });
  }

  get isInFlight(): boolean {
    return this.#states.inFlight > 0;
  }

  /**
   * Queues a copy of a received frame for the next round. A negative length means a remote frame.
   */
  receive(message: InputMessage, record: DataView, at: number, length: number, atUs: number): void {
    if (this.#isRunning) this.#rounds?.inbox.add(message, record, at, length, atUs);
  }

  /** Queues a copy of a poll response for the next round. */
  polled(poll: number, items: Uint16Array, atUs: number): void {
    if (this.#isRunning) this.#requireParts().rounds.units.polled(poll, items, atUs);
  }

  pollRefused(poll: number, atUs: number): void {
    if (this.#isRunning) this.#requireParts().rounds.units.pollRefused(poll, atUs);
  }

  pollsMissed(count: number): void {
    this.#atOnce(() => this.#states.countInstance('pollMissed', count));
  }

  written(server: number, write: ClientWrite, atUs: number): void {
    if (this.#isRunning) this.#requireParts().rounds.units.written(server, write, atUs);
  }

  /**
   * Sets a software signal in the next round, or immediately if idle. Has no effect after the
   * caller cancelled.
   */
  set(signal: number, value: SignalValue, atUs: number, verdict?: Verdict): void {
    const { rounds } = this.#requireParts();
    const set = { signal, value, atUs, verdict };
    if (this.#isRunning) rounds.set(set);
    else this.#atOnce(() => rounds.setIdle(set));
  }

  /**
   * Marks an endpoint as down. Its inputs are disconnected until the next valid input. Its
   * tasks have an error until the next send, or until `reconnect` if they have nothing to send.
   */
  disconnect(endpoint: number, error: TaskError, atUs: number): void {
    if (!this.#isRunning) return;
    const { rounds } = this.#requireParts();
    this.#atOnce(() => {
      // Input from before the loss must not clear it.
      rounds.drain();
      this.#roundDue = true;
      for (const input of this.inputs) {
        if (input.endpoint === endpoint) input.message.disconnect();
      }
      rounds.units.disconnect(endpoint);
      this.#down.add(endpoint);
      for (const task of this.#tasksOf(endpoint)) this.#states.setError(task, error, atUs);
    });
  }

  reconnect(endpoint: number): void {
    if (!this.#isRunning || !this.#down.delete(endpoint)) return;
    const { tasks } = this.#requireParts();
    this.#atOnce(() => {
      for (const number of this.#tasksOf(endpoint)) {
        if (tasks[number]?.hasToSend === false) this.#states.clearLoss(number);
      }
    });
  }

  switchFault(place: number, enabled: boolean): void {
    const states = faultStateTable.open(this.#image.state.faults);
    if ((states.enabled[place] === 1) === enabled) return;
    this.#atOnce(() => {
      states.enabled[place] = enabled ? 1 : 0;
      for (const task of this.#parts?.tasks ?? []) task?.faults.switched(place);
    });
  }

  started(task: number, atUs: number): void {
    this.#atOnce(() => this.#parts?.tasks[task]?.started?.(atUs));
  }

  /** Reports the outcome of a task's frame. `eventId` identifies the completion on CAN. */
  settled(task: number, error: TaskError | null, atUs: number, eventId = 0): void {
    this.#writer.begin();
    const settled = this.#tasks[task];
    this.#time.settledUs = atUs;
    this.#time.eventId = eventId;
    settled?.settled(error);
    // Outcomes do not change the period of a task.
    if (settled && this.#isRunning && settled.isWaiting) {
      this.#rounds?.schedule(settled, settled.nextUs);
    }
    this.#writer.end();
  }

  run(nowUs: number): void {
    if (!this.#isRunning) return;
    this.#writer.begin();
    try {
      this.#time.nowUs = nowUs;
      this.#roundDue = false;
      this.#rounds?.run();
      // One per round, because compiling takes long.
      if (!this.#hot.isEmpty) this.#hot.generateNext();
    } finally {
      this.#writer.end();
    }
  }

  *#tasksOf(endpoint: number): Generator<number> {
    const { endpoint: endpoints } = taskTable.open(this.#image.tasks);
    for (const [task, its] of endpoints.entries()) if (its === endpoint) yield task;
  }

  #atOnce(change: () => void): void {
    this.#writer.begin();
    try {
      change();
    } finally {
      // Otherwise readers would wait forever.
      this.#writer.end();
    }
  }

  #requireParts(): EngineParts {
    if (!this.#parts) throw new BusbarError('internal_error');
    return this.#parts;
  }
}
