import { newVerdict } from '../../../base/threads/verdict.ts';
import { tableOfRead } from '../../../modbus/pdu/data-tables.ts';
import { packBits } from '../../../modbus/pdu/packed-bits.ts';
import { buildImage } from '../../image/build-image.ts';
import { FaultEvents } from '../../image/fault-events.ts';
import { FaultRules } from '../../image/fault-page.ts';
import { ImageReader } from '../../image/image-reader.ts';
import { StateWriter } from '../../image/image-state.ts';
import { changeOfSet } from '../../image/set-signal.ts';
import { SignalSnapshot } from '../../image/signal-snapshot.ts';
import { TaskPage } from '../../image/task-page.ts';
import type { ClientWrite, ServerMemory } from '../../modbus/server-image.ts';
import type { WriteStep } from '../../modbus/task-writes.ts';
import { loadProject } from '../../project/load-project.ts';
import type { ModbusTable } from '../../project/tables/modbus-resources.ts';
import type { LooseProject } from '../../project/testing/coolant-project.ts';
import type { TaskError } from '../../values/task-error.ts';
import type { CompiledPoll, CompiledServer } from '../compile-units.ts';
import { Engine } from '../engine.ts';
import type { NativeParts } from '../native-parts.ts';

/** A frame that the engine sent, and the time. */
export interface SentFrame {
  readonly task: string;
  readonly data: string;
  readonly atUs: number;
}

/** Items of a server, by table and address. */
class ItemMemory implements ServerMemory {
  readonly #items = new Map<string, number>();

  get tables(): ServerMemory['tables'] {
    const registers = (table: ModbusTable) => ({
      get: (address: number) => this.get(table, address),
      put: (address: number, item: number) => this.put(table, address, item),
    });
    const bits = (table: ModbusTable) => ({
      get: (address: number) => this.get(table, address) === 1,
      put: (address: number, item: boolean) => this.put(table, address, item ? 1 : 0),
    });
    return {
      coil: bits('coil'),
      discrete: bits('discrete'),
      holding: registers('holding'),
      input: registers('input'),
    };
  }

  get(table: ModbusTable, address: number): number {
    return this.#items.get(`${table} ${address}`) ?? 0;
  }

  put(table: ModbusTable, address: number, item: number): void {
    this.#items.set(`${table} ${address}`, item);
  }
}

const unixOffsetUs = 1_700_000_000_000_000;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** An engine with a transport and a time controlled by the test. */
export class EngineRig {
  readonly frames: SentFrame[] = [];
  nowUs = 0;
  /** How long the transport takes to accept a frame. */
  submitUs = 0;
  /** Error with which the transport rejects frames; null while it accepts them. */
  refusal: TaskError | null = null;
  /** Slot of the output channel; null while it is closed. */
  channel: number | null = 3;
  /** Whether frames are sent immediately after the round that made them. */
  acknowledges = true;
  readonly #project: LooseProject;
  readonly #image: ReturnType<typeof buildImage>;
  readonly #reader: ImageReader;
  readonly #engine: Engine;
  readonly #inFlight: number[] = [];
  /** Completions are events of the bus, numbered from 1. */
  #completions = 0;
  /** Memory of servers, by number. */
  readonly #memories = new Map<number, ItemMemory>();

  constructor(project: LooseProject, natives?: NativeParts) {
    this.#project = project;
    this.#image = buildImage(loadProject(Buffer.from(JSON.stringify(project))));
    this.#reader = new ImageReader(this.#image);
    this.#engine = new Engine({
      image: this.#image,
      writer: new StateWriter(this.#image),
      clock: { unixOffsetUs, monotonicUs: () => this.nowUs + this.submitUs },
      transport: {
        send: (task, bytes) => this.#send(task, bytes),
        channelOf: () => this.channel,
        serve: (server, resource) => this.#serve(server, resource),
      },
      natives,
    });
    for (const _ of this.#engine.compile());
  }

  get nextDeadlineUs(): number {
    return this.#engine.nextDeadlineUs;
  }

  get isInFlight(): boolean {
    return this.#engine.isInFlight;
  }

  start(atUs = 0): this {
    this.prepare();
    return this.begin(atUs);
  }

  /** Runs everything that is due before. */
  prepare(): void {
    for (const _ of this.#engine.reset());
  }

  begin(atUs: number): this {
    this.nowUs = atUs;
    this.#engine.begin(atUs);
    this.#engine.run(atUs);
    this.#confirm();
    return this;
  }

  stop(): void {
    this.#engine.stop();
  }

  release(): void {
    this.#engine.release();
  }

  /** A frame of a message, for the next round; null is a remote frame. */
  receive(message: string, hex: string | null, atUs = this.nowUs): void {
    const bytes = Buffer.from((hex ?? '').replaceAll(' ', ''), 'hex');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#engine.receive(this.#input(message), view, 0, hex === null ? -1 : bytes.length, atUs);
  }

  /** The response to a poll, for the next round; null is an exception. */
  poll(read: string, items: readonly number[] | null, atUs = this.nowUs): void {
    const poll = this.#engine.polls.findIndex((each) => this.#readText(each) === read);
    if (poll < 0) throw new Error(`${read} is not polled`);
    if (items === null) this.#engine.pollRefused(poll, atUs);
    else this.#engine.polled(poll, Uint16Array.from(items), atUs);
  }

  /** All polls, as texts such as `plc holding 10+2 every 100`. */
  get polls(): string[] {
    return this.#engine.polls.map((poll) => this.#readText(poll));
  }

  /**
   * A client writes to a server, for the next round. Returns the exception code; 0 on success.
   */
  write(endpoint: string, table: 'coil' | 'holding', address: number, ...items: number[]): number {
    const server = this.#server(endpoint);
    const { image } = this.#engine.servers[server] as CompiledServer;
    const range = { address, count: items.length };
    const write: ClientWrite =
      table === 'coil'
        ? { ...range, table, bits: packBits(items.map((item) => item === 1)) }
        : { ...range, table, registers: Uint16Array.from(items) };
    const exception = image.check(write);
    if (exception !== undefined) return exception;
    const memory = this.#memory(server);
    for (const [index, item] of items.entries()) memory.put(table, address + index, item);
    image.clearUndeclared(memory, write);
    this.#engine.written(server, write, this.nowUs);
    return 0;
  }

  /** Items as read by clients of a server. */
  read(endpoint: string, table: ModbusTable, address: number, count = 1): number[] {
    const memory = this.#memory(this.#server(endpoint));
    return Array.from({ length: count }, (_, index) => memory.get(table, address + index));
  }

  /** The groups written by a task, request by request. */
  groups(task: string): WriteStep[][] {
    const number = indexOf(this.#project.tx_tasks, task);
    return this.sent(task).map(
      (hex) => this.#engine.writesOf(number)?.steps(Buffer.from(hex, 'hex')) ?? [],
    );
  }

  /** A pending request of a task starts transmission. */
  started(task: string, atUs = this.nowUs): void {
    this.#engine.started(indexOf(this.#project.tx_tasks, task), atUs);
  }

  set(signal: string, value: string, atUs = this.nowUs, verdict = newVerdict()): void {
    const change = changeOfSet(this.#reader, signal, value, atUs + unixOffsetUs);
    this.#engine.set(change.signal, change.value, atUs, verdict);
  }

  disconnect(endpoint: string, error: TaskError = 'channel_not_open'): void {
    this.#engine.disconnect(indexOf(this.#project.endpoints, endpoint), error, this.nowUs);
  }

  reconnect(endpoint: string): void {
    this.#engine.reconnect(indexOf(this.#project.endpoints, endpoint));
  }

  switchFault(rule: string, enabled: boolean): void {
    this.#engine.switchFault(new FaultRules(this.#image).require(rule), enabled);
  }

  /** How many times a rule has fired. */
  fired(rule: string): number {
    const faults = new FaultRules(this.#image);
    return faults.entry(faults.require(rule)).fired;
  }

  /** The retained fault events, oldest first. */
  faultEvents() {
    const events = new FaultEvents(this.#image, (slot) => `SIM/${slot}`).refresh();
    const { oldest, newest } = events;
    return Array.from({ length: newest - oldest + 1 }, (_, index) => {
      const { timestamp_us, ...event } = events.event(oldest + index);
      return { ...event, timestamp_us: timestamp_us - unixOffsetUs };
    });
  }

  /** Runs one round at this time. */
  run(atUs = this.nowUs): void {
    this.nowUs = atUs;
    this.#engine.run(atUs);
    this.#confirm();
  }

  /** Runs every due round up to a time, each at its due time. */
  runUntil(atUs: number): void {
    while (this.nextDeadlineUs <= atUs) this.run(Math.max(this.nowUs, this.nextDeadlineUs));
    this.nowUs = atUs;
  }

  /** Delivers a frame and runs its round, after everything due before. */
  observe(message: string, hex: string | null, atUs = this.nowUs): void {
    while (this.nextDeadlineUs < atUs) this.run(Math.max(this.nowUs, this.nextDeadlineUs));
    this.receive(message, hex, atUs);
    this.run(atUs);
  }

  /** Reports the outcome of the oldest pending frame. */
  settle(error: TaskError | null = null, atUs = this.nowUs): void {
    this.nowUs = atUs;
    const task = this.#inFlight.shift();
    if (task === undefined) return;
    this.#engine.settled(task, error, atUs, error === null ? ++this.#completions : 0);
  }

  /** Bytes of the frames sent by a task. */
  sent(task?: string): string[] {
    return this.frames
      .filter((frame) => task === undefined || frame.task === task)
      .map(({ data }) => data);
  }

  /** A signal as clients see it, with the time of this rig. */
  signal(id: string) {
    const index = this.#reader.findSignal(id) ?? -1;
    const entry = new SignalSnapshot(this.#image, this.#reader, index, 1).entry(0);
    const { observed_us } = entry;
    return { ...entry, observed_us: observed_us === null ? null : observed_us - unixOffsetUs };
  }

  /** Counters and timings of a task as clients see them. */
  task(id: string) {
    return new TaskPage(this.#image, indexOf(this.#project.tx_tasks, id), 1).task(0);
  }

  /** Counters of the whole instance. */
  get instance() {
    const page = new TaskPage(this.#image, 0, 0);
    return {
      ...{ ...page.totals, ...page.polls, failed_tasks: page.failedTasks },
      ...{ failed_checks: page.failedChecks, rejected_frames: page.rejectedFrames },
    };
  }

  #input(id: string) {
    const {
      endpoint,
      can_id,
      extended = false,
    } = this.#project.messages[indexOf(this.#project.messages, id)];
    const number = indexOf(this.#project.endpoints, endpoint);
    const input = this.#engine.inputs.find(
      (each) => each.endpoint === number && each.canId === can_id && each.extended === extended,
    );
    if (!input) throw new Error(`${id} is not received`);
    return input.message;
  }

  #readText({ endpoint, pollMs, request }: CompiledPoll): string {
    const { address, count } = request;
    const table = tableOfRead(request.function);
    const { id } = this.#project.endpoints[endpoint];
    return `${id} ${table} ${address}+${count} every ${pollMs}`;
  }

  #server(id: string): number {
    const endpoint = indexOf(this.#project.endpoints, id);
    return this.#engine.servers.findIndex((server) => server.endpoint === endpoint);
  }

  #memory(server: number): ItemMemory {
    const memory = this.#memories.get(server) ?? new ItemMemory();
    this.#memories.set(server, memory);
    return memory;
  }

  #serve(server: number, resource: number): void {
    const { image, memory } = this.#engine.servers[server] as CompiledServer;
    image.put(this.#memory(server), resource, memory);
  }

  #send(task: number, bytes: Uint8Array): TaskError | null {
    if (this.refusal !== null) return this.refusal;
    const { id } = this.#reader.task(task);
    this.frames.push({ task: id, data: hexOf(bytes), atUs: this.nowUs });
    this.#inFlight.push(task);
    return null;
  }

  #confirm(): void {
    while (this.acknowledges && this.#inFlight.length > 0) this.settle(null, this.nowUs);
  }
}

const indexOf = (rows: readonly { readonly id: string }[], id: string): number => {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) throw new Error(`there is no ${id}`);
  return index;
};
