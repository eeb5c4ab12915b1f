import { pgnOf, sourceOf, unprioritized } from './j1939.ts';
import type { Message } from './model.ts';

/** What identifies a message, without its signals. */
export type MessageHead = Pick<Message, 'name' | 'id' | 'extended' | 'pgn'>;

/** A J1939 message, with the messages that can have frames of its parameter group instead. */
export interface ParameterGroup {
  readonly pgn: number;
  readonly heads: readonly MessageHead[];
  /** Index of the message in `heads`. */
  readonly own: number;
}

const setFirst = <Value>(map: Map<number, Value>, key: number, value: Value): void => {
  if (!map.has(key)) map.set(key, value);
};

/** J1939 messages of a parameter group. */
class Members<Head extends MessageHead> {
  readonly first: Head;
  /** By identifier without priority: by PGN, source and destination. */
  readonly #byAddresses = new Map<number, Head>();
  readonly #bySource = new Map<number, Head>();

  constructor(first: Head) {
    this.first = first;
  }

  add(message: Head): void {
    setFirst(this.#byAddresses, unprioritized(message.id), message);
    setFirst(this.#bySource, sourceOf(message.id), message);
  }

  addressed(id: number): Head | undefined {
    return this.#byAddresses.get(unprioritized(id)) ?? this.#bySource.get(sourceOf(id));
  }
}

/**
 * Finds the messages of a database. Frames belong to the message with their identifier, else to the
 * J1939 message with their PGN, source and destination, else with their PGN and source, else with
 * their PGN. The first one of several is used.
 */
export class MessageIndex<Head extends MessageHead = Message> {
  readonly #standard = new Map<number, Head>();
  readonly #extended = new Map<number, Head>();
  readonly #byName = new Map<string, Head>();
  readonly #groups = new Map<number, Members<Head>>();
  readonly #messages: Head[] = [];

  constructor({ messages }: { readonly messages: readonly Head[] }) {
    for (const message of messages) this.add(message);
  }

  add(message: Head): void {
    const { id, extended, name, pgn } = message;
    setFirst(extended ? this.#extended : this.#standard, id, message);
    if (!this.#byName.has(name)) this.#byName.set(name, message);
    this.#messages.push(message);
    if (pgn === undefined) return;
    const members = this.#groups.get(pgn) ?? new Members(message);
    this.#groups.set(pgn, members);
    members.add(message);
  }

  byId(id: number, extended: boolean): Head | undefined {
    return (extended ? this.#extended : this.#standard).get(id);
  }

  byName(name: string): Head | undefined {
    return this.#byName.get(name);
  }

  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** The message of a frame. */
  find(id: number, extended: boolean): Head | undefined {
    return this.findAddressed(id, extended) ?? (extended ? this.findGroup(id) : undefined);
  }

  /** The message of a frame by its identifier or its J1939 addresses. */
  findAddressed(id: number, extended: boolean): Head | undefined {
    const exact = this.byId(id, extended);
    if (exact !== undefined || !extended || this.#groups.size === 0) return exact;
    return this.#groups.get(pgnOf(id))?.addressed(id);
  }

  /** The first message of the parameter group of an identifier. */
  findGroup(id: number): Head | undefined {
    return this.#groups.size === 0 ? undefined : this.#groups.get(pgnOf(id))?.first;
  }

  groupOf(message: Head): ParameterGroup | null {
    const { pgn, id } = message;
    if (pgn === undefined) return null;
    const first = this.#groups.get(pgn)?.first;
    const members = this.#messages.filter(
      (other) =>
        (other === first || message === first || sourceOf(other.id) === sourceOf(id)) &&
        (other.pgn === pgn || (other.extended && pgnOf(other.id) === pgn)),
    );
    const heads = members.map(({ name, id, extended, pgn }) => ({
      ...{ name, id, extended },
      ...(pgn !== undefined && { pgn }),
    }));
    return { pgn, heads, own: members.indexOf(message) };
  }
}
