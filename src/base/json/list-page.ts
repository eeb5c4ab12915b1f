import { type Scratch, scratchBytes } from '../scratch-pool.ts';
import { SlicedJson } from './sliced-json.ts';
import { stringifyJson } from './stringify-json.ts';

/** An object with a list, and fields that depend on the number of items in the page. */
interface ListPageOptions {
  readonly list: string;
  readonly maxBytes: number;
  /** Called twice if fields precede the list: once to count and once to write. */
  readonly items: () => Iterable<object>;
  readonly before?: (count: number) => object;
  readonly after?: (count: number) => object;
}

const fieldsOf = (fields: object): string => stringifyJson(fields).slice(1, -1);

export class ListPage extends SlicedJson {
  readonly #options: ListPageOptions;
  #items: Iterator<object>;
  #pending: Buffer = Buffer.alloc(0);
  #room: number;
  #count = 0;
  #total: number;
  #state: 'counting' | 'writing' | 'done';

  constructor(options: ListPageOptions) {
    super();
    this.#options = options;
    this.#items = options.items()[Symbol.iterator]();
    this.#room = options.maxBytes;
    this.#total = Number.POSITIVE_INFINITY;
    this.#state = options.before ? 'counting' : 'writing';
    if (this.#state === 'writing') this.#pending = Buffer.from(this.#opening());
  }

  override prepare(): boolean {
    if (this.#state !== 'counting') return true;
    const isFirst = this.#count === 0;
    const { text, isEnd } = this.#nextItems();
    if (!isEnd) return false;
    this.#total = this.#count;
    this.#pending = Buffer.from(this.#opening());
    if (isFirst) this.#finish(text);
    else {
      this.#items = this.#options.items()[Symbol.iterator]();
      this.#room = this.#options.maxBytes;
      this.#count = 0;
      this.#state = 'writing';
    }
    return true;
  }

  writeInto({ bytes }: Scratch): number {
    if (this.#pending.length < scratchBytes && this.#state === 'writing') this.#write();
    const length = this.#pending.copy(bytes);
    this.#pending = this.#pending.subarray(length);
    return length;
  }

  close(): void {
    this.#state = 'done';
    this.#pending = Buffer.alloc(0);
  }

  #opening(): string {
    const { list, before } = this.#options;
    const fields = before ? fieldsOf(before(this.#total)) : '';
    return `{${fields}${fields && ','}${JSON.stringify(list)}:[`;
  }

  #write(): void {
    const { text, isEnd } = this.#nextItems();
    if (isEnd) this.#finish(text);
    else this.#append(text);
  }

  #finish(text: string): void {
    const { after } = this.#options;
    const fields = after ? fieldsOf(after(this.#count)) : '';
    this.#append(`${text}]${fields && ','}${fields}}`);
    this.#state = 'done';
  }

  #append(text: string): void {
    this.#pending = Buffer.concat([this.#pending, Buffer.from(text)]);
  }

  #nextItems(): { readonly text: string; readonly isEnd: boolean } {
    let text = '';
    while (text.length < scratchBytes) {
      const item = this.#nextItem();
      if (item === null) return { text, isEnd: true };
      text += this.#count++ > 0 ? `,${item}` : item;
    }
    return { text, isEnd: false };
  }

  #nextItem(): string | null {
    if (this.#count === this.#total) return null;
    const { value, done } = this.#items.next();
    if (done) return null;
    const text = stringifyJson(value);
    this.#room -= Buffer.byteLength(text) + 1;
    return this.#room < 0 ? null : text;
  }
}
