/** Lets pieces of work run one after the other, whether or not those before them succeed. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
