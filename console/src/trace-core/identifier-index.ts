import { pgnOf, unprioritized } from '../../../src/database/j1939.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { idKeyOf } from './by-id-table.ts';

/** How frames find a message. */
export interface Identified {
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
  /** In parameter groups: by their addresses, whatever the priority. */
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
