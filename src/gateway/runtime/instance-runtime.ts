import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import { Engine } from '../engine/engine.ts';
import type { InputMessage } from '../engine/input-message.ts';
import type { StateWriter } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { EndpointState } from '../instances/instance-registry.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { type TaskError, taskErrorMessages } from '../values/task-error.ts';
import { ChannelLink, type LinkOwner } from './channel-link.ts';
import { type PlannedOutput, plannedOutputs } from './outputs.ts';

export interface RuntimeOptions {
  readonly name: string;
  readonly image: ProjectImage;
  readonly writer: StateWriter;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Those of the bench thread. */
  readonly turns: Pick<LoopTurns, 'next'>;
}

/** How long compiling goes on in one turn of the bench thread. */
const sliceUs = 200;

/** How long a stop waits for outcomes. */
const graceUs = 1_000_000;

/**
 * An instance on the bench thread, from its first start until it is unloaded: gives its engine time and frames, and
 * what the engine sends to channels. Frames that come while a driver reports are copied, and the round that takes
 * them runs when the scheduler has its turn.
 */
export class InstanceRuntime implements LinkOwner {
  /** What it sends, by task. */
  readonly outputs: readonly PlannedOutput[];
  readonly #options: RuntimeOptions;
  readonly #engine: Engine;
  readonly #unixOffsetUs: number;
  readonly #round: Task;
  readonly #end: Task;
  /** By endpoint. */
  #links: readonly ChannelLink[] = [];
  #errors: (TaskError | null)[] = [];
  #isCompiled = false;
  #isRunning = false;
  #onEnded: (() => void) | undefined;

  constructor(options: RuntimeOptions) {
    const { name, image, writer, clock, scheduler } = options;
    this.#options = options;
    this.outputs = plannedOutputs(image);
    this.#unixOffsetUs = Math.floor(clock.unixOffsetUs);
    const transport = {
      send: (task: number, bytes: Uint8Array) => this.#send(task, bytes),
      serve: () => undefined,
    };
    this.#engine = new Engine({ image, writer, clock, transport });
    this.#round = scheduler.createTask(`gateway ${name}`, (nowUs) => this.#run(nowUs));
    this.#end = scheduler.createTask(`end of gateway ${name}`, () => this.#ended());
  }

  /** Compiles the project, a little in each turn: others have deadlines. */
  async compile(): Promise<void> {
    if (this.#isCompiled) return;
    await this.#inSlices(this.#engine.compile());
    this.#isCompiled = true;
  }

  get isCompiled(): boolean {
    return this.#isCompiled;
  }

  /** Lets everything that is there of an earlier run begin anew, a little in each turn. */
  async prepare(): Promise<void> {
    await this.#inSlices(this.#engine.reset());
  }

  /** Runs on these channels, one for each endpoint, once it is prepared. */
  start(channels: readonly Channel[]): void {
    const links = new Map<string, ChannelLink>();
    for (const { selector } of channels) {
      if (!links.has(selector)) links.set(selector, this.#link(selector, channels));
    }
    this.#links = channels.map(({ selector }) => links.get(selector) as ChannelLink);
    this.#errors = channels.map(() => null);
    for (const channel of channels) {
      const link = links.get(channel.selector);
      if (link?.channel === null) link.attach(channel);
    }
    this.#isRunning = true;
    this.#engine.begin(Math.floor(this.#options.clock.monotonicUs()));
    this.#reschedule();
  }

  /** A channel was opened: perhaps one that was closed meanwhile. */
  opened(channel: Channel): void {
    if (!this.#isRunning) return;
    for (const link of new Set(this.#links)) {
      if (link.selector !== channel.selector || link.channel !== null) continue;
      link.attach(channel);
      for (const endpoint of link.endpoints) this.#errors[endpoint] = null;
    }
  }

  /** Sends nothing more. Resolves once all outcomes are known, or will not be. */
  stop(): Promise<void> {
    this.#isRunning = false;
    this.#engine.stop();
    this.#round.cancel();
    for (const link of this.#links) link.deafen();
    return new Promise((resolve) => {
      this.#onEnded = resolve;
      if (!this.#engine.isInFlight) this.#ended();
      else this.#end.scheduleAt(this.#options.clock.monotonicUs() + graceUs);
    });
  }

  /** Ends without waiting for anything: the daemon does. */
  abort(): void {
    if (!this.#isRunning && !this.#onEnded) return;
    this.#isRunning = false;
    this.#engine.stop();
    this.#round.cancel();
    this.#ended();
  }

  /** Sets a software signal at once. */
  set(signal: number, value: SignalValue): void {
    const nowUs = this.#options.clock.monotonicUs();
    this.#engine.set(signal, value, Math.floor(nowUs));
    if (!this.#isRunning) return;
    this.#run(nowUs);
    this.#reschedule();
  }

  switchFault(row: number, enabled: boolean): void {
    this.#engine.switchFault(row, enabled);
  }

  /** Its endpoints as they are now. */
  endpoints(): EndpointState[] {
    return this.#links.map((link, endpoint) => {
      // What an instance that does not run would meet is not known.
      const error = this.#isRunning ? this.#errorOf(link, endpoint) : null;
      return {
        resolved: link.selector,
        connected: this.#isRunning && error === null,
        error: error === null ? null : { code: error, message: taskErrorMessages[error] },
      };
    });
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
    if (this.#round.dueUs > atUs) this.#round.scheduleAt(atUs);
  }

  settled(task: number, error: TaskError | null, atUs: number): void {
    this.#engine.settled(task, error, atUs);
    if (this.#isRunning) this.#reschedule();
    else if (this.#onEnded && !this.#engine.isInFlight) this.#ended();
  }

  disconnected(endpoints: readonly number[], error: TaskError): void {
    const nowUs = this.#options.clock.monotonicUs();
    for (const endpoint of endpoints) {
      this.#errors[endpoint] = error;
      this.#engine.disconnect(endpoint, error, nowUs);
    }
    if (this.#isRunning) this.#reschedule();
  }

  #run(nowUs: number): undefined {
    this.#engine.run(nowUs);
    this.#reschedule();
  }

  #reschedule(): void {
    const nextUs = this.#engine.nextDeadlineUs;
    // What waits to be taken has waited since it came.
    this.#round.scheduleAt(
      Number.isFinite(nextUs) || nextUs > 0 ? nextUs : this.#options.clock.monotonicUs(),
    );
  }

  #send(task: number, bytes: Uint8Array): TaskError | null {
    const output = this.outputs[task];
    const link = output && this.#links[output.endpoint];
    return link ? link.send(output, bytes) : 'channel_not_open';
  }

  #link(selector: string, channels: readonly Channel[]): ChannelLink {
    const leadsThere = (endpoint: number): boolean => channels[endpoint]?.selector === selector;
    const endpoints = [...channels.keys()].filter(leadsThere);
    const inputs = this.#engine.inputs.filter(({ endpoint }) => leadsThere(endpoint));
    const outputs = this.outputs.filter(({ endpoint }) => leadsThere(endpoint));
    return new ChannelLink({ selector, endpoints, inputs, outputs }, this);
  }

  /** A device that is back has not said so. */
  #errorOf(link: ChannelLink, endpoint: number): TaskError | null {
    const state = link.channel?.state;
    if (state === undefined) return this.#errors[endpoint] ?? 'channel_not_open';
    if (state === 'lost') return 'device_lost';
    return state === 'bus_off' ? 'bus_off' : null;
  }

  #ended(): undefined {
    this.#end.cancel();
    this.#engine.release();
    for (const link of this.#links) link.detach();
    this.#onEnded?.();
    this.#onEnded = undefined;
  }

  async #inSlices(steps: Generator<void>): Promise<void> {
    const { clock, turns } = this.#options;
    let endUs = clock.monotonicUs() + sliceUs;
    for (const _ of steps) {
      if (clock.monotonicUs() < endUs) continue;
      await turns.next();
      endUs = clock.monotonicUs() + sliceUs;
    }
  }
}
