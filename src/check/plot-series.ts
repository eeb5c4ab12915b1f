import type { CheckPlot } from './check-record.ts';

const maxPoints = 512;

/**
 * Lowest and highest values of equal times, in fixed memory. When the points are used up, pairs
 * of them are merged, so that each covers twice the time.
 */
export class PlotSeries {
  readonly #timeNs = new Float64Array(maxPoints);
  readonly #min = new Float64Array(maxPoints);
  readonly #max = new Float64Array(maxPoints);
  #count = 0;
  #widthNs = 0;

  add(timeNs: number, value: number): void {
    const last = this.#count - 1;
    if (last >= 0 && timeNs < (this.#timeNs[last] as number) + this.#widthNs) {
      if (value < (this.#min[last] as number)) this.#min[last] = value;
      if (value > (this.#max[last] as number)) this.#max[last] = value;
      return;
    }
    if (this.#count === maxPoints) this.#halve();
    const at = this.#count++;
    this.#timeNs[at] = timeNs;
    this.#min[at] = value;
    this.#max[at] = value;
  }

  get points(): CheckPlot['points'] {
    return Array.from({ length: this.#count }, (_, at) => ({
      time_us: Math.floor((this.#timeNs[at] as number) / 1000),
      min: this.#min[at] as number,
      max: this.#max[at] as number,
    }));
  }

  /** Ends with at most half of the points, however unevenly they are distributed. */
  #halve(): void {
    const first = this.#timeNs[0] as number;
    const spanNs = (this.#timeNs[maxPoints - 1] as number) - first;
    this.#widthNs = Math.max(1, 2 * this.#widthNs, spanNs / (maxPoints / 2 - 1));
    let to = 0;
    for (let from = 1; from < this.#count; from++) {
      if ((this.#timeNs[from] as number) < (this.#timeNs[to] as number) + this.#widthNs) {
        this.#min[to] = Math.min(this.#min[to] as number, this.#min[from] as number);
        this.#max[to] = Math.max(this.#max[to] as number, this.#max[from] as number);
        continue;
      }
      to++;
      this.#timeNs[to] = this.#timeNs[from] as number;
      this.#min[to] = this.#min[from] as number;
      this.#max[to] = this.#max[from] as number;
    }
    this.#count = to + 1;
  }
}
