import { BusbarError } from '../base/errors/busbar-error.ts';
import { nearest } from '../base/suggest.ts';
import { type DatabaseName, notOnBus } from '../database/database-name.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { ChannelWarning } from './channel-warning.ts';

export interface Attachments {
  readonly databases: readonly string[];
  readonly warnings: readonly ChannelWarning[];
}

/** Databases attached to a channel, in order. Their content is in the client thread. */
export class AttachedNames {
  readonly #channel: string;
  readonly #bus: Bus;
  #names: readonly string[] = [];
  #warnings: readonly ChannelWarning[] = [];

  constructor(channel: string, bus: Bus) {
    this.#channel = channel;
    this.#bus = bus;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  get warnings(): readonly ChannelWarning[] {
    return this.#warnings;
  }

  /** Repeating it keeps the order. */
  attach(database: DatabaseName): void {
    if ((database.bus === 'lin') !== (this.#bus === 'lin')) {
      throw notOnBus(database, this.#channel);
    }
    if (!this.#names.includes(database.name)) this.#names = [...this.#names, database.name];
  }

  detach(name: string): void {
    if (!this.#names.includes(name)) {
      throw new BusbarError('database_not_found', {
        message: `Database ${name} is not attached to ${this.#channel}`,
        details: { field: 'name', channel: this.#channel, database: name },
        hint: nearest(name, this.#names) ?? 'busbar channel show lists the attached databases.',
      });
    }
    this.forget(name);
  }

  forget(name: string): void {
    this.#names = this.#names.filter((other) => other !== name);
  }

  restore({ databases, warnings }: Attachments): void {
    this.#names = [...new Set([...databases, ...this.#names])];
    this.#warnings = warnings;
  }
}
