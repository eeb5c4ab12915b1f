import type { DatabaseMessage, SignalPlan } from '../api/schema.ts';
import { idKeyOf } from './by-id-table.ts';
import { busCode, frameFlag } from './frm2.ts';

/** A message of a database. */
export interface KnownMessage {
  readonly database: string;
  readonly message: DatabaseMessage;
}

/** A message that a plan expects on the channel that has had the slot since then. */
export interface PlannedMessage extends Pick<SignalPlan, 'slot' | 'id' | 'extended' | 'message'> {
  readonly fromUs: number;
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
  readonly plans: readonly PlannedMessage[];
}

const keyOf = (id: number, extended: boolean): number =>
  idKeyOf(id, extended ? frameFlag.extended : 0);

/**
 * The message names of frames. A plan on the channel counts most; without one, any database has a
 * say about CAN, but not about LIN, where other things have the same identifiers.
 */
export class MessageNames {
  readonly #byId = new Map<number, string>();
  readonly #planned = new Map<number, { fromUs: number; names: Map<number, string> }>();

  constructor({ messages, plans }: NameSources) {
    for (const { id, extended, name } of messages) {
      const key = keyOf(id, extended);
      if (!this.#byId.has(key)) this.#byId.set(key, name);
    }
    for (const { slot, fromUs, id, extended, message } of plans) {
      const planned = this.#planned.get(slot) ?? { fromUs, names: new Map<number, string>() };
      planned.names.set(keyOf(id, extended), message);
      this.#planned.set(slot, planned);
    }
  }

  /** The name of a frame that came then on the channel that had the slot. */
  nameOf(slot: number, us: number, bus: number, id: number, flags: number): string | null {
    if ((flags & frameFlag.error) !== 0) return null;
    const key = idKeyOf(id, flags);
    const planned = this.#planned.get(slot);
    const name = planned && us >= planned.fromUs ? planned.names.get(key) : undefined;
    if (name !== undefined) return name;
    return bus === busCode.lin ? null : (this.#byId.get(key) ?? null);
  }
}

export const noNames = new MessageNames({ messages: [], plans: [] });
