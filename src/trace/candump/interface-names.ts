/** More than any machine has; what has more is no log, and must not fill the memory. */
const mostNames = 1000;

/** The names of interfaces, numbered from 1 in the order in which they appear. */
export class InterfaceNames {
  readonly names = new Map<number, string>();
  readonly #spellings: Uint8Array[] = [];
  /** Most lines are of the same interface as the line before them. */
  #last = 0;

  /** The number of the name in those bytes, or 0 if there are too many. Makes text of new ones only. */
  numberOf(bytes: Uint8Array, from: number, to: number): number {
    const { length } = this.#spellings;
    for (let i = 0; i < length; i++) {
      const index = (this.#last + i) % length;
      if (isSpelt(bytes, from, to, this.#spellings[index] as Uint8Array)) {
        this.#last = index;
        return index + 1;
      }
    }
    if (length === mostNames) return 0;
    this.#last = length;
    const spelling = bytes.slice(from, to);
    this.#spellings.push(spelling);
    this.names.set(length + 1, String.fromCharCode(...spelling));
    return length + 1;
  }
}

const isSpelt = (bytes: Uint8Array, from: number, to: number, spelling: Uint8Array): boolean => {
  if (spelling.length !== to - from) return false;
  for (let i = 0; i < spelling.length; i++) if (bytes[from + i] !== spelling[i]) return false;
  return true;
};
