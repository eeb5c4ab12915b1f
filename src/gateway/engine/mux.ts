import type { Raw } from '../codecs/encode-linear.ts';

/** A binding as far as multiplexing is concerned. */
export interface MuxMember {
  /** What carries the multiplexer; null where it is always there. */
  readonly selector: MuxMember | null;
  readonly ranges: MuxRangeList | null;
  /** Whether it is part of the frame in hand. */
  isActive: boolean;
  /** Its raw in that frame. */
  raw: Raw;
}

/** Raws of a selector for which a binding is there. */
export class MuxRangeList {
  readonly #lows: readonly Raw[];
  readonly #highs: readonly Raw[];

  constructor(lows: readonly Raw[], highs: readonly Raw[]) {
    this.#lows = lows;
    this.#highs = highs;
  }

  has(raw: Raw): boolean {
    for (let index = 0; index < this.#lows.length; index++) {
      if (raw >= (this.#lows[index] as Raw) && raw <= (this.#highs[index] as Raw)) return true;
    }
    return false;
  }
}

/** Whether a binding is part of a frame whose selectors have been read. */
export const takesPart = ({ selector, ranges }: MuxMember): boolean =>
  selector === null || (selector.isActive && (ranges?.has(selector.raw) ?? false));
