import { FilePattern, type PatternNames } from './file-pattern.ts';

/** Names of the files of a series, whose numbers continue after those of existing files. */
export class SeriesNames {
  readonly folder: string;
  readonly hasNumber: boolean;
  readonly #pattern: FilePattern;
  readonly #names: PatternNames;
  #last = 0;

  constructor(pattern: FilePattern, names: PatternNames) {
    this.folder = pattern.folder(names);
    this.hasNumber = pattern.hasNumber;
    this.#pattern = pattern;
    this.#names = names;
  }

  static parse(text: string, names: PatternNames): SeriesNames {
    return new SeriesNames(FilePattern.parse(text), names);
  }

  continueAfter(existing: Iterable<string>): void {
    const matcher = this.#pattern.matcher(this.#names);
    for (const file of existing) {
      const number = Number(matcher.exec(file)?.groups?.n ?? 0);
      if (number > this.#last && Number.isSafeInteger(number)) this.#last = number;
    }
  }

  next(unixUs: number): string {
    return this.#pattern.fileName(this.#names, unixUs, this.#last + 1);
  }

  /** The name that is next is used. */
  take(): void {
    this.#last += 1;
  }
}
