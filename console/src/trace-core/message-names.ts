import type { DatabaseMessage, SignalPlan } from '../api/schema.ts';
import { idKeyOf } from './by-id-table.ts';
import { busCode, frameFlag } from './frm2.ts';

/** A message of a database. */
export interface KnownMessage {
  readonly database: string;
  readonly message: DatabaseMessage;
}

/** What the names of frames come from; a plain object, so that it can go to a worker. */
export interface NameSources {
  readonly messages: readonly {
    readonly database: string;
    readonly name: string;
    readonly id: number;
    readonly extended: boolean;
  }[];
  /** Plans say which database belongs to a channel. */
  readonly plans: readonly Pick<SignalPlan, 'slot' | 'database' | 'id' | 'extended' | 'message'>[];
}

const keyOf = (id: number, extended: boolean): number =>
  idKeyOf(id, extended ? frameFlag.extended : 0);

/**
 * The message names of frames. A plan on the channel counts most; without one, any database has a
 * say about CAN, but not about LIN, where other things have the same identifiers.
 */
export class MessageNames {
  readonly #byId = new Map<number, string>();
  readonly #planned = new Map<number, Map<number, string>>();

  constructor({ messages, plans }: NameSources) {
    for (const { id, extended, name } of messages) {
      const key = keyOf(id, extended);
      if (!this.#byId.has(key)) this.#byId.set(key, name);
    }
    for (const { slot, id, extended, message } of plans) {
      const names = this.#planned.get(slot) ?? new Map<number, string>();
      this.#planned.set(slot, names.set(keyOf(id, extended), message));
    }
  }

  nameOf(channel: number, bus: number, id: number, flags: number): string | null {
    if ((flags & frameFlag.error) !== 0) return null;
    const key = idKeyOf(id, flags);
    const planned = this.#planned.get(channel)?.get(key);
    if (planned !== undefined) return planned;
    return bus === busCode.lin ? null : (this.#byId.get(key) ?? null);
  }
}

export const noNames = new MessageNames({ messages: [], plans: [] });
