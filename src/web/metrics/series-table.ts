import { labelPair } from './exposition.ts';

/**
 * The values a label may take: a closed list, or `open` for values that are few by nature but not
 * known beforehand, such as route patterns. What fits neither is counted as `other`.
 */
export type LabelValues = readonly string[] | 'open';

export type LabelDeclaration<L extends string> = Readonly<Record<L, LabelValues>>;

/** The label argument of a family: absent for one that declared no labels. */
export type LabelArguments<L extends string> = [L] extends [never]
  ? []
  : [labels: Readonly<Record<L, string>>];

export const defaultMaxSeries = 512;

const other = 'other';
const maxOpenLength = 200;
const loneSurrogate = /\p{Cs}/u;

interface Label {
  readonly name: string;
  readonly admits: (value: string) => boolean;
}

const admitsOpen = (value: string): boolean =>
  value.length <= maxOpenLength && !loneSurrogate.test(value);

const compileLabel = ([name, values]: [string, LabelValues]): Label => {
  if (values === 'open') return { name, admits: admitsOpen };
  const closed = new Set(values);
  return { name, admits: (value) => closed.has(value) };
};

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

/** The series of one family, never more than its limit, each found by its label values. */
export class SeriesTable<T> {
  readonly #labels: readonly Label[];
  readonly #maxSeries: number;
  readonly #create: () => T;
  readonly #series = new Map<string, T>();
  readonly #overflowKey: string;

  constructor(declaration: LabelDeclaration<string>, maxSeries: number, create: () => T) {
    this.#labels = Object.entries(declaration).map(compileLabel);
    this.#maxSeries = maxSeries;
    this.#create = create;
    this.#overflowKey = this.#labels.map(({ name }) => labelPair(name, other)).join(',');
    // A family without labels has its one series from the start, so that a scraper sees the zero.
    if (this.#labels.length === 0) this.#series.set('', create());
  }

  /** The series of these label values, made if it is new; past the limit, the one of all others. */
  at(labels: Readonly<Record<string, string>> = {}): T {
    const key = this.#key(labels);
    return this.#series.get(key) ?? this.#add(this.#hasRoom() ? key : this.#overflowKey);
  }

  clear(): void {
    this.#series.clear();
  }

  /** Label text and content of every series, in an order that does not depend on traffic. */
  sorted(): readonly (readonly [labels: string, series: T])[] {
    return [...this.#series].sort(byKey);
  }

  #key(labels: Readonly<Record<string, string>>): string {
    return this.#labels
      .map(({ name, admits }) => {
        const value = labels[name] ?? other;
        return labelPair(name, admits(value) ? value : other);
      })
      .join(',');
  }

  /** The last place is kept for the others. */
  #hasRoom(): boolean {
    const taken = this.#series.size + (this.#series.has(this.#overflowKey) ? 0 : 1);
    return taken < this.#maxSeries;
  }

  #add(key: string): T {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const created = this.#create();
    this.#series.set(key, created);
    return created;
  }
}
