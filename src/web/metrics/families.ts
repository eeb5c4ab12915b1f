import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatValue, labelPair, type Sample } from './exposition.ts';

type LabelValues = readonly string[] | 'open';

type LabelDeclaration<L extends string> = Readonly<Record<L, LabelValues>>;

type LabelArguments<L extends string> = [L] extends [never]
  ? []
  : [labels: Readonly<Record<L, string>>];

const defaultMaxSeries = 512;

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

class SeriesTable<T> {
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
    // A family without labels has one series from the start, so a scraper sees the zero.
    if (this.#labels.length === 0) this.#series.set('', create());
  }

  /**
   * The series of these label values, created if new. Above the limit, it is the shared series
   * `other`.
   */
  at(labels: Readonly<Record<string, string>> = {}): T {
    const key = this.#key(labels);
    return this.#series.get(key) ?? this.#add(this.#hasRoom() ? key : this.#overflowKey);
  }

  clear(): void {
    this.#series.clear();
  }

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

export interface FamilyDeclaration<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: LabelDeclaration<L>;
  readonly maxSeries?: number;
}

export interface HistogramDeclaration<L extends string> extends FamilyDeclaration<L> {
  /** Upper bounds, ascending and finite; the unbounded bucket is added. */
  readonly buckets: readonly number[];
}

export type ReadValues<L extends string> = (
  report: (value: number, ...labels: LabelArguments<L>) => void,
) => void;

export interface ObservedDeclaration<L extends string> extends FamilyDeclaration<L> {
  readonly type: 'counter' | 'gauge';
  readonly read: ReadValues<L>;
}

export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

interface Cell {
  value: number;
}

const newCell = (): Cell => ({ value: 0 });

const tableOf = <L extends string, T>(
  { labels, maxSeries }: FamilyDeclaration<L>,
  create: () => T,
): SeriesTable<T> => new SeriesTable(labels ?? {}, maxSeries ?? defaultMaxSeries, create);

const cellSamples = (table: SeriesTable<Cell>): readonly Sample[] =>
  table.sorted().map(([labels, { value }]) => ({ suffix: '', labels, value }));

export class Counter<L extends string = never> implements Family {
  readonly type = 'counter';
  readonly #table: SeriesTable<Cell>;

  constructor(declaration: FamilyDeclaration<L>) {
    this.#table = tableOf(declaration, newCell);
  }

  add(amount: number, ...[labels]: LabelArguments<L>): void {
    if (!(amount >= 0)) {
      throw new BusbarError('internal_error', {
        message: `A counter cannot be increased by ${amount}`,
      });
    }
    this.#table.at(labels).value += amount;
  }

  samples(): readonly Sample[] {
    return cellSamples(this.#table);
  }
}

export class Observed<L extends string = never> implements Family {
  readonly type: 'counter' | 'gauge';
  readonly #table: SeriesTable<Cell>;
  readonly #read: ReadValues<L>;

  constructor(declaration: ObservedDeclaration<L>) {
    this.type = declaration.type;
    this.#table = tableOf(declaration, newCell);
    this.#read = declaration.read;
  }

  samples(): readonly Sample[] {
    this.#table.clear();
    this.#read((value, ...[labels]) => {
      this.#table.at(labels).value += value;
    });
    return cellSamples(this.#table);
  }
}

interface Distribution {
  readonly counts: Float64Array;
  sum: number;
}

export class Histogram<L extends string = never> implements Family {
  readonly type = 'histogram';
  readonly #bounds: readonly number[];
  readonly #table: SeriesTable<Distribution>;

  constructor(declaration: HistogramDeclaration<L>) {
    this.#bounds = [...declaration.buckets, Number.POSITIVE_INFINITY];
    this.#table = tableOf(declaration, () => ({
      counts: new Float64Array(this.#bounds.length),
      sum: 0,
    }));
  }

  observe(value: number, ...[labels]: LabelArguments<L>): void {
    if (Number.isNaN(value)) {
      throw new BusbarError('internal_error', { message: 'A histogram does not accept NaN' });
    }
    const distribution = this.#table.at(labels);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  samples(): readonly Sample[] {
    return this.#table.sorted().flatMap(([labels, { counts, sum }]) => {
      let total = 0;
      const buckets = this.#bounds.map((bound, index): Sample => {
        total += counts[index] ?? 0;
        const le = labelPair('le', formatValue(bound));
        return { suffix: '_bucket', labels: labels === '' ? le : `${labels},${le}`, value: total };
      });
      return [
        ...buckets,
        { suffix: '_sum', labels, value: sum } as const,
        { suffix: '_count', labels, value: total } as const,
      ];
    });
  }
}
