import { frm2SlotBytes } from '../frame/frm2-layout.ts';

export const stagingSlots = 256;

export class Staging {
  readonly bytes = new Uint8Array(stagingSlots * frm2SlotBytes);
  readonly view = new DataView(this.bytes.buffer);
}

/**
 * Staging areas shared by all cursors of a thread. A pass borrows one per ring and returns them
 * empty, so a hundred clients need as much memory as one.
 */
export class StagingPool {
  readonly #areas: Staging[] = [];
  #lent = 0;

  borrow(): Staging {
    const area = this.#areas[this.#lent] ?? new Staging();
    this.#areas[this.#lent++] = area;
    return area;
  }

  free(count: number): void {
    this.#lent -= count;
  }
}
