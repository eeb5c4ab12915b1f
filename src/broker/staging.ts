import { frm2SlotBytes } from '../frame/frm2-layout.ts';

/** The most records of one ring that are copied at once. */
export const stagingSlots = 256;

/** Private memory that records are copied to before a sink reads them. */
export class Staging {
  readonly bytes = new Uint8Array(stagingSlots * frm2SlotBytes);
  readonly view = new DataView(this.bytes.buffer);
}

/**
 * Staging areas that all cursors of a thread share. A pass borrows one for each of its rings and
 * leaves nothing in them, so a hundred clients need no more memory than one.
 */
export class StagingPool {
  readonly #areas: Staging[] = [];
  #lent = 0;

  borrow(): Staging {
    const area = this.#areas[this.#lent] ?? new Staging();
    this.#areas[this.#lent++] = area;
    return area;
  }

  /** Takes back as many areas as were borrowed last. */
  free(count: number): void {
    this.#lent -= count;
  }
}
