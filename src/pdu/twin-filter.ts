const remembered = 16;
const twinUs = 20_000;

/**
 * Finds frames that a channel reports twice: as sent and as received. The second report of such
 * a pair is dropped.
 */
export class TwinFilter {
  readonly #ids = new Uint32Array(remembered);
  readonly #words = new Int32Array(2 * remembered);
  /** Event kind; 0 if the entry has met its twin. */
  readonly #kinds = new Uint8Array(remembered);
  readonly #times = new Float64Array(remembered);
  #next = 0;

  isTwin(
    kind: number,
    id: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    timestampUs: number,
  ): boolean {
    let first = 0;
    // Shorter frames have their length where others have the eighth byte.
    let second = length < 8 ? length : 0;
    for (let i = 0; i < length; i++) {
      const byte = bytes[at + i] as number;
      if (i < 4) first = (first << 8) | byte;
      else if (i < 8) second ^= byte << (8 * (7 - i));
      else {
        first = (Math.imul(first, 31) + byte) | 0;
        second = Math.imul(second ^ byte, 0x0100_0193);
      }
    }
    for (let entry = 0; entry < remembered; entry++) {
      const other = this.#kinds[entry] as number;
      if (other === 0 || other === kind || this.#ids[entry] !== id) continue;
      if (this.#words[2 * entry] !== first || this.#words[2 * entry + 1] !== second) continue;
      if (Math.abs(timestampUs - (this.#times[entry] as number)) > twinUs) continue;
      this.#kinds[entry] = 0;
      return true;
    }
    this.#ids[this.#next] = id;
    this.#words[2 * this.#next] = first;
    this.#words[2 * this.#next + 1] = second;
    this.#kinds[this.#next] = kind;
    this.#times[this.#next] = timestampUs;
    this.#next = (this.#next + 1) % remembered;
    return false;
  }
}
