import { pgnOf, unprioritized } from '../../../src/database/j1939.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import type { DatabaseContent, SignalPlan } from '../api/client.ts';
import { idKeyOf } from './by-id-table.ts';

interface Identified {
  readonly id: number;
  readonly extended: boolean;
  /** J1939 parameter group that identifies the message; null if only its identifier does. */
  readonly pgn: number | null;
}

const setFirst = <Value>(map: Map<number, Value>, key: number, value: Value): void => {
  if (!map.has(key)) map.set(key, value);
};

/** Finds messages by identifier as the service does; the first of several is used. */
export class IdentifierIndex<Value> {
  readonly #byId = new Map<number, Value>();
  readonly #byAddresses = new Map<number, Value>();
  readonly #byGroup = new Map<number, Value>();

  /**
   * Adds the messages of a database. Messages in a parameter group that identifies another
   * message are also found by their addresses.
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

  own(id: number, flags: number): Value | undefined {
    const found = this.#byId.get(idKeyOf(id, flags));
    if (found !== undefined || !this.#mayBeGroup(flags)) return found;
    return this.#byAddresses.get(unprioritized(id));
  }

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

interface PlannedMessage extends Identified, Pick<SignalPlan, 'slot'> {
  readonly message: string;
  readonly fromUs: number;
}

interface NamedMessage extends Identified {
  readonly database: string;
  readonly isLin?: boolean;
  readonly name: string;
}

/** Databases attached to a channel, in order. */
interface Attachment {
  readonly slot: number;
  readonly fromUs: number;
  readonly databases: readonly string[];
}

export interface NameSources {
  readonly messages: readonly NamedMessage[];
  readonly plans: readonly PlannedMessage[];
  readonly attached?: readonly Attachment[];
}

export const messagesOf = (databases: Iterable<DatabaseContent>): NameSources['messages'] =>
  [...databases].flatMap(({ name: database, type, message_page }) =>
    message_page.map(({ name, id, extended, pgn }) => ({
      ...{ database, isLin: type === 'ldf' },
      ...{ name, id, extended, pgn },
    })),
  );

interface AttachedNames {
  readonly isLin: boolean;
  readonly names: IdentifierIndex<string>;
}

/**
 * Message names of frames. Databases attached to the channel take precedence in their order, as in
 * the service, then its plans. Other databases apply to CAN only, because LIN identifiers are
 * ambiguous. Exact identifiers and J1939 addresses take
 * precedence over the parameter group.
 */
export class MessageNames {
  readonly #all = new IdentifierIndex<string>();
  readonly #planned = new Map<number, { fromUs: number; names: IdentifierIndex<string> }>();

  readonly #attached = new Map<number, { fromUs: number; databases: AttachedNames[] }>();

  constructor({ messages, plans, attached = [] }: NameSources) {
    const byDatabase = new Map<string, AttachedNames>();
    for (const database of new Set(messages.map((message) => message.database))) {
      const own = messages.filter((message) => message.database === database);
      const isLin = own[0]?.isLin === true;
      const names = new IdentifierIndex<string>();
      names.add(own, ({ name }) => name);
      byDatabase.set(database, { isLin, names });
      if (!isLin) this.#all.add(own, ({ name }) => name);
    }
    for (const { slot, fromUs, databases } of attached) {
      const found = databases.flatMap((name) => byDatabase.get(name) ?? []);
      this.#attached.set(slot, { fromUs, databases: found });
    }
    for (const plan of plans.toReversed()) {
      const { slot, fromUs, message } = plan;
      const planned = this.#planned.get(slot) ?? { fromUs, names: new IdentifierIndex<string>() };
      planned.names.add([plan], () => message);
      this.#planned.set(slot, planned);
    }
  }

  nameOf(slot: number, us: number, bus: number, id: number, flags: number): string | null {
    if ((flags & frameFlag.error) !== 0) return null;
    const attached = this.#attached.get(slot);
    for (const { isLin, names } of attached && us >= attached.fromUs ? attached.databases : []) {
      const name = isLin === (bus === busCode.lin) ? names.find(id, flags) : undefined;
      if (name !== undefined) return name;
    }
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
