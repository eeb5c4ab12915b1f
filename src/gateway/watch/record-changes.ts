import { stringifyJson } from '../../base/json/stringify-json.ts';

export interface RecordSource<Of extends object = object> {
  readonly count: number;
  /** Records compared per time slice. Other clients wait meanwhile. */
  readonly atOnce: number;
  read(first: number, count: number): Iterable<Of>;
}

export interface Changes {
  /** Number of record indexes. Some may be unused. */
  readonly count: number;
  readonly mark: number;
  begin(): void;
  goOn(): void;
  textAt(place: number): string;
  /** Returns the first index whose record changed after a mark; `count` if none. */
  nextChanged(from: number, since: number): number;
}

/**
 * Finds changed records by comparing their texts with the previous ones. All watchers share the
 * texts. A mark is the number of a comparison that found changes.
 */
export class RecordChanges implements Changes {
  readonly #source: RecordSource;
  readonly #texts: string[] = [];
  readonly #marks: number[] = [];
  #mark = 0;
  #next: number;

  constructor(source: RecordSource) {
    this.#source = source;
    this.#next = source.count;
  }

  get count(): number {
    return this.#texts.length;
  }

  get mark(): number {
    return this.#mark;
  }

  begin(): void {
    if (this.#next >= this.#source.count) this.#next = 0;
  }

  goOn(): void {
    const { count, atOnce } = this.#source;
    if (this.#next >= count) return;
    const mark = this.#mark + 1;
    const first = this.#next;
    let place = first;
    for (const record of this.#source.read(first, Math.min(atOnce, count - first))) {
      const text = stringifyJson(record);
      if (this.#texts[place] !== text) {
        this.#texts[place] = text;
        this.#marks[place] = mark;
        this.#mark = mark;
      }
      place += 1;
    }
    // A source with fewer records than announced is complete.
    this.#next = place > first ? place : count;
  }

  textAt(place: number): string {
    return this.#texts[place] ?? 'null';
  }

  nextChanged(from: number, since: number): number {
    let place = from;
    while (place < this.count && (this.#marks[place] ?? 0) <= since) place += 1;
    return place;
  }
}
