import { compareDecimals, type Decimal, requireDecimal } from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import type { ScaledRange } from './model.ts';

interface Entry {
  readonly from: bigint;
  readonly to: bigint;
  /** Physical values of both ends, in ascending order. */
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  readonly scale: LinearScale;
  readonly unit: string;
}

/** Ranges of raw values in the order of the file; the first one that fits is used. */
export class ScaledRanges {
  readonly #entries: readonly Entry[];

  constructor(signal: string, ranges: readonly ScaledRange[]) {
    this.#entries = ranges.map(({ from, to, factor, offset, unit }) => {
      const scale = new LinearScale(
        requireDecimal(factor, `${signal}.factor`),
        requireDecimal(offset, `${signal}.offset`),
      );
      const ends = [scale.physicalOf(from), scale.physicalOf(to)] as const;
      const [minimum, maximum] = compareDecimals(...ends) <= 0 ? ends : [ends[1], ends[0]];
      return { from, to, minimum, maximum, scale, unit };
    });
  }

  /** The physical value of a raw one with its unit; null outside all ranges. */
  textOf(raw: number | bigint): { readonly value: string; readonly unit: string } | null {
    for (const { from, to, scale, unit } of this.#entries) {
      if (raw >= from && raw <= to) return { value: scale.textOf(raw), unit };
    }
    return null;
  }

  /**
   * The nearest raw value of a physical one, halves rounded away from zero. Null if no range
   * contains the physical value: a value beyond the ends of a range is not rounded back to it.
   */
  rawOf(physical: Decimal): { readonly raw: bigint; readonly exact: boolean } | null {
    const range = this.#entries.find(
      ({ minimum, maximum }) =>
        compareDecimals(physical, minimum) >= 0 && compareDecimals(physical, maximum) <= 0,
    );
    return range?.scale.rawOf(physical) ?? null;
  }
}
