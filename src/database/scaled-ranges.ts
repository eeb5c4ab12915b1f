import { type Decimal, requireDecimal } from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import type { ScaledRange } from './model.ts';

interface Entry {
  readonly from: bigint;
  readonly to: bigint;
  readonly scale: LinearScale;
  readonly unit: string;
}

/** Ranges of raw values in the order of the file; the first one that fits is used. */
export class ScaledRanges {
  readonly #entries: readonly Entry[];

  constructor(signal: string, ranges: readonly ScaledRange[]) {
    this.#entries = ranges.map(({ from, to, factor, offset, unit }) => ({
      from,
      to,
      scale: new LinearScale(
        requireDecimal(factor, `${signal}.factor`),
        requireDecimal(offset, `${signal}.offset`),
      ),
      unit,
    }));
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
   * contains it.
   */
  rawOf(physical: Decimal): { readonly raw: bigint; readonly exact: boolean } | null {
    for (const { from, to, scale } of this.#entries) {
      const inverse = scale.rawOf(physical);
      if (inverse !== null && inverse.raw >= from && inverse.raw <= to) return inverse;
    }
    return null;
  }
}
