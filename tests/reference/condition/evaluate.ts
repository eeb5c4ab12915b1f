/**
 * Conditions as the rules state them: every question is answered from the whole history again.
 * Nothing is remembered from one moment to the next.
 */

export interface SeenFrame {
  readonly is: 'frame';
  readonly ms: number;
  readonly channel: number;
  readonly id: number;
  readonly data: readonly number[];
}

export interface SeenOther {
  readonly is: 'error' | 'bus_off' | 'controller' | 'gap' | 'pause';
  readonly ms: number;
  readonly channel: number;
}

export type Seen = SeenFrame | SeenOther;

/** A signal is one byte of a frame; its value in tenths is `byte * tenths + offset`. */
export interface Measure {
  readonly id: number;
  readonly byte: number;
  readonly tenths: number;
  readonly offset: number;
}

type On = { readonly on: number | null };

export type Tree =
  | ({
      readonly is: 'frame';
      readonly low: number;
      readonly high: number;
      readonly first: number | null;
    } & On)
  | ({
      readonly is: 'signal';
      readonly measure: Measure;
      readonly sign: string;
      readonly limit: number;
    } & On)
  | ({ readonly is: 'change'; readonly measure: Measure } & On)
  | ({ readonly is: 'error' } & On)
  | ({ readonly is: 'bus_off' } & On)
  | ({
      readonly is: 'silence';
      readonly low: number;
      readonly high: number;
      readonly ms: number;
    } & On)
  | { readonly is: 'not'; readonly part: Tree }
  | { readonly is: 'and' | 'or'; readonly one: Tree; readonly other: Tree }
  | { readonly is: 'within'; readonly one: Tree; readonly other: Tree; readonly ms: number };

export const isState = (tree: Tree): boolean => {
  if (tree.is === 'not' || tree.is === 'signal' || tree.is === 'silence') return true;
  if (tree.is === 'and' || tree.is === 'or') return isState(tree.one) && isState(tree.other);
  return false;
};

/** A moment: an event, or the end of a silence before the next event. */
interface Moment {
  readonly ms: number;
  /** Events up to here have been seen. */
  readonly seen: number;
  readonly event: Seen | null;
}

const compares = (value: number, sign: string, limit: number): boolean => {
  if (sign === '=') return value === limit;
  if (sign === '!=') return value !== limit;
  if (sign === '<') return value < limit;
  if (sign === '<=') return value <= limit;
  return sign === '>' ? value > limit : value >= limit;
};

const durationsIn = (tree: Tree): number[] => {
  if (tree.is === 'silence') return [tree.ms];
  if (tree.is === 'not') return durationsIn(tree.part);
  if ('one' in tree) return [...durationsIn(tree.one), ...durationsIn(tree.other)];
  return [];
};

class History {
  readonly moments: Moment[] = [];
  readonly #events: readonly Seen[];

  constructor(events: readonly Seen[], tree: Tree) {
    this.#events = events;
    const durations = durationsIn(tree);
    events.forEach((event, index) => {
      const from = events[index - 1]?.ms ?? Number.NEGATIVE_INFINITY;
      const ends = events
        .slice(0, index)
        .flatMap(({ ms }) => durations.map((duration) => ms + duration))
        .filter((ms) => ms > from && ms <= event.ms);
      for (const ms of [...new Set(ends)].sort((a, b) => a - b)) {
        this.moments.push({ ms, seen: index, event: null });
      }
      if (event.is !== 'pause') this.moments.push({ ms: event.ms, seen: index + 1, event });
    });
  }

  /** What was seen since the last gap. */
  known({ seen }: Moment): Seen[] {
    const before = this.#events.slice(0, seen);
    return before.slice(before.findLastIndex(({ is }) => is === 'gap') + 1);
  }

  /** Moments since the last gap, this one included. The gap itself counts as the first one. */
  upTo(index: number): number[] {
    const first = this.moments
      .slice(0, index + 1)
      .findLastIndex(({ event }) => event?.is === 'gap');
    return Array.from({ length: index - Math.max(first, 0) + 1 }, (_, i) => Math.max(first, 0) + i);
  }

  isGap(index: number): boolean {
    return this.moments[index]?.event?.is === 'gap';
  }
}

const framesOn = (known: readonly Seen[], channel: number): SeenFrame[] =>
  known.filter((seen): seen is SeenFrame => seen.is === 'frame' && seen.channel === channel);

const tenthsIn = ({ byte, tenths, offset }: Measure, { data }: SeenFrame): number =>
  (data[byte] as number) * tenths + offset;

const hasValue = ({ id, byte }: Measure, frame: SeenFrame): boolean =>
  frame.id === id && frame.data.length > byte;

class Judge {
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /** Whether a state holds after a moment; before the first moment nothing has been seen. */
  holds(tree: Tree, index: number): boolean {
    const moment = this.#history.moments[index];
    const known = moment === undefined ? [] : this.#history.known(moment);
    const now = moment?.ms ?? 0;
    const channels = new Set(known.map(({ channel }) => channel));
    switch (tree.is) {
      case 'not':
        return !this.holds(tree.part, index);
      case 'and':
        return this.holds(tree.one, index) && this.holds(tree.other, index);
      case 'or':
        return this.holds(tree.one, index) || this.holds(tree.other, index);
      case 'signal':
        return [...channels].some((channel) => {
          const last = framesOn(known, channel).findLast((frame) => hasValue(tree.measure, frame));
          if (last === undefined || (tree.on !== null && tree.on !== channel)) return false;
          return compares(tenthsIn(tree.measure, last), tree.sign, tree.limit);
        });
      case 'silence':
        return [...channels].some((channel) => {
          const last = framesOn(known, channel).findLast(
            ({ id }) => id >= tree.low && id <= tree.high,
          );
          if (last === undefined || (tree.on !== null && tree.on !== channel)) return false;
          return now - last.ms >= tree.ms;
        });
      default:
        throw new Error(`${tree.is} is no state`);
    }
  }

  /** Whether an instant is at a moment. A state counts when it becomes true. */
  fires(tree: Tree, index: number): boolean {
    const history = this.#history;
    if (index < 0 || history.isGap(index)) return false;
    if (isState(tree)) return this.holds(tree, index) && !this.holds(tree, index - 1);
    const { event, ms } = history.moments[index] as Moment;
    switch (tree.is) {
      case 'and': {
        const [state, instant] = isState(tree.one)
          ? [tree.one, tree.other]
          : [tree.other, tree.one];
        return this.fires(instant, index) && this.holds(state, index);
      }
      case 'or':
        return this.fires(tree.one, index) || this.fires(tree.other, index);
      case 'within': {
        const near = history.upTo(index).filter((at) => {
          return ms - (history.moments[at] as Moment).ms <= tree.ms;
        });
        const { one, other } = tree;
        if (this.fires(one, index)) return near.some((at) => this.fires(other, at));
        return this.fires(other, index) && near.some((at) => this.fires(one, at));
      }
      default:
        return event !== null && this.#isAt(tree, index, event);
    }
  }

  #isAt(tree: Tree, index: number, event: Seen): boolean {
    if ('on' in tree && tree.on !== null && tree.on !== event.channel) return false;
    if (tree.is === 'error' || tree.is === 'bus_off') return event.is === tree.is;
    if (event.is !== 'frame') return false;
    if (tree.is === 'frame') {
      const isOfRange = event.id >= tree.low && event.id <= tree.high;
      return isOfRange && (tree.first === null || event.data[0] === tree.first);
    }
    if (tree.is !== 'change' || !hasValue(tree.measure, event)) return false;
    const earlier = framesOn(
      this.#history.known(this.#history.moments[index] as Moment),
      event.channel,
    )
      .filter((frame) => hasValue(tree.measure, frame))
      .at(-2);
    return (
      earlier !== undefined && earlier.data[tree.measure.byte] !== event.data[tree.measure.byte]
    );
  }
}

/** Milliseconds at which a condition fires, each at most once per moment. */
export const firings = (tree: Tree, events: readonly Seen[]): number[] => {
  const history = new History(events, tree);
  const judge = new Judge(history);
  return history.moments.flatMap(({ ms }, index) => (judge.fires(tree, index) ? [ms] : []));
};

/** Numbers of the events that a condition selects as a filter. */
export const selected = (tree: Tree, events: readonly Seen[]): number[] => {
  const history = new History(events, tree);
  const judge = new Judge(history);
  return history.moments.flatMap(({ event, seen }, index) => {
    if (event === null || event.is === 'gap') return [];
    const isSelected = isState(tree) ? judge.holds(tree, index) : judge.fires(tree, index);
    return isSelected ? [seen - 1] : [];
  });
};

const onText = (on: number | null): string => (on === null ? '' : ` on ${on}`);
const hex = (id: number): string => id.toString(16).padStart(3, '0');

/** The text of a tree, with all parentheses. */
export const written = (tree: Tree, nameOf: (measure: Measure) => string): string => {
  const inner = (part: Tree): string => `(${written(part, nameOf)})`;
  switch (tree.is) {
    case 'not':
      return `not ${inner(tree.part)}`;
    case 'and':
    case 'or':
      return `${inner(tree.one)} ${tree.is} ${inner(tree.other)}`;
    case 'within':
      return `${inner(tree.one)} within ${tree.ms}ms of ${inner(tree.other)}`;
    case 'frame': {
      const data = tree.first === null ? '' : ` data ${tree.first.toString(16).padStart(2, '0')}`;
      return `frame ${hex(tree.low)}-${hex(tree.high)}${data}${onText(tree.on)}`;
    }
    case 'signal':
      return `signal ${nameOf(tree.measure)} ${tree.sign} ${tree.limit / 10}${onText(tree.on)}`;
    case 'change':
      return `change ${nameOf(tree.measure)}${onText(tree.on)}`;
    case 'silence':
      return `silence ${hex(tree.low)}-${hex(tree.high)} ${tree.ms}ms${onText(tree.on)}`;
    default:
      return `${tree.is}${onText(tree.on)}`;
  }
};
