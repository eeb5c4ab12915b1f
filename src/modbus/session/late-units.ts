/**
 * Units on a serial line that may still answer a request which was given up. Their frames do not
 * tell what they answer, so nothing is asked of such a unit until it has been heard or has been
 * silent for so long that it will not answer any more. Others are not kept waiting.
 */
export class LateUnits {
  readonly #untilUs = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#untilUs.size === 0;
  }

  /** When the next of them is no longer waited for. */
  get nextUs(): number {
    return Math.min(...this.#untilUs.values());
  }

  expect(unit: number, untilUs: number): void {
    this.#untilUs.set(unit, untilUs);
  }

  heard(unit: number): void {
    this.#untilUs.delete(unit);
  }

  has(unit: number): boolean {
    return this.#untilUs.has(unit);
  }

  /** Forgets those that have had their time. */
  forgetUntil(nowUs: number): void {
    for (const [unit, untilUs] of this.#untilUs) {
      if (untilUs <= nowUs) this.#untilUs.delete(unit);
    }
  }
}
