import { sourceOf, unprioritized } from '../../database/j1939.ts';
import type { ParameterGroup } from '../../database/message-index.ts';

/** Which frames of a J1939 parameter group a plan takes. */
export class GroupMatch {
  readonly pgn: number;
  /** Only frames from this address; null for all of them. */
  readonly source: number | null;
  readonly #own: number;
  readonly #isFirst: boolean;
  readonly #others: ReadonlySet<number>;

  /** `id` is that of the message in the database. */
  constructor({ pgn, isFirst, others }: ParameterGroup, id: number, source: number | null) {
    this.pgn = pgn;
    this.source = source;
    this.#own = unprioritized(id);
    this.#isFirst = isFirst;
    this.#others = new Set(others);
  }

  /** Whether a frame of the group is of the message, and from the right address. */
  takes(id: number): boolean {
    if (this.source !== null && sourceOf(id) !== this.source) return false;
    const addressed = unprioritized(id);
    return addressed === this.#own || (this.#isFirst && !this.#others.has(addressed));
  }
}
