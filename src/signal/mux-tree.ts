import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { RawRange, Signal } from '../database/model.ts';
import { patternsOf } from '../database/switch-patterns.ts';
import { layoutOf, type SignalLayout } from './layout.ts';

export interface PlacedSignal {
  readonly signal: Signal;
  readonly layout: SignalLayout;
  readonly number: number;
}

/** Signals that appear together in a message, and the multiplexers among them. */
export interface MuxNode {
  readonly signals: readonly PlacedSignal[];
  readonly switches: readonly MuxSwitch[];
}

export interface MuxSwitch {
  readonly signal: Signal;
  readonly layout: SignalLayout;
  readonly cases: readonly MuxCase[];
}

export interface MuxCase {
  /** Bit patterns of the multiplexer, ascending and disjoint. */
  readonly ranges: readonly RawRange[];
  readonly node: MuxNode;
}

/** Maximum multiplexer levels; known files have three. Each level is a call when decoding. */
export const deepestNesting = 16;

export const apart = (ranges: readonly RawRange[]): RawRange[] => {
  const sorted = [...ranges].sort((one, other) =>
    one.from < other.from ? -1 : one.from > other.from ? 1 : 0,
  );
  const merged: RawRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1n) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
};

const switchFinder = (signals: readonly Signal[]) => {
  const byName = new Map<string, Signal>();
  for (const signal of signals) {
    if (!byName.has(signal.name)) byName.set(signal.name, signal);
  }
  return ({ name, multiplexing }: Signal): Signal | undefined => {
    if (multiplexing === null) return undefined;
    const found = byName.get(multiplexing.switch);
    if (found !== undefined) return found;
    throw invalidArgument(name, `${name} depends on ${multiplexing.switch}, which does not exist`);
  };
};

type Families = ReadonlyMap<Signal | undefined, ReadonlySet<Signal>>;

const familiesOf = (signals: readonly Signal[], wanted: Iterable<Signal>): Families => {
  const switchOf = switchFinder(signals);
  const families = new Map<Signal | undefined, Set<Signal>>([[undefined, new Set()]]);
  for (const one of wanted) {
    let child: Signal | undefined = one;
    for (let depth = 0; child !== undefined; depth++) {
      if (depth > deepestNesting) {
        throw invalidArgument(one.name, `${one.name} depends on itself or on too many switches`);
      }
      const parent = switchOf(child);
      const siblings = families.get(parent) ?? new Set();
      families.set(parent, siblings.add(child));
      child = parent;
    }
  }
  return families;
};

/**
 * Multiplexing of some signals of a message, with their numbers. Only these signals and the
 * multiplexers above them must be valid.
 */
export const muxTreeOf = (
  signals: readonly Signal[],
  wanted: ReadonlyMap<Signal, number>,
): MuxNode => {
  const families = familiesOf(signals, wanted.keys());

  const nodeOf = (members: Iterable<Signal>): MuxNode => {
    const placed: PlacedSignal[] = [];
    const switches: MuxSwitch[] = [];
    for (const signal of members) {
      const layout = layoutOf(signal);
      const number = wanted.get(signal);
      const children = families.get(signal);
      if (number !== undefined) placed.push({ signal, layout, number });
      if (children !== undefined)
        switches.push({ signal, layout, cases: casesOf(signal, children) });
    }
    return { signals: placed, switches };
  };

  const casesOf = ({ length }: Signal, children: ReadonlySet<Signal>): MuxCase[] => {
    const groups = new Map<string, { ranges: RawRange[]; members: Signal[] }>();
    for (const child of children) {
      const ranges = apart(patternsOf(child.multiplexing?.ranges ?? [], length));
      const key = ranges.map(({ from, to }) => `${from}-${to}`).join();
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ranges, members: [child] });
      else group.members.push(child);
    }
    return [...groups.values()]
      .filter(({ ranges }) => ranges.length > 0)
      .map(({ ranges, members }) => ({ ranges, node: nodeOf(members) }));
  };

  return nodeOf(families.get(undefined) ?? []);
};
