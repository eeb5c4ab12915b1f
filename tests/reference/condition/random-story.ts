import { isState, type Measure, type Seen, type Tree } from './evaluate.ts';

type Random = () => number;

const below = (random: Random, end: number): number => Math.floor(random() * end);
const oneOf = <Item>(random: Random, items: readonly Item[]): Item =>
  items[below(random, items.length)] as Item;

const ids = [0x100, 0x101, 0x102] as const;
const scales = [
  [10, 0],
  [5, -20],
  [-10, 30],
  [3, 1],
] as const;

/** Two signals in each of the frames, on a scale of their own. */
export const measures: readonly Measure[] = ids.flatMap((id, frame) =>
  [0, 1].map((byte) => {
    const [tenths, offset] = scales[(frame + byte) % scales.length] as readonly [number, number];
    return { id, byte, tenths, offset };
  }),
);

const on = (random: Random): number | null => oneOf(random, [null, null, 1, 2]);

const range = (random: Random): { low: number; high: number } => {
  const low = oneOf(random, ids);
  return { low, high: random() < 0.7 ? low : low + 1 };
};

const state = (random: Random, depth: number): Tree => {
  if (depth > 0 && random() < 0.5) {
    if (random() < 0.3) return { is: 'not', part: state(random, depth - 1) };
    return {
      is: oneOf(random, ['and', 'or'] as const),
      one: state(random, depth - 1),
      other: state(random, depth - 1),
    };
  }
  if (random() < 0.35) {
    return { is: 'silence', ...range(random), ms: 5 + below(random, 40), on: on(random) };
  }
  const measure = oneOf(random, measures);
  const sign = oneOf(random, ['=', '!=', '<', '<=', '>', '>=']);
  const limit = below(random, 4) * measure.tenths + measure.offset + below(random, 3) - 1;
  return { is: 'signal', measure, sign, limit, on: on(random) };
};

const instant = (random: Random, depth: number): Tree => {
  const chance = random();
  if (depth > 0 && chance < 0.2) {
    const parts = [instant(random, depth - 1), state(random, depth - 1)];
    const [one, other] = random() < 0.5 ? parts : parts.reverse();
    return { is: 'and', one: one as Tree, other: other as Tree };
  }
  if (depth > 0 && chance < 0.4) {
    return { is: 'or', one: instant(random, depth - 1), other: any(random, depth - 1) };
  }
  if (depth > 0 && chance < 0.6) {
    const ms = below(random, 40) + 1;
    return { is: 'within', one: any(random, depth - 1), other: any(random, depth - 1), ms };
  }
  if (random() < 0.15) return { is: oneOf(random, ['error', 'bus_off'] as const), on: on(random) };
  if (random() < 0.4) return { is: 'change', measure: oneOf(random, measures), on: on(random) };
  const first = random() < 0.5 ? null : below(random, 4);
  return { is: 'frame', ...range(random), first, on: on(random) };
};

const any = (random: Random, depth: number): Tree =>
  random() < 0.5 ? state(random, depth) : instant(random, depth);

export const randomTree = (random: Random): Tree => any(random, 3);

/** Few values and short times, so that states change and windows matter. */
export const randomStory = (random: Random, length: number): Seen[] => {
  let ms = 0;
  return Array.from({ length }, (): Seen => {
    ms += random() < 0.2 ? 0 : below(random, 20);
    const channel = 1 + below(random, 2);
    const chance = random();
    if (chance < 0.04) return { is: 'gap', ms, channel };
    if (chance < 0.08) return { is: 'pause', ms, channel };
    if (chance < 0.14)
      return { is: oneOf(random, ['error', 'bus_off', 'controller'] as const), ms, channel };
    const data = Array.from({ length: below(random, 4) }, () => below(random, 4));
    return { is: 'frame', ms, channel, id: oneOf(random, ids), data };
  });
};

/** Parts of a tree, for a tally of what was tried. */
export const kindsIn = (tree: Tree): string[] => {
  if (tree.is === 'not') return [tree.is, ...kindsIn(tree.part)];
  if (!('one' in tree)) return [tree.is];
  const kind = isState(tree) ? `${tree.is} of states` : tree.is;
  return [kind, ...kindsIn(tree.one), ...kindsIn(tree.other)];
};
