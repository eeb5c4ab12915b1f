import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import type { Channel } from './channel.ts';
import type { ChannelIdentity } from './channel-record.ts';

/** Channels that can be open at once. */
export const maxOpenChannels = 64;
/** FRM2 has two bytes for a channel. */
const lastSlot = 65_535;

const exceeded = (message: string, limit: number, retryable: boolean): BusbarError =>
  new BusbarError('capacity_exceeded', { message, details: { limit }, retryable });

/** The port has a channel, in that slot. */
export const portTaken = (
  { sn, port, slot }: Pick<ChannelIdentity, 'sn' | 'port' | 'slot'>,
  details: ErrorDetails,
): BusbarError =>
  new BusbarError('already_exists', {
    message: `Port ${port} of ${sn} is open already, in slot ${slot}`,
    details: { ...details, slot },
  });

/**
 * Which slots, ports and names are taken. A place is taken before anything is opened, so that of
 * two who want the same port one is refused. Slots count up and no channel's is ever used again.
 */
export class ChannelRegister {
  readonly #taken = new Map<number, ChannelIdentity>();
  readonly #channels = new Map<number, Channel>();
  #nextSlot: number;

  constructor(firstSlot = 0) {
    this.#nextSlot = firstSlot;
  }

  /** The channels that are open, those being closed included, by slot. */
  get channels(): readonly Channel[] {
    return [...this.#channels.values()].sort((one, other) => one.slot - other.slot);
  }

  channelIn(slot: number): Channel | undefined {
    return this.#channels.get(slot);
  }

  channelAt(sn: string, port: number): Channel | undefined {
    const slot = this.slotOf(sn, port);
    return slot === undefined ? undefined : this.#channels.get(slot);
  }

  channelNamed(name: string): Channel | undefined {
    for (const channel of this.#channels.values()) if (channel.name === name) return channel;
    return undefined;
  }

  /** The slot of the channel that has the port, also while it is being opened. */
  slotOf(sn: string, port: number): number | undefined {
    for (const taken of this.#taken.values()) {
      if (taken.sn === sn && taken.port === port) return taken.slot;
    }
    return undefined;
  }

  isNameFree(name: string): boolean {
    for (const taken of this.#taken.values()) if (taken.name === name) return false;
    return true;
  }

  isInUse(sn: string): boolean {
    for (const taken of this.#taken.values()) if (taken.sn === sn) return true;
    return false;
  }

  /** Takes a slot for a port. `details` go with the refusal of a port that is taken already. */
  reserve(wanted: Omit<ChannelIdentity, 'slot'>, details: ErrorDetails): ChannelIdentity {
    const { sn, port, name } = wanted;
    const slot = this.slotOf(sn, port);
    if (slot !== undefined) throw portTaken({ sn, port, slot }, details);
    if (name !== null && !this.isNameFree(name)) {
      throw new BusbarError('already_exists', {
        message: `Another open channel is named ${name}`,
        details: { field: 'name', name, ...details },
      });
    }
    if (this.#taken.size >= maxOpenChannels) {
      throw exceeded(`At most ${maxOpenChannels} channels can be open`, maxOpenChannels, true);
    }
    if (this.#nextSlot > lastSlot) {
      throw exceeded('The daemon has used up its slots and must be restarted', lastSlot + 1, false);
    }
    const identity = { ...wanted, slot: this.#nextSlot++ };
    this.#taken.set(identity.slot, identity);
    return identity;
  }

  /** From now on the channel is listed and found. */
  list(channel: Channel): void {
    this.#channels.set(channel.slot, channel);
  }

  /** Lets go of the port and the name. */
  release(slot: number): void {
    this.#channels.delete(slot);
    this.#taken.delete(slot);
  }

  /** Lets go of a port that could not be opened and has reported nothing: its slot is the next one. */
  giveUp(slot: number): void {
    this.release(slot);
    if (slot === this.#nextSlot - 1) this.#nextSlot = slot;
  }
}
