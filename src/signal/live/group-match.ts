import { sourceOf, unprioritized } from '../../database/j1939.ts';
import type { ParameterGroup } from '../../database/message-index.ts';

export class GroupMatch {
  readonly pgn: number;
  readonly source: number | null;
  readonly #own: number;
  readonly #isFirst: boolean;
  readonly #others: ReadonlySet<number>;

  constructor({ pgn, isFirst, others }: ParameterGroup, id: number, source: number | null) {
    this.pgn = pgn;
    this.source = source;
    this.#own = unprioritized(id);
    this.#isFirst = isFirst;
    this.#others = new Set(others);
  }

  /**
   * Returns whether a frame of the group belongs to the message and has the right source
   * address.
   */
  takes(id: number): boolean {
    if (this.source !== null && sourceOf(id) !== this.source) return false;
    const addressed = unprioritized(id);
    return addressed === this.#own || (this.#isFirst && !this.#others.has(addressed));
  }
}
