import { pgnOf, unprioritized } from '../../../src/database/j1939.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import type { DatabaseContent, SignalPlan } from '../api/client.ts';
import { idKeyOf } from './by-id-table.ts';

/** How frames find a message. */
interface Identified {
  readonly id: number;
  readonly extended: boolean;
  /** The J1939 parameter group that they find it by; null: by its identifier alone. */
  readonly pgn: number | null;
}

const setFirst = <Value>(map: Map<number, Value>, key: number, value: Value): void => {
  if (!map.has(key)) map.set(key, value);
};

/** Finds what frames are by their identifiers, as the service does; of several the first counts. */
export class IdentifierIndex<Value> {
  readonly #byId = new Map<number, Value>();
  readonly #byAddresses = new Map<number, Value>();
  readonly #byGroup = new Map<number, Value>();

  /**
   * Adds the messages of a database. Those in a group that another of them is found by have their addresses for
   * themselves, although they are found by their identifiers.
   */
  add<Message extends Identified>(
    messages: readonly Message[],
    toValue: (message: Message) => Value,
  ): void {
    const groups = new Set(messages.map(({ pgn }) => pgn));
    for (const message of messages) {
      const { id, extended, pgn } = message;
      const value = toValue(message);
      setFirst(this.#byId, idKeyOf(id, extended ? frameFlag.extended : 0), value);
      if (extended && groups.has(pgn ?? pgnOf(id))) {
        setFirst(this.#byAddresses, unprioritized(id), value);
      }
      if (pgn !== null) setFirst(this.#byGroup, pgn, value);
    }
  }

  /** What has that very identifier, or its addresses in a parameter group. */
  own(id: number, flags: number): Value | undefined {
    const found = this.#byId.get(idKeyOf(id, flags));
    if (found !== undefined || !this.#mayBeGroup(flags)) return found;
    return this.#byAddresses.get(unprioritized(id));
  }

  /** What is of the same parameter group, from whatever address. */
  group(id: number, flags: number): Value | undefined {
    return this.#mayBeGroup(flags) ? this.#byGroup.get(pgnOf(id)) : undefined;
  }

  find(id: number, flags: number): Value | undefined {
    return this.own(id, flags) ?? this.group(id, flags);
  }

  #mayBeGroup(flags: number): boolean {
    return this.#byGroup.size > 0 && (flags & frameFlag.extended) !== 0;
  }
}

/** A message that a plan expects on the channel that has had the slot since then. */
interface PlannedMessage extends Identified, Pick<SignalPlan, 'slot' | 'message'> {
  readonly fromUs: number;
}

/** What the names of frames come from; a plain object, so that it can go to a worker. */
export interface NameSources {
  readonly messages: readonly (Identified & {
    readonly database: string;
    readonly name: string;
  })[];
  /** Plans say which database belongs to a channel. */
  readonly plans: readonly PlannedMessage[];
}

/** The messages of databases, as sources of names. */
export const messagesOf = (databases: Iterable<DatabaseContent>): NameSources['messages'] =>
  [...databases].flatMap(({ name: database, message_page }) =>
    message_page.map(({ name, id, extended, pgn }) => ({ database, name, id, extended, pgn })),
  );

/**
 * The message names of frames. A plan on the channel counts most; without one, any database has a
 * say about CAN, but not about LIN, where other things have the same identifiers. An identifier, or
 * the addresses of a J1939 parameter group, count more than the group alone.
 */
export class MessageNames {
  readonly #all = new IdentifierIndex<string>();
  readonly #planned = new Map<number, { fromUs: number; names: IdentifierIndex<string> }>();

  constructor({ messages, plans }: NameSources) {
    for (const database of new Set(messages.map((message) => message.database))) {
      const own = messages.filter((message) => message.database === database);
      this.#all.add(own, ({ name }) => name);
    }
    // Of several plans the newest counts.
    for (const plan of plans.toReversed()) {
      const { slot, fromUs, message } = plan;
      const planned = this.#planned.get(slot) ?? { fromUs, names: new IdentifierIndex<string>() };
      planned.names.add([plan], () => message);
      this.#planned.set(slot, planned);
    }
  }

  /** The name of a frame that came then on the channel that had the slot. */
  nameOf(slot: number, us: number, bus: number, id: number, flags: number): string | null {
    if ((flags & frameFlag.error) !== 0) return null;
    const slotPlans = this.#planned.get(slot);
    const planned = slotPlans && us >= slotPlans.fromUs ? slotPlans.names : undefined;
    if (bus === busCode.lin) return planned?.own(id, flags) ?? null;
    return (
      planned?.own(id, flags) ??
      this.#all.own(id, flags) ??
      planned?.group(id, flags) ??
      this.#all.group(id, flags) ??
      null
    );
  }
}

export const noNames = new MessageNames({ messages: [], plans: [] });
