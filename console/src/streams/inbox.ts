import type { ApiError } from '../api/api-error.ts';

export class Inbox<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #end: { readonly error: ApiError | null } | null = null;
  #wake: () => void = () => {};

  put(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    this.#wake();
  }

  /** The reader gets the remaining items, then the error, if any. */
  end(error: ApiError | null): void {
    this.#end ??= { error };
    this.#wake();
  }

  drop(): void {
    this.#items = [];
    this.end(null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}
