import { highestChannel } from '../channel-key.ts';

/** More than any machine has; bounds memory. */
const maxNames = 1000;

export const maxNameLength = 64;

/** Kernel interface names, also used for unnamed channels. */
const numbered = /^can(0|[1-9]\d{0,4})$/;
/** A name with its channel number, written where needed. */
const tagged = /^(.+)@([1-9]\d{0,4})$/;

interface Interface {
  readonly spelling: Uint8Array;
  readonly number: number;
}

/**
 * Maps interface names to channel numbers from 1: `can0` is 1, `can1` is 2, `body@7` is 7 with
 * name `body`. Any other name, or one whose number is taken, gets the lowest free number.
 */
export class InterfaceNames {
  readonly names = new Map<number, string>();
  readonly #known: Interface[] = [];
  #last = 0;

  /** Returns the number of a name, or 0 if the file has too many. Only new names become strings. */
  numberOf(bytes: Uint8Array, from: number, to: number): number {
    const { length } = this.#known;
    for (let i = 0; i < length; i++) {
      const index = (this.#last + i) % length;
      const { spelling, number } = this.#known[index] as Interface;
      if (isSpelt(bytes, from, to, spelling)) {
        this.#last = index;
        return number;
      }
    }
    if (length === maxNames) return 0;
    this.#last = length;
    const spelling = bytes.slice(from, to);
    return this.#add(spelling, String.fromCharCode(...spelling));
  }

  spellingFor(channel: number, given: string): string {
    const word = given.replaceAll(/[^!-~]/g, '_') || `can${channel - 1}`;
    const name = word.slice(0, maxNameLength - String(channel).length - 1);
    const spelling = bytesOf(name);
    const isTaken = this.#known.some((one) => isSpelt(spelling, 0, spelling.length, one.spelling));
    const reports = !isTaken && !tagged.test(name) && this.#numberFor(name) === channel;
    const spelt = reports ? name : `${name}@${channel}`;
    this.#add(bytesOf(spelt), spelt);
    return spelt;
  }

  #add(spelling: Uint8Array, name: string): number {
    const number = this.#numberFor(name);
    this.#known.push({ spelling, number });
    this.names.set(number, tagged.exec(name)?.[1] ?? name);
    return number;
  }

  #numberFor(name: string): number {
    const own = numbered.exec(name)?.[1];
    const wanted = own === undefined ? Number(tagged.exec(name)?.[2] ?? 0) : Number(own) + 1;
    if (wanted > 0 && wanted <= highestChannel && !this.names.has(wanted)) return wanted;
    let number = 1;
    while (this.names.has(number)) number++;
    return number;
  }
}

const bytesOf = (word: string): Uint8Array => Uint8Array.from(word, (each) => each.charCodeAt(0));

const isSpelt = (bytes: Uint8Array, from: number, to: number, spelling: Uint8Array): boolean => {
  if (spelling.length !== to - from) return false;
  for (let i = 0; i < spelling.length; i++) if (bytes[from + i] !== spelling[i]) return false;
  return true;
};
