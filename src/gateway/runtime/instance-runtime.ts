import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { isWithdrawn, type Verdict } from '../../base/threads/verdict.ts';
import type { Channel } from '../../bench/channel.ts';
import { Engine } from '../engine/engine.ts';
import type { InputMessage } from '../engine/input-message.ts';
import type { StateWriter } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { EndpointState } from '../instances/instance-registry.ts';
import type { ClientWrite } from '../modbus/server-image.ts';
import type { HostedPlugins } from '../plugins/plugin-host.ts';
import type { SignalValue } from '../values/signal-value.ts';
import type { TaskError } from '../values/task-error.ts';
import { inSlices } from './in-slices.ts';
import { InstanceLinks, type LinksOwner, type SharedModbus } from './instance-links.ts';
import { type TaskOutput, taskOutputs } from './outputs.ts';
import type { FoundEndpoint } from './resolve-modbus.ts';

export interface RuntimeOptions {
  readonly name: string;
  readonly image: ProjectImage;
  readonly writer: StateWriter;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly modbus: SharedModbus;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly plugins?: HostedPlugins | undefined;
  readonly onClosed?: (() => void) | undefined;
}

/** Maximum time that a stop waits for outcomes. */
const graceUs = 1_000_000;

/**
 * Runs an instance on the bench thread from its first start until it is unloaded. Connects the
 * engine with channels and units. Received frames are copied while a driver reports them; the
 * next scheduled round processes them.
 */
export class InstanceRuntime implements LinksOwner {
  readonly outputs: TaskOutput[] = [];
  readonly #options: RuntimeOptions;
  readonly #engine: Engine;
  readonly #unixOffsetUs: number;
  readonly #round: Task;
  readonly #end: Task;
  #links: InstanceLinks | undefined;
  #isCompiled = false;
  #isRunning = false;
  #onSettled: (() => void) | undefined;

  constructor(options: RuntimeOptions) {
    const { name, image, writer, clock, scheduler, plugins } = options;
    this.#options = options;
    this.#unixOffsetUs = Math.floor(clock.unixOffsetUs);
    const transport = {
      send: (task: number, bytes: Uint8Array) =>
        this.#links ? this.#links.send(task, bytes) : 'channel_not_open',
      channelOf: (task: number) => this.#links?.channelOf(task) ?? null,
      serve: (server: number, resource: number) => this.#links?.serve(server, resource),
    };
    this.#engine = new Engine({ image, writer, clock, transport, natives: plugins?.parts });
    this.#round = scheduler.createTask(`gateway ${name}`, (nowUs) => this.#run(nowUs));
    this.#end = scheduler.createTask(`end of gateway ${name}`, () => this.#settledAll());
  }

  async compile(): Promise<void> {
    if (this.#isCompiled) return;
    this.outputs.length = 0;
    await this.#inSlices(this.#findOutputs());
    await this.#inSlices(this.#engine.compile());
    this.#isCompiled = true;
  }

  get isCompiled(): boolean {
    return this.#isCompiled;
  }

  async connect(endpoints: readonly FoundEndpoint[]): Promise<void> {
    const { name, modbus, clock, turns } = this.#options;
    const engine = this.#engine;
    const { outputs } = this;
    const parts = { instance: name, engine, outputs, endpoints, modbus, clock, turns };
    const links = new InstanceLinks(parts, this);
    try {
      await links.prepare();
      await turns.next();
      await links.connect();
    } catch (thrown) {
      await links.release();
      throw thrown;
    }
    this.#links = links;
  }

  async reset(): Promise<void> {
    this.#options.plugins?.parts.resetCodecs();
    await this.#inSlices(this.#engine.reset());
  }

  /**
   * Starts running. Polls start one after another, because polls that start together would
   * always be due together.
   */
  async start(): Promise<void> {
    const links = this.#requireLinks();
    this.#isRunning = true;
    links.start();
    this.#engine.begin(Math.floor(this.#options.clock.monotonicUs()));
    links.reportLost();
    this.#reschedule();
    await this.#inSlices(links.poll());
  }

  opened(channel: Channel): void {
    this.#links?.opened(channel);
  }

  /**
   * Stops sending. Resolves once all outcomes are known or abandoned and everything is released.
   */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#engine.stop();
    this.#round.cancel();
    await this.#inSlices(this.#requireLinks().stopping());
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
      if (!this.#engine.isInFlight) this.#settledAll();
      else this.#end.scheduleAt(this.#options.clock.monotonicUs() + graceUs);
    });
    await this.#links?.release();
  }

  async abort(): Promise<void> {
    this.#isRunning = false;
    this.#engine.stop();
    this.#round.cancel();
    this.#engine.release();
    this.#settledAll();
    await this.#links?.release();
  }

  /** Destroys the plugin objects. The instance is not started again. */
  dispose(): void {
    this.#options.plugins?.release();
  }

  /** Sets a software signal immediately, unless the caller cancels first. */
  set(signal: number, value: SignalValue, verdict: Verdict): void {
    if (isWithdrawn(verdict)) return;
    const nowUs = this.#options.clock.monotonicUs();
    this.#engine.set(signal, value, Math.floor(nowUs), verdict);
    if (!this.#isRunning) return;
    this.#run(nowUs);
    this.#reschedule();
  }

  switchFault(row: number, enabled: boolean): void {
    this.#engine.switchFault(row, enabled);
  }

  endpoints(): EndpointState[] {
    return this.#links?.states() ?? [];
  }

  received(
    message: InputMessage,
    record: DataView,
    at: number,
    length: number,
    unixUs: number,
  ): void {
    const atUs = unixUs - this.#unixOffsetUs;
    this.#engine.receive(message, record, at, length, atUs);
    this.#runBy(atUs);
  }

  settled(task: number, error: TaskError | null, atUs: number, eventId?: number): void {
    this.#engine.settled(task, error, atUs, eventId);
    if (this.#isRunning) this.#reschedule();
    else if (!this.#engine.isInFlight) this.#settledAll();
  }

  polled(poll: number, items: Uint16Array, atUs: number): void {
    this.#engine.polled(poll, items, atUs);
    this.#runBy(atUs);
  }

  pollRefused(poll: number, atUs: number): void {
    this.#engine.pollRefused(poll, atUs);
    this.#runBy(atUs);
  }

  pollMissed(count: number): void {
    this.#engine.pollsMissed(count);
  }

  started(task: number, atUs: number): void {
    this.#engine.started(task, atUs);
  }

  written(server: number, write: ClientWrite, atUs: number): void {
    this.#engine.written(server, write, atUs);
    this.#runBy(atUs);
  }

  disconnected(endpoints: readonly number[], error: TaskError): void {
    const nowUs = this.#options.clock.monotonicUs();
    this.#links?.lost(endpoints, error);
    for (const endpoint of endpoints) this.#engine.disconnect(endpoint, error, nowUs);
    if (this.#isRunning) this.#reschedule();
    if (error === 'channel_not_open') this.#options.onClosed?.();
  }

  connected(endpoints: readonly number[]): void {
    for (const endpoint of endpoints) this.#engine.reconnect(endpoint);
    if (this.#isRunning) this.#reschedule();
  }

  #run(nowUs: number): undefined {
    this.#engine.run(nowUs);
    this.#reschedule();
  }

  #reschedule(): void {
    const nextUs = this.#engine.nextDeadlineUs;
    // Queued input is overdue since it arrived.
    this.#round.scheduleAt(
      Number.isFinite(nextUs) || nextUs > 0 ? nextUs : this.#options.clock.monotonicUs(),
    );
  }

  #runBy(atUs: number): void {
    if (this.#isRunning && this.#round.dueUs > atUs) this.#round.scheduleAt(atUs);
  }

  #settledAll(): undefined {
    if (!this.#onSettled) return;
    this.#end.cancel();
    this.#engine.release();
    this.#onSettled();
    this.#onSettled = undefined;
  }

  *#findOutputs(): Generator<void> {
    for (const output of taskOutputs(this.#options.image)) {
      this.outputs.push(output);
      yield;
    }
  }

  #requireLinks(): InstanceLinks {
    if (!this.#links) throw new BusbarError('internal_error');
    return this.#links;
  }

  #inSlices(steps: Iterable<void>): Promise<void> {
    const { clock, turns } = this.#options;
    return inSlices(steps, clock, turns);
  }
}
