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
  /** Of parameter groups: by their addresses, whatever the priority. */
  readonly #byAddresses = new Map<number, Value>();
  readonly #byGroup = new Map<number, Value>();

  add({ id, extended, pgn }: Identified, value: Value): void {
    setFirst(this.#byId, idKeyOf(id, extended ? frameFlag.extended : 0), value);
    if (pgn === null) return;
    setFirst(this.#byAddresses, unprioritized(id), value);
    setFirst(this.#byGroup, pgn, value);
  }

  /** What has that very identifier, or the addresses of a parameter group. */
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
