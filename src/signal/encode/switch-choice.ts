import type { RawRange, Signal } from '../../database/model.ts';
import { greaterOf, lesserOf } from '../../database/raw-span.ts';
import { patternsOf } from '../../database/switch-patterns.ts';
import { apart } from '../mux-tree.ts';
import { wrongSignal } from './value-text.ts';

const intersection = (one: readonly RawRange[], other: readonly RawRange[]): RawRange[] => {
  const common: RawRange[] = [];
  let place = 0;
  let otherPlace = 0;
  for (;;) {
    const range = one[place];
    const with_ = other[otherPlace];
    if (range === undefined || with_ === undefined) return common;
    const from = greaterOf(range.from, with_.from);
    const to = lesserOf(range.to, with_.to);
    if (from <= to) common.push({ from, to });
    if (range.to < with_.to) place += 1;
    else otherPlace += 1;
  }
};

const includes = (ranges: readonly RawRange[], pattern: bigint): boolean =>
  ranges.some(({ from, to }) => pattern >= from && pattern <= to);

const patternOf = ({ length }: Signal, raw: bigint): bigint => BigInt.asUintN(length, raw);

const lowestRaw = ({ kind, length }: Signal, ranges: readonly RawRange[]): bigint | undefined => {
  if (kind !== 'signed') return ranges[0]?.from;
  const sign = 1n << BigInt(length - 1);
  const negative = ranges.find(({ to }) => to >= sign);
  if (negative === undefined) return ranges[0]?.from;
  return BigInt.asIntN(length, greaterOf(negative.from, sign));
};

const rangeText = (ranges: readonly RawRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');

interface Page {
  readonly ranges: readonly RawRange[];
  /** The first named signal that needs these values. */
  readonly child: Signal;
}

/** Values of switches: those the sender names now, and those of its last frame. */
export interface SwitchValues {
  readonly named: (signal: Signal) => bigint | undefined;
  readonly before: (signal: Signal) => bigint | undefined;
}

/** The multiplexers of a message, and the values that select given signals. */
export class SwitchChoice {
  readonly #byName: ReadonlyMap<string, Signal>;

  constructor(signals: readonly Signal[]) {
    this.#byName = new Map(signals.map((signal) => [signal.name, signal]));
  }

  /**
   * Raw values of all switches above the named signals. A switch that is not named keeps its last
   * value if that selects them all, and otherwise gets the lowest value that does.
   */
  valuesFor(wanted: readonly Signal[], values: SwitchValues): Map<Signal, bigint> {
    const chosen = new Map<Signal, bigint>();
    for (const [parent, { ranges, child }] of this.#pagesOf(wanted)) {
      const named = values.named(parent);
      if (named !== undefined && !includes(ranges, patternOf(parent, named))) {
        throw wrongSignal(
          child,
          `is sent when ${parent.name} is ${rangeText(ranges)}, not ${named}`,
          {
            reason: 'not_selected',
            switch: parent.name,
          },
        );
      }
      const before = values.before(parent);
      const isKept = before !== undefined && includes(ranges, patternOf(parent, before));
      const raw = named ?? (isKept ? before : lowestRaw(parent, ranges));
      if (raw !== undefined) chosen.set(parent, raw);
    }
    return chosen;
  }

  #pagesOf(wanted: readonly Signal[]): ReadonlyMap<Signal, Page> {
    const pages = new Map<Signal, Page>();
    const seen = new Set<Signal>();
    for (const signal of wanted) {
      let child = signal;
      while (child.multiplexing !== null && !seen.has(child)) {
        seen.add(child);
        const parent = this.#byName.get(child.multiplexing.switch);
        if (parent === undefined) break;
        pages.set(parent, this.#joined(pages.get(parent), parent, child));
        child = parent;
      }
    }
    return pages;
  }

  #joined(page: Page | undefined, parent: Signal, child: Signal): Page {
    const own = apart(patternsOf(child.multiplexing?.ranges ?? [], parent.length));
    const ranges = page === undefined ? own : intersection(page.ranges, own);
    if (ranges.length > 0) return { ranges, child: page?.child ?? child };
    const problem =
      page === undefined
        ? `is sent with no value of ${parent.name}`
        : `is never sent together with ${page.child.name}: ${parent.name} selects one of them`;
    throw wrongSignal(child, problem, {
      reason: 'not_together',
      switch: parent.name,
      ...(page && { with: page.child.name }),
    });
  }
}
