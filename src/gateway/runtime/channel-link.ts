import type { Channel } from '../../bench/channel.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id, frm2PayloadLength, frm2TimestampUs } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2HeaderLength } from '../../frame/frm2-layout.ts';
import type { CompiledInput } from '../engine/compile-engine.ts';
import type { InputMessage } from '../engine/input-message.ts';
import type { TaskError } from '../values/task-error.ts';

export interface OutputFrame {
  readonly task: number;
  readonly canId: number;
  readonly flags: number;
  readonly dlc: number;
}

export interface LinkOwner {
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

export interface ChannelLinkParts {
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
