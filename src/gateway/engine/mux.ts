import type { Raw } from '../codecs/encode-linear.ts';

/** A binding as seen by multiplexing. */
export interface MuxMember {
  /** Its multiplexer; null if always present. */
  readonly selector: MuxMember | null;
  readonly ranges: MuxRangeList | null;
  /** Present in the current frame. */
  isActive: boolean;
  /** Raw value in that frame. */
  raw: Raw;
}

/** Selector values for which a binding is present. */
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

/** Whether a binding is present, after its selectors were read. */
export const takesPart = ({ selector, ranges }: MuxMember): boolean =>
  selector === null || (selector.isActive && (ranges?.has(selector.raw) ?? false));
