import { type Scratch, scratchBytes } from '../scratch-pool.ts';
import { SlicedJson } from './sliced-json.ts';
import { stringifyJson } from './stringify-json.ts';

/** An object with a list, and what it tells beside it. */
interface ListPageOptions {
  readonly list: string;
  /** What the list may take. */
  readonly maxBytes: number;
  readonly items: Iterable<object>;
  /** The other fields, once it is clear how many of the items had room. */
  readonly rest: (count: number) => object;
}

/** A page of a list: as many of the first items as an answer has room for. */
export class ListPage extends SlicedJson {
  readonly #items: Iterator<object>;
  readonly #rest: (count: number) => object;
  /** What was written and not given yet; more than a slice only where an item is. */
  #pending: Buffer;
  #room: number;
  #count = 0;
  #isDone = false;

  constructor({ list, maxBytes, items, rest }: ListPageOptions) {
    super();
    this.#items = items[Symbol.iterator]();
    this.#rest = rest;
    this.#room = maxBytes;
    this.#pending = Buffer.from(`{${JSON.stringify(list)}:[`);
  }

  writeInto({ bytes }: Scratch): number {
    if (this.#pending.length < scratchBytes && !this.#isDone) this.#write();
    const length = this.#pending.copy(bytes);
    this.#pending = this.#pending.subarray(length);
    return length;
  }

  close(): void {
    this.#isDone = true;
    this.#pending = Buffer.alloc(0);
  }

  #write(): void {
    let text = '';
    while (text.length < scratchBytes && !this.#isDone) {
      const item = this.#nextItem();
      if (item !== null) text += this.#count++ > 0 ? `,${item}` : item;
      else {
        this.#isDone = true;
        text += `],${stringifyJson(this.#rest(this.#count)).slice(1)}`;
      }
    }
    this.#pending = Buffer.concat([this.#pending, Buffer.from(text)]);
  }

  /** The next item as JSON; null if there is none, or no room for it. */
  #nextItem(): string | null {
    const { value, done } = this.#items.next();
    if (done) return null;
    const text = stringifyJson(value);
    this.#room -= Buffer.byteLength(text) + 1;
    return this.#room < 0 ? null : text;
  }
}
