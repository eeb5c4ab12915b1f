import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import type { DatabaseContent, DatabaseMessage, SignalPlan } from '../api/client.ts';
import { type Identified, IdentifierIndex } from './identifier-index.ts';

/** A message of a database. */
export interface KnownMessage {
  readonly database: string;
  readonly message: DatabaseMessage;
}

/** A message that a plan expects on the channel that has had the slot since then. */
export interface PlannedMessage extends Identified, Pick<SignalPlan, 'slot' | 'message'> {
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
