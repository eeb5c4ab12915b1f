import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import type { Channel } from './channel.ts';
import type { ChannelIdentity } from './channel-record.ts';

export const maxOpenChannels = 64;
const lastSlot = 65_535;

const exceeded = (message: string, limit: number, retryable: boolean): BusbarError =>
  new BusbarError('capacity_exceeded', { message, details: { limit }, retryable });

export const portTaken = (
  { sn, port, slot }: Pick<ChannelIdentity, 'sn' | 'port' | 'slot'>,
  details: ErrorDetails,
): BusbarError =>
  new BusbarError('already_exists', {
    message: `Port ${port} of ${sn} is already open, in slot ${slot}`,
    details: { ...details, slot },
  });

/**
 * Slots, ports and names in use. A slot is reserved before the port is opened, so only one of
 * two concurrent callers succeeds. Slots of opened channels are never reused.
 */
export class ChannelRegister {
  readonly #taken = new Map<number, ChannelIdentity>();
  readonly #channels = new Map<number, Channel>();
  #nextSlot: number;

  constructor(firstSlot = 0) {
    this.#nextSlot = firstSlot;
  }

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

  /** Reserves a slot for a port. `details` are added to the error if the port is in use. */
  reserve(wanted: Omit<ChannelIdentity, 'slot'>, details: ErrorDetails): ChannelIdentity {
    const { sn, port, name } = wanted;
    const slot = this.slotOf(sn, port);
    if (slot !== undefined) throw portTaken({ sn, port, slot }, details);
    if (name !== null && !this.isNameFree(name)) {
      throw new BusbarError('already_exists', {
        message: `Another open channel has the name ${name}`,
        details: { field: 'name', name, ...details },
      });
    }
    if (this.#taken.size >= maxOpenChannels) {
      throw exceeded(`At most ${maxOpenChannels} channels can be open`, maxOpenChannels, true);
    }
    if (this.#nextSlot > lastSlot) {
      throw exceeded('The daemon has no free slots and must be restarted', lastSlot + 1, false);
    }
    const identity = { ...wanted, slot: this.#nextSlot++ };
    this.#taken.set(identity.slot, identity);
    return identity;
  }

  list(channel: Channel): void {
    this.#channels.set(channel.slot, channel);
  }

  release(slot: number): void {
    this.#channels.delete(slot);
    this.#taken.delete(slot);
  }

  abandon(slot: number): void {
    this.release(slot);
    if (slot === this.#nextSlot - 1) this.#nextSlot = slot;
  }
}
