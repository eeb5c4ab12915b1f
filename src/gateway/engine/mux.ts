import type { Raw } from '../codecs/encode-linear.ts';

export interface MuxMember {
  readonly selector: MuxMember | null;
  readonly ranges: MuxRangeList | null;
  isActive: boolean;
  raw: Raw;
}

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

/** Returns whether a binding is present. Its selector must be decoded first. */
export const takesPart = ({ selector, ranges }: MuxMember): boolean =>
  selector === null || (selector.isActive && (ranges?.has(selector.raw) ?? false));
