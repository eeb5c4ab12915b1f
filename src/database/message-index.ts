import { pgnOf, unprioritized } from './j1939.ts';
import type { Database, Message } from './model.ts';

/**
 * Which frames of a J1939 parameter group are of a message: those of its own addresses, and those of
 * addresses that no message of the database has, if it is the first of the group.
 */
export interface ParameterGroup {
  readonly pgn: number;
  readonly isFirst: boolean;
  /** Identifiers of the other messages of the group, without their priority. */
  readonly others: readonly number[];
}

const addTo = <Key>(map: Map<Key, Message[]>, key: Key, message: Message): void => {
  const known = map.get(key);
  if (known) known.push(message);
  else map.set(key, [message]);
};

/** Finds the messages of a database; where two share an identifier, the first one counts. */
export class MessageIndex {
  readonly #standard = new Map<number, Message>();
  readonly #extended = new Map<number, Message>();
  readonly #byName = new Map<string, Message>();
  /** All messages of 29 bits whose identifiers are of a group that some message is matched by. */
  readonly #groups = new Map<number, Message[]>();

  constructor({ messages }: Pick<Database, 'messages'>) {
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

  byId(id: number, extended: boolean): Message | undefined {
    return (extended ? this.#extended : this.#standard).get(id);
  }

  byName(name: string): Message | undefined {
    return this.#byName.get(name);
  }

  /** The message that a frame of 29 bits is by its parameter group. */
  byGroup(id: number): Message | undefined {
    const members = this.#groups.get(pgnOf(id)) ?? [];
    const own = members.find((message) => unprioritized(message.id) === unprioritized(id));
    return own ?? members.find(({ pgn }) => pgn !== undefined);
  }

  /** How frames find a message that is matched by its parameter group; null for all others. */
  groupOf(message: Message): ParameterGroup | null {
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
