import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import type { Channel } from '../../bench/channel.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id, frm2PayloadLength, frm2TimestampUs } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2HeaderLength } from '../../frame/frm2-layout.ts';
import { exceptionCodes } from '../../modbus/pdu/exception-codes.ts';
import type { ModbusLinks } from '../../modbus/service/modbus-links.ts';
import type { ModbusServers } from '../../modbus/service/modbus-servers.ts';
import { checkInService } from '../../transmit/selected-channel.ts';
import type { CompiledServer } from '../engine/compile-units.ts';
import type { Engine } from '../engine/engine.ts';
import type { InputMessage } from '../engine/input-message.ts';
import type { CompiledInput } from '../engine/rounds.ts';
import type { EndpointState } from '../instances/instance-registry.ts';
import type { ClientWrite } from '../modbus/server-image.ts';
import { type TaskError, taskErrorMessages } from '../values/task-error.ts';
import type { OutputFrame, TaskOutput } from './outputs.ts';
import { type FoundEndpoint, forEndpoint } from './resolve-modbus.ts';
import { ServerLink, type ServerLinkOwner } from './server-link.ts';
import { UnitLink, type UnitLinkOwner } from './unit-link.ts';

interface LinkOwner {
  received(
    message: InputMessage,
    record: DataView,
    at: number,
    length: number,
    unixUs: number,
  ): void;
  settled(task: number, error: TaskError | null, atUs: number, eventId?: number): void;
  disconnected(endpoints: readonly number[], error: TaskError): void;
  connected(endpoints: readonly number[]): void;
}

interface ChannelLinkParts {
  readonly selector: string;
  readonly endpoints: readonly number[];
  readonly inputs: readonly CompiledInput[];
  readonly outputs: readonly OutputFrame[];
}

const refusals: Readonly<Record<RefusedSend, TaskError>> = {
  full: 'queue_full',
  bus_off: 'bus_off',
  listen_only: 'listen_only',
  lost: 'device_lost',
  not_master: 'not_on_bus',
  unpowered: 'unpowered',
  not_on_bus: 'not_on_bus',
};

const errorOf = (outcome: TxOutcome): TaskError | null => {
  if (outcome === 'sent') return null;
  if (isRefusal(outcome)) return refusals[outcome];
  return outcome === 'unknown' ? 'outcome_unknown' : 'tx_failed';
};

/** Marks 29-bit identifiers. Keys remain small integers. */
const extendedBit = 1 << 29;

class TaskLane implements LaneOwner {
  readonly #task: number;
  readonly #owner: LinkOwner;

  constructor(task: number, owner: LinkOwner) {
    this.#task = task;
    this.#owner = owner;
  }

  settled(outcome: TxOutcome, atUs: number, eventId: number): void {
    this.#owner.settled(this.#task, errorOf(outcome), atUs, eventId);
  }
}

/** Connects an instance to one physical channel. The channel can be closed and reopened. */
export class ChannelLink {
  readonly selector: string;
  readonly endpoints: readonly number[];
  readonly #owner: LinkOwner;
  readonly #messages = new Map<number, InputMessage[]>();
  readonly #outputs: readonly OutputFrame[];
  readonly #lanes = new Map<number, Lane>();
  #channel: Channel | null = null;
  #stopListening: (() => void)[] = [];

  constructor({ selector, endpoints, inputs, outputs }: ChannelLinkParts, owner: LinkOwner) {
    this.selector = selector;
    this.endpoints = endpoints;
    this.#owner = owner;
    this.#outputs = outputs;
    for (const { canId, extended, message } of inputs) {
      const key = extended ? canId | extendedBit : canId;
      this.#messages.set(key, [...(this.#messages.get(key) ?? []), message]);
    }
  }

  get channel(): Channel | null {
    return this.#channel;
  }

  attach(channel: Channel): void {
    this.#channel = channel;
    for (const { task } of this.#outputs) {
      const lane = channel.outbox.open(new TaskLane(task, this.#owner), {
        isUrgent: true,
        max: 1,
        reserved: 1,
      });
      this.#lanes.set(task, lane);
    }
    const stopInterruptions = channel.onInterrupted((why) => {
      if (why === 'configured') return;
      if (why === 'closed') this.#leave();
      const error = why === 'closed' ? 'channel_not_open' : 'device_lost';
      this.#owner.disconnected(this.endpoints, error);
    });
    const stopReturns = channel.onReturned(() => this.#owner.connected(this.endpoints));
    this.#stopListening = [stopInterruptions, stopReturns];
    if (this.#messages.size === 0) return;
    this.#stopListening.push(channel.onFrame((record, at) => this.#receive(record, at)));
  }

  /** Stops receiving. Outcomes are still reported. */
  stopReceiving(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }

  detach(): void {
    this.#leave();
    for (const lane of this.#lanes.values()) lane.close();
    this.#lanes.clear();
  }

  send(output: OutputFrame, bytes: Uint8Array): TaskError | null {
    const lane = this.#lanes.get(output.task);
    if (!lane || this.#channel === null) return 'channel_not_open';
    const { canId, flags, dlc } = output;
    const result = lane.send(canId, flags, dlc, bytes, 0, bytes.length);
    return result === 'accepted' ? null : refusals[result];
  }

  /** The channel is closing. Unsent frames fail once it is closed. */
  #leave(): void {
    this.stopReceiving();
    this.#channel = null;
  }

  #receive(record: DataView, at: number): void {
    const flags = frm2Flags(record, at);
    const id = frm2Id(record, at);
    const key = (flags & frameFlag.extended) === 0 ? id : id | extendedBit;
    const messages = this.#messages.get(key);
    if (messages === undefined) return;
    const isRemote = (flags & frameFlag.remote) !== 0;
    const length = isRemote ? -1 : frm2PayloadLength(record, at);
    const unixUs = frm2TimestampUs(record, at);
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index] as InputMessage;
      this.#owner.received(message, record, at + frm2HeaderLength, length, unixUs);
    }
  }
}

export interface SharedModbus {
  readonly links: ModbusLinks;
  readonly servers: Pick<ModbusServers, 'serveFor'>;
}

/** Receives from the endpoints of an instance. Times are monotonic. */
export interface LinksOwner extends LinkOwner {
  polled(poll: number, items: Uint16Array, atUs: number): void;
  pollRefused(poll: number, atUs: number): void;
  pollMissed(count: number): void;
  started(task: number, atUs: number): void;
  written(server: number, write: ClientWrite, atUs: number): void;
}

export interface InstanceLinksOptions {
  readonly instance: string;
  readonly engine: Engine;
  readonly outputs: readonly TaskOutput[];
  readonly endpoints: readonly FoundEndpoint[];
  readonly modbus: SharedModbus;
  readonly clock: Clock;
  readonly turns: Pick<YieldQueue, 'next'>;
}

/**
 * Channels, units and servers of a running instance, by endpoint.
 *
 *     prepare ─▶ connect ─▶ start ─▶ stop (accepted output completes) ─▶ release
 */
export class InstanceLinks {
  readonly #options: InstanceLinksOptions;
  readonly #owner: LinksOwner;
  readonly #channels: (ChannelLink | undefined)[] = [];
  readonly #units: (UnitLink | undefined)[] = [];
  readonly #servers: ServerLink[] = [];
  readonly #serverOf = new Map<number, ServerLink>();
  readonly #errors: (TaskError | null)[];
  #isRunning = false;
  #hasStarted = false;

  constructor(options: InstanceLinksOptions, owner: LinksOwner) {
    this.#options = options;
    this.#owner = owner;
    this.#errors = options.endpoints.map(() => null);
  }

  async prepare(): Promise<void> {
    const { engine, endpoints, instance, modbus, turns } = this.#options;
    for (const [number, server] of engine.servers.entries()) {
      const endpoint = endpoints[server.endpoint];
      if (endpoint?.role !== 'server') continue;
      const { servers } = modbus;
      const parts = { servers, turns, instance, place: endpoint.place, map: server.image.map };
      const link = await ServerLink.prepare(parts, this.#serverOwner(number, server));
      this.#servers.push(link);
      this.#serverOf.set(server.endpoint, link);
    }
  }

  /** Acquires everything that can be rejected: channels, sessions, ports and listeners. */
  async connect(): Promise<void> {
    const { endpoints, modbus, clock } = this.#options;
    const { links } = modbus;
    for (const [number, endpoint] of endpoints.entries()) {
      if (endpoint.role === 'can') continue;
      await forEndpoint(endpoint, async () => {
        await this.#serverOf.get(number)?.listen();
        if (endpoint.role !== 'client') return;
        const { unit, tuning, resolved } = endpoint.place;
        const { timeoutMs } = endpoint;
        const parts = { links, lease: links.lease(resolved), clock, unit, timeoutMs, tuning };
        const link = new UnitLink(parts, this.#unitOwner(number));
        this.#units[number] = link;
        await link.open();
      });
    }
    for (const endpoint of endpoints) {
      if (endpoint.role === 'can') checkInService(endpoint.found, 'network');
    }
  }

  start(): void {
    const { endpoints } = this.#options;
    const links = new Map<string, ChannelLink>();
    for (const [number, endpoint] of endpoints.entries()) {
      if (endpoint.role !== 'can') continue;
      const { channel } = endpoint.found;
      const link = links.get(channel.selector) ?? this.#channelLink(channel.selector);
      links.set(channel.selector, link);
      this.#channels[number] = link;
      // A closing channel does not report again.
      if (link.channel === null && channel.state !== 'closing') link.attach(channel);
    }
    this.#isRunning = true;
    this.#hasStarted = true;
    for (const link of this.#units) link?.start();
  }

  *poll(): Generator<void> {
    for (const { number, endpoint, pollMs, request } of this.#options.engine.polls) {
      this.#units[endpoint]?.poll({ poll: number, periodMs: pollMs, request });
      yield;
    }
  }

  reportLost(): void {
    for (const number of this.#options.endpoints.keys()) {
      // Units report on their own.
      if (this.#units[number]) continue;
      const { error } = this.#stateOf(number);
      if (error === 'channel_not_open' || error === 'device_lost') {
        this.#owner.disconnected([number], error);
      }
    }
  }

  opened(channel: Channel): void {
    if (!this.#isRunning) return;
    for (const link of new Set(this.#channels)) {
      if (link?.selector !== channel.selector || link.channel !== null) continue;
      link.attach(channel);
      for (const endpoint of link.endpoints) this.#errors[endpoint] = null;
      this.#owner.connected(link.endpoints);
    }
  }

  lost(endpoints: readonly number[], error: TaskError): void {
    for (const endpoint of endpoints) this.#errors[endpoint] = error;
  }

  /** Stops receiving. Yields after each poll. Outcomes are still reported. */
  *stopping(): Generator<void> {
    this.#isRunning = false;
    for (const link of this.#channels) link?.stopReceiving();
    for (const link of this.#units) if (link) yield* link.stopping();
  }

  async release(): Promise<void> {
    this.#isRunning = false;
    for (const link of this.#channels) link?.detach();
    for (const link of this.#units) link?.release();
    await Promise.all(this.#servers.map((link) => link.close()));
  }

  send(task: number, bytes: Uint8Array): TaskError | null {
    const { outputs, engine } = this.#options;
    const output = outputs[task];
    if (!output) return 'channel_not_open';
    const unit = this.#units[output.endpoint];
    const writes = engine.writesOf(task);
    if (unit && writes) return unit.submit(task, writes.steps(bytes));
    const channel = this.#channels[output.endpoint];
    return channel ? channel.send(output, bytes) : 'channel_not_open';
  }

  channelOf(task: number): number | null {
    const { endpoint = -1 } = this.#options.outputs[task] ?? {};
    return this.#channels[endpoint]?.channel?.slot ?? null;
  }

  serve(server: number, resource: number): void {
    const { image, memory } = this.#options.engine.servers[server] as CompiledServer;
    const link = this.#servers[server];
    if (link) image.put(link.model, resource, memory);
  }

  states(): EndpointState[] {
    return this.#options.endpoints.map((endpoint, number) => {
      // The state of an endpoint is unknown while the instance is not running.
      const state = this.#isRunning ? this.#stateOf(number) : { connected: false, error: null };
      const { connected, error } = state;
      return {
        resolved: this.#resolved(endpoint, number),
        connected,
        error: error === null ? null : { code: error, message: taskErrorMessages[error] },
      };
    });
  }

  #resolved(endpoint: FoundEndpoint, number: number): string {
    if (endpoint.role === 'can') return endpoint.found.channel.selector;
    return this.#serverOf.get(number)?.resolved ?? endpoint.place.named.endpoint;
  }

  #stateOf(number: number): { readonly connected: boolean; readonly error: TaskError | null } {
    const link = this.#units[number] ?? this.#serverOf.get(number);
    if (link) return link.state();
    const error = this.#channelError(number);
    return { connected: error === null, error };
  }

  /** An attached channel knows its own error. */
  #channelError(number: number): TaskError | null {
    const state = this.#channels[number]?.channel?.state;
    if (state === undefined) return this.#errors[number] ?? 'channel_not_open';
    if (state === 'lost') return 'device_lost';
    return state === 'bus_off' ? 'bus_off' : null;
  }

  #channelLink(selector: string): ChannelLink {
    const { endpoints: all, engine, outputs } = this.#options;
    const leadsThere = (number: number): boolean => {
      const endpoint = all[number];
      return endpoint?.role === 'can' && endpoint.found.channel.selector === selector;
    };
    const parts = {
      selector,
      endpoints: [...all.keys()].filter(leadsThere),
      inputs: engine.inputs.filter(({ endpoint }) => leadsThere(endpoint)),
      outputs: outputs.filter(({ endpoint }) => leadsThere(endpoint)),
    };
    return new ChannelLink(parts, this.#owner);
  }

  #unitOwner(endpoint: number): UnitLinkOwner {
    const owner = this.#owner;
    return {
      polled: (poll, items, atUs) => owner.polled(poll, items, atUs),
      pollRefused: (poll, atUs) => owner.pollRefused(poll, atUs),
      pollMissed: (count) => owner.pollMissed(count),
      groupStarted: (task, atUs) => owner.started(task, atUs),
      settled: (task, error, atUs) => owner.settled(task, error, atUs),
      linkLost: (error) => owner.disconnected([endpoint], error),
      linkOpened: () => owner.connected([endpoint]),
    };
  }

  #serverOwner(number: number, { endpoint, image }: CompiledServer): ServerLinkOwner {
    const { clock } = this.#options;
    return {
      // Before the start, the memory does not contain values of the instance.
      isReady: () => this.#hasStarted,
      // A write that no round would process must not be acknowledged.
      check: (write) => (this.#isRunning ? image.check(write) : exceptionCodes.device_busy),
      written: (write) => {
        const link = this.#servers[number];
        if (link) image.clearUndeclared(link.model, write);
        this.#owner.written(number, write, Math.floor(clock.monotonicUs()));
      },
      serverLost: (error) => this.#owner.disconnected([endpoint], error),
      serverFound: () => undefined,
    };
  }
}
