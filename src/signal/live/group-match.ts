import { sourceOf } from '../../database/j1939.ts';
import {
  type MessageHead,
  MessageIndex,
  type ParameterGroup,
} from '../../database/message-index.ts';

export class GroupMatch {
  readonly pgn: number;
  readonly source: number | null;
  readonly #own: MessageHead | undefined;
  readonly #index: MessageIndex<MessageHead>;

  constructor({ pgn, heads, own }: ParameterGroup, source: number | null) {
    this.pgn = pgn;
    this.source = source;
    this.#own = heads[own];
    this.#index = new MessageIndex({ messages: heads });
  }

  /**
   * Returns whether a frame of the group belongs to the message and has the right source
   * address.
   */
  takes(id: number): boolean {
    if (this.source !== null && sourceOf(id) !== this.source) return false;
    return this.#index.find(id, true) === this.#own;
  }
}
