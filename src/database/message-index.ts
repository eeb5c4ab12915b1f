import { pgnOf, unprioritized } from './j1939.ts';
import type { Message } from './model.ts';

/** What identifies a message, without its signals. */
export type MessageHead = Pick<Message, 'name' | 'id' | 'extended' | 'pgn'>;

/**
 * Selects the frames of a J1939 parameter group that belong to a message: frames with its own
 * addresses and, for the first message of the group, frames with addresses that no message has.
 */
export interface ParameterGroup {
  readonly pgn: number;
  readonly isFirst: boolean;
  /** Identifiers of the other messages of the group, without priority. */
  readonly others: readonly number[];
}

const addTo = <Key, Head>(map: Map<Key, Head[]>, key: Key, message: Head): void => {
  const known = map.get(key);
  if (known) known.push(message);
  else map.set(key, [message]);
};

/** Finds the messages of a database. If two have the same identifier, the first one is used. */
export class MessageIndex<Head extends MessageHead = Message> {
  readonly #standard = new Map<number, Head>();
  readonly #extended = new Map<number, Head>();
  readonly #byName = new Map<string, Head>();
  readonly #groups = new Map<number, Head[]>();

  constructor({ messages }: { readonly messages: readonly Head[] }) {
    const groups = new Set(messages.map(({ pgn }) => pgn));
    for (const message of messages) {
      const { id, extended, name } = message;
      const byId = extended ? this.#extended : this.#standard;
      if (!byId.has(id)) byId.set(id, message);
      if (!this.#byName.has(name)) this.#byName.set(name, message);
      const pgn = message.pgn ?? pgnOf(id);
      if (extended && groups.has(pgn)) addTo(this.#groups, pgn, message);
    }
  }

  byId(id: number, extended: boolean): Head | undefined {
    return (extended ? this.#extended : this.#standard).get(id);
  }

  byName(name: string): Head | undefined {
    return this.#byName.get(name);
  }

  byGroup(id: number): Head | undefined {
    const members = this.#groups.get(pgnOf(id)) ?? [];
    const own = members.find((message) => unprioritized(message.id) === unprioritized(id));
    return own ?? members.find(({ pgn }) => pgn !== undefined);
  }

  groupOf(message: Head): ParameterGroup | null {
    const { pgn, id } = message;
    if (pgn === undefined) return null;
    const members = this.#groups.get(pgn) ?? [];
    const others = members.filter((other) => unprioritized(other.id) !== unprioritized(id));
    return {
      pgn,
      isFirst: members.find((member) => member.pgn !== undefined) === message,
      others: others.map((other) => unprioritized(other.id)),
    };
  }
}
