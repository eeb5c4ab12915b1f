import { stringifyJson } from '../../base/json/stringify-json.ts';

/** Records of one kind, as a source reads them. */
export interface RecordSource<Of extends object = object> {
  readonly count: number;
  /** Records that are looked at in one go: other clients wait meanwhile. */
  readonly atOnce: number;
  read(first: number, count: number): Iterable<Of>;
}

/** Which records of a part of an instance have changed, for all that follow it. */
export interface Changes {
  /** Places of records, from 0; not all of them have one. */
  readonly count: number;
  /** The latest mark. */
  readonly mark: number;
  /** Once a second, and when a follower comes. */
  begin(): void;
  /** Looks at the next few. */
  goOn(): void;
  /** The record at a place as JSON. */
  textAt(place: number): string;
  /** The first place from there on whose record has changed after a mark; `count` if none has. */
  nextChanged(from: number, since: number): number;
}

/**
 * Finds out which records of an instance have changed, by comparing their texts with those of the last
 * look. Marks count the looks that found something, so that all followers share the texts.
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

  /** Looks at all records once more, unless it still does. */
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
    // A source that has fewer than it said is over.
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
