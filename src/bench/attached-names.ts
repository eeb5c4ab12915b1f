import { BusbarError } from '../base/errors/busbar-error.ts';
import { nearest } from '../base/suggest.ts';
import { type DatabaseName, notOnBus } from '../database/database-name.ts';
import type { LinFacts } from '../database/lin-facts.ts';
import type { ChannelSettings } from '../drivers/channel-settings.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import { type ChannelWarning, networkWarnings } from './channel-warning.ts';

export interface Attachments {
  readonly databases: readonly DatabaseName[];
  readonly warnings: readonly ChannelWarning[];
}

/** Databases attached to a channel, in order. Their content is in the client thread. */
export class AttachedNames {
  readonly #channel: string;
  readonly #bus: Bus;
  #names: readonly string[] = [];
  #warnings: readonly ChannelWarning[] = [];
  readonly #networks = new Map<string, LinFacts>();

  constructor(channel: string, bus: Bus) {
    this.#channel = channel;
    this.#bus = bus;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Faults of files, and differences between a LIN network and the channel. */
  warningsFor(settings: ChannelSettings): ChannelWarning[] {
    const differences = this.#names.flatMap((name) => {
      const facts = this.#networks.get(name);
      return facts ? networkWarnings(name, facts, settings) : [];
    });
    return [...this.#warnings, ...differences];
  }

  /** Repeating it keeps the order. */
  attach(database: DatabaseName): void {
    if ((database.bus === 'lin') !== (this.#bus === 'lin')) {
      throw notOnBus(database, this.#channel);
    }
    if (!this.#names.includes(database.name)) this.#names = [...this.#names, database.name];
    this.describe(database);
  }

  /** Replaces what an attached database says about its network. */
  describe({ name, lin }: DatabaseName): void {
    if (!this.#names.includes(name)) return;
    if (lin) this.#networks.set(name, lin);
    else this.#networks.delete(name);
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
    this.#networks.delete(name);
  }

  restore({ databases, warnings }: Attachments): void {
    this.#names = [...new Set([...databases.map(({ name }) => name), ...this.#names])];
    for (const database of databases) this.describe(database);
    this.#warnings = warnings;
  }
}
