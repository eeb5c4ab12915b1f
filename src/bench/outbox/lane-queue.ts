import type { Lane } from './lane.ts';

/**
 * Lanes that take turns, first come first served, each at most once. It allocates only where there
 * are more of them than ever before.
 */
export class LaneQueue {
  #lanes: (Lane | undefined)[] = new Array<Lane | undefined>(8).fill(undefined);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(lane: Lane): void {
    if (this.#size === this.#lanes.length) this.#grow();
    this.#lanes[this.#placeOf(this.#size)] = lane;
    this.#size += 1;
  }

  /** Puts a lane before all others. */
  unshift(lane: Lane): void {
    if (this.#size === this.#lanes.length) this.#grow();
    this.#head = this.#placeOf(this.#lanes.length - 1);
    this.#lanes[this.#head] = lane;
    this.#size += 1;
  }

  shift(): Lane | undefined {
    if (this.#size === 0) return undefined;
    const lane = this.#lanes[this.#head];
    this.#lanes[this.#head] = undefined;
    this.#head = this.#placeOf(1);
    this.#size -= 1;
    return lane;
  }

  remove(lane: Lane): void {
    for (let left = this.#size; left > 0; left--) {
      const next = this.shift();
      if (next && next !== lane) this.push(next);
    }
  }

  #placeOf(index: number): number {
    return (this.#head + index) & (this.#lanes.length - 1);
  }

  #grow(): void {
    const lanes = new Array<Lane | undefined>(2 * this.#lanes.length).fill(undefined);
    for (let index = 0; index < this.#size; index++) {
      lanes[index] = this.#lanes[this.#placeOf(index)];
    }
    this.#lanes = lanes;
    this.#head = 0;
  }
}
