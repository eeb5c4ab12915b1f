import { createRule, type FaultRule, switchRule } from './faults.ts';
import { FrameSender } from './frame-sender.ts';
import { FrameBuilder } from './frames.ts';
import { GroupSender } from './group-sender.ts';
import { type Incoming, IncomingQueue } from './incoming.ts';
import { Inputs } from './inputs.ts';
import { Mappings } from './mappings.ts';
import { Outputs } from './outputs.ts';
import {
  type FrameTaskRow,
  type MessageRow,
  rowOf,
  type Tables,
  type TaskRow,
  tablesOf,
  type WriteTaskRow,
} from './project.ts';
import { RegisterInputs } from './register-inputs.ts';
import { type Read, readsOf } from './requests.ts';
import type {
  BindingEntry,
  Script,
  ScriptEvent,
  SentFrame,
  Snapshot,
  Trace,
  WriteAnswer,
  WriteGroup,
  WriteStep,
} from './script.ts';
import { Servers } from './servers.ts';
import { createSignal, isValid, type SignalState, setSignal, startSignal } from './signals.ts';
import { Task } from './tasks.ts';
import { valueText } from './values.ts';
import { sampleWaveform } from './waveforms.ts';

/** How long after a stop outcomes are still accepted. */
const graceUs = 1_000_000;

/** A loaded project: events in, frames, request groups and snapshots out. */
class Gateway {
  readonly reads: readonly Read[];
  readonly frames: SentFrame[] = [];
  readonly groups: WriteGroup[] = [];
  readonly answers: WriteAnswer[] = [];
  readonly snapshots: Snapshot[] = [];
  readonly #tables: Tables;
  readonly #signals: ReadonlyMap<string, SignalState>;
  readonly #inputs: Inputs;
  readonly #registers: RegisterInputs;
  readonly #mappings: Mappings;
  readonly #outputs: Outputs;
  readonly #servers: Servers;
  readonly #rules: readonly FaultRule[];
  readonly #tasks: readonly Task[];
  readonly #down = new Set<string>();
  readonly #refusing = new Set<string>();
  readonly #queue = new IncomingQueue();
  #isRunning = false;
  #startUs = 0;
  #stopUs = 0;
  #nowUs = 0;

  constructor(project: object) {
    this.#tables = tablesOf(project);
    this.reads = readsOf(this.#tables);
    const signals = this.#tables.signals.map((row) => [row.id, createSignal(row)] as const);
    this.#signals = new Map(signals);
    this.#inputs = new Inputs(this.#tables, this.#signals);
    this.#registers = new RegisterInputs(this.#tables, this.#signals);
    this.#mappings = new Mappings(this.#tables, this.#signals);
    this.#outputs = new Outputs(this.#tables, this.#signals);
    this.#servers = new Servers(this.#tables, this.#signals, this.#outputs, this.#registers);
    this.#rules = this.#tables.fault_rules.map(createRule);
    this.#tasks = this.#tables.tx_tasks.map((row) => this.#createTask(row));
    this.#outputs.encode();
  }

  #createTask(row: TaskRow): Task {
    if (row.resources !== undefined) {
      return new Task(row, new GroupSender(this.#tables, row, this.#outputs, this.#submitGroup));
    }
    const message = rowOf(this.#tables.messages, row.message);
    const rules = this.#rules.filter((rule) => rule.row.task === row.id);
    const frames = new FrameBuilder(this.#tables, message, this.#outputs);
    const submit = this.#submitFrame;
    return new Task(row, new FrameSender(row, message, rules, this.#outputs, frames, submit));
  }

  readonly #submitFrame = (
    task: FrameTaskRow,
    message: MessageRow,
    data: Uint8Array,
  ): string | null => {
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

  readonly #submitGroup = (
    task: WriteTaskRow,
    endpoint: string,
    steps: readonly WriteStep[],
  ): string | null => {
    if (this.#down.has(endpoint)) return 'modbus_unreachable';
    if (this.#refusing.has(endpoint)) return 'queue_full';
    this.groups.push({ atUs: this.#nowUs, task: task.id, endpoint, steps });
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
      case 'started':
        this.#taskOf(event.task)?.begin(event.atUs);
        break;
      case 'outcome':
        this.#taskOf(event.task)?.complete(
          event.sent ? null : (event.error ?? 'tx_failed'),
          event.atUs,
        );
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
      case 'poll':
        if (this.#isRunning && !this.#down.has(event.endpoint)) this.#answer(event);
        break;
      case 'client_write':
        if (this.#isRunning && !this.#down.has(event.endpoint)) this.#write(event);
        break;
    }
  }

  #taskOf(id: string): Task | undefined {
    return this.#tasks.find(({ row }) => row.id === id);
  }

  #enqueue(event: ScriptEvent): void {
    if (this.#isRunning) this.#queue.add(event);
  }

  #answer(event: Extract<ScriptEvent, { kind: 'poll' }>): void {
    const read = this.reads.find(
      (one) =>
        one.endpoint === event.endpoint &&
        one.table === event.table &&
        one.address === event.address &&
        one.count === event.count &&
        one.pollMs === event.pollMs,
    );
    if (read === undefined) throw new Error(`There is no read as at ${event.atUs}`);
    if ('items' in event) this.#queue.addAnswer(read, event.items, event.atUs);
    else this.#queue.add({ kind: 'refusal', resources: read.resources });
  }

  #write(event: Extract<ScriptEvent, { kind: 'client_write' }>): void {
    const { atUs, endpoint } = event;
    const exception = this.#servers.setQuality(event);
    this.answers.push({ atUs, endpoint, exception });
    if (exception === 0) this.#queue.addWrite(this.#servers.write(event), atUs);
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
    const isDown = (endpoint: string): boolean => this.#down.has(endpoint);
    this.#inputs.start(isDown);
    this.#registers.start(this.#nowUs, isDown);
    this.#mappings.start();
    this.#outputs.start();
    this.#servers.start();
    for (const task of this.#tasks) task.start(this.#nowUs);
    this.#round();
  }

  /** Inputs that no round has seen are lost, except for values set by clients. */
  #stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#stopUs = this.#nowUs;
    for (const event of this.#queue.take()) if (event.kind === 'set') this.#take(event);
  }

  #take(event: Incoming): void {
    if (event.kind === 'frame') this.#inputs.receive(event);
    if (event.kind === 'observation') this.#registers.observe(event.observed, event.atUs);
    if (event.kind === 'refusal') this.#registers.refuse(event.resources);
    if (event.kind === 'set') {
      const signal = this.#signals.get(event.signal);
      if (signal !== undefined) setSignal(signal, event.value, event.atUs);
    }
    if (event.kind !== 'endpoint') return;
    if (!event.up) this.#disconnect(event.endpoint);
    else for (const task of this.#tasks) if (task.endpoint === event.endpoint) task.reconnect();
  }

  #disconnect(endpoint: string): void {
    this.#inputs.disconnect(endpoint);
    this.#registers.disconnect(endpoint);
    const { kind } = rowOf(this.#tables.endpoints, endpoint);
    for (const task of this.#tasks) {
      if (task.endpoint !== endpoint) continue;
      task.error = kind === 'can' ? 'channel_not_open' : 'modbus_unreachable';
    }
  }

  #round(): void {
    for (const event of this.#queue.take()) this.#take(event);
    this.#inputs.setQuality(this.#nowUs);
    this.#registers.setQuality(this.#nowUs);
    for (const signal of this.#signals.values()) {
      if (signal.row.producer === 'waveform') sampleWaveform(signal, this.#startUs, this.#nowUs);
    }
    this.#mappings.evaluate(this.#nowUs);
    this.#outputs.encode();
    for (const task of this.#tasks) task.round(this.#nowUs);
    this.#servers.serve();
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
        bindings: this.#bindingsOf(signal),
      })),
      tasks: this.#tasks.map((task) => task.entry()),
      rejected: { ...this.#inputs.rejected },
      pollCoalesced: this.#queue.coalesced,
      registers: this.#isRunning ? this.#servers.entries() : [],
    };
  }

  /** In the order of their rows. */
  #bindingsOf(signal: SignalState): BindingEntry[] {
    const ids = this.#tables.bindings.map(({ id }) => id);
    return [...this.#outputs.entriesOf(signal), ...this.#registers.entriesOf(signal)].sort(
      (a, b) => ids.indexOf(a.id) - ids.indexOf(b.id),
    );
  }
}

/** Runs a script: slowly, with every rule readable. */
export const runReference = (script: Script): Trace => {
  const gateway = new Gateway(script.project);
  for (const event of script.events) gateway.handle(event);
  const { frames, groups, answers, snapshots } = gateway;
  const reads = gateway.reads.map(({ resources: _, ...request }) => request);
  return { reads, frames, groups, answers, snapshots };
};
