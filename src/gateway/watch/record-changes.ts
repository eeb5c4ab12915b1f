import { stringifyJson } from '../../base/json/stringify-json.ts';

/** Records of one kind. */
export interface RecordSource<Of extends object = object> {
  readonly count: number;
  /** Records compared per turn; other clients wait meanwhile. */
  readonly atOnce: number;
  read(first: number, count: number): Iterable<Of>;
}

/** Changed records of a part of an instance, for all its watchers. */
export interface Changes {
  /** Number of record indexes; some may be unused. */
  readonly count: number;
  readonly mark: number;
  /** Called once a second, and for each new watcher. */
  begin(): void;
  /** Compares the next few records. */
  goOn(): void;
  /** The record at an index as JSON. */
  textAt(place: number): string;
  /** The first index whose record changed after a mark; `count` if there is none. */
  nextChanged(from: number, since: number): number;
}

/**
 * Finds changed records of an instance by comparing their texts with the previous ones. Marks
 * count the comparisons that found a change, so all watchers share the texts.
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

  /** Starts comparing all records, unless it is already running. */
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
    // A source with fewer records than announced has ended.
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
