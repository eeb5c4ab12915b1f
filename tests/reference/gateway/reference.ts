import { createRule, type FaultRule, switchRule } from './faults.ts';
import { FrameBuilder } from './frames.ts';
import { Inputs } from './inputs.ts';
import { Mappings } from './mappings.ts';
import { Outputs } from './outputs.ts';
import { type MessageRow, rowOf, type Tables, type TaskRow, tablesOf } from './project.ts';
import type { Script, ScriptEvent, SentFrame, Snapshot, Trace } from './script.ts';
import { createSignal, isValid, type SignalState, setSignal, startSignal } from './signals.ts';
import { Task } from './tasks.ts';
import { valueText } from './values.ts';
import { sampleWaveform } from './waveforms.ts';

/** How long after a stop outcomes are still taken. */
const graceUs = 1_000_000;

/** A loaded project on CAN: events in, frames and snapshots out. */
class Gateway {
  readonly frames: SentFrame[] = [];
  readonly snapshots: Snapshot[] = [];
  readonly #tables: Tables;
  readonly #signals: ReadonlyMap<string, SignalState>;
  readonly #inputs: Inputs;
  readonly #mappings: Mappings;
  readonly #outputs: Outputs;
  readonly #rules: readonly FaultRule[];
  readonly #tasks: readonly Task[];
  readonly #down = new Set<string>();
  readonly #refusing = new Set<string>();
  /** What came since the last round, in the order in which it came. */
  #queue: ScriptEvent[] = [];
  #isRunning = false;
  #startUs = 0;
  #stopUs = 0;
  #nowUs = 0;

  constructor(project: object) {
    this.#tables = tablesOf(project);
    const signals = this.#tables.signals.map((row) => [row.id, createSignal(row)] as const);
    this.#signals = new Map(signals);
    this.#inputs = new Inputs(this.#tables, this.#signals);
    this.#mappings = new Mappings(this.#tables, this.#signals);
    this.#outputs = new Outputs(this.#tables, this.#signals);
    this.#rules = this.#tables.fault_rules.map(createRule);
    this.#tasks = this.#tables.tx_tasks.map((row) => this.#createTask(row));
    this.#outputs.encode();
  }

  #createTask(row: TaskRow): Task {
    const message = rowOf(this.#tables.messages, row.message);
    const rules = this.#rules.filter((rule) => rule.row.task === row.id);
    const frames = new FrameBuilder(this.#tables, message, this.#outputs);
    return new Task(row, message, rules, this.#outputs, frames, this.#submit);
  }

  readonly #submit = (task: TaskRow, message: MessageRow, data: Uint8Array): string | null => {
    const { endpoint } = message;
    if (this.#down.has(endpoint)) return 'channel_not_open';
    if (this.#refusing.has(endpoint)) return 'bus_off';
    this.frames.push({
      atUs: this.#nowUs,
      task: task.id,
      endpoint,
      id: message.can_id,
      extended: message.extended ?? false,
      fd: message.fd ?? false,
      brs: message.brs ?? false,
      data: Buffer.from(data).toString('hex'),
    });
    return null;
  };

  handle(event: ScriptEvent): void {
    this.#nowUs = event.atUs;
    if (!this.#isRunning && event.atUs - this.#stopUs >= graceUs) this.#abandon();
    switch (event.kind) {
      case 'start':
        this.#start();
        break;
      case 'stop':
        this.#stop();
        break;
      case 'round':
        if (this.#isRunning) this.#round();
        break;
      case 'snapshot':
        this.snapshots.push(this.#snapshot());
        break;
      case 'outcome':
        this.#tasks.find(({ row }) => row.id === event.task)?.complete(event.sent, event.atUs);
        break;
      case 'switch': {
        const rule = this.#rules.find(({ row }) => row.id === event.rule);
        if (rule !== undefined) switchRule(rule, event.enabled);
        break;
      }
      case 'accepts':
        if (event.accepts) this.#refusing.delete(event.endpoint);
        else this.#refusing.add(event.endpoint);
        break;
      case 'endpoint':
        if (event.up) this.#down.delete(event.endpoint);
        else this.#down.add(event.endpoint);
        this.#enqueue(event);
        break;
      case 'set':
        this.#enqueue(event);
        if (!this.#isRunning) this.#setAtRest(event.signal, event.value);
        break;
      case 'frame':
        // A channel that is not open receives nothing.
        if (!this.#down.has(event.endpoint)) this.#enqueue(event);
        break;
    }
  }

  #enqueue(event: ScriptEvent): void {
    if (this.#isRunning) this.#queue.push(event);
  }

  #abandon(): void {
    for (const task of this.#tasks) task.abandon();
  }

  #setAtRest(id: string, value: string): void {
    const signal = this.#signals.get(id);
    if (signal === undefined) return;
    setSignal(signal, value, this.#nowUs);
    this.#outputs.encodeSignal(signal);
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#abandon();
    this.#isRunning = true;
    this.#startUs = this.#nowUs;
    for (const signal of this.#signals.values()) startSignal(signal, this.#nowUs);
    this.#inputs.start((endpoint) => this.#down.has(endpoint));
    this.#mappings.start();
    this.#outputs.start();
    for (const task of this.#tasks) task.start(this.#nowUs);
    this.#round();
  }

  /** Frames that no round has seen are lost, but what a client has set is kept. */
  #stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#stopUs = this.#nowUs;
    for (const event of this.#queue) if (event.kind === 'set') this.#take(event);
    this.#queue = [];
  }

  #take(event: ScriptEvent): void {
    if (event.kind === 'frame') this.#inputs.receive(event);
    if (event.kind === 'set') {
      const signal = this.#signals.get(event.signal);
      if (signal !== undefined) setSignal(signal, event.value, event.atUs);
    }
    if (event.kind === 'endpoint' && !event.up) {
      this.#inputs.disconnect(event.endpoint);
      for (const task of this.#tasks) {
        if (task.message.endpoint === event.endpoint) task.error = 'channel_not_open';
      }
    }
  }

  #round(): void {
    const events = this.#queue;
    this.#queue = [];
    for (const event of events) this.#take(event);
    this.#inputs.judge(this.#nowUs);
    for (const signal of this.#signals.values()) {
      if (signal.row.producer === 'waveform') sampleWaveform(signal, this.#startUs, this.#nowUs);
    }
    this.#mappings.evaluate(this.#nowUs);
    this.#outputs.encode();
    for (const task of this.#tasks) task.round(this.#nowUs);
  }

  #snapshot(): Snapshot {
    return {
      atUs: this.#nowUs,
      signals: [...this.#signals.values()].map((signal) => ({
        id: signal.row.id,
        value: signal.value === null ? null : valueText(signal.value),
        valid: isValid(signal),
        quality: signal.quality,
        observedUs: signal.observedUs,
        bindings: this.#outputs.entriesOf(signal),
      })),
      tasks: this.#tasks.map((task) => task.entry()),
      rejected: { ...this.#inputs.rejected },
    };
  }
}

/** Runs a script; slow, but each rule can be read. */
export const runReference = (script: Script): Trace => {
  const gateway = new Gateway(script.project);
  for (const event of script.events) gateway.handle(event);
  return { frames: gateway.frames, snapshots: gateway.snapshots };
};
