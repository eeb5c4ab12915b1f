import type { LooseProject } from '../../testing/coolant-project.ts';

/** A whole number below a bound. */
export type Random = (below: number) => number;

/** Pseudo-random numbers, the same in every run (mulberry32). */
export const randomOf = (seed: number): Random => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

/** Wrong values of every JSON type, at and beyond every limit. */
const strangers: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  7,
  8,
  15,
  16,
  63,
  64,
  65_535,
  65_536,
  1e308,
  '',
  '0',
  '1',
  '-1',
  '1.5',
  '1e400',
  '4-2',
  '18446744073709551616',
  'speed',
  'rx',
  'tx',
  'bool',
  'enum',
  'float64',
  'input',
  'derived',
  'request',
  'on_change',
  'motorola',
  'write',
  'serve',
  'server',
  [],
  {},
  ['speed'],
  [['a']],
  { kind: 'identity' },
  { kind: 'linear', raw: 'signed' },
];

type Holder = LooseProject | unknown[];

/** Every path in a document that has a value. */
const placesIn = (value: unknown, places: [Holder, string][] = []): [Holder, string][] => {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, inner] of Object.entries(value)) {
    places.push([value as Holder, key]);
    placesIn(inner, places);
  }
  return places;
};

const pick = <T>(items: readonly T[], random: Random): T => items[random(items.length)] as T;

/**
 * Changes one value of a project: removes it, or replaces it with another value of the project or
 * an invalid one.
 */
export const mutate = (project: LooseProject, random: Random): void => {
  const places = placesIn(project);
  const [holder, key] = pick(places, random);
  const [otherHolder, otherKey] = pick(places, random);
  const held = holder as LooseProject;
  const donor = (otherHolder as LooseProject)[otherKey];
  switch (random(5)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete held[key];
      return;
    case 1:
      held[key] = structuredClone(donor);
      return;
    case 2:
      if (Array.isArray(holder)) holder.push(structuredClone(held[key]));
      else held[otherKey] = structuredClone(held[key]);
      return;
    default:
      held[key] = structuredClone(pick(strangers, random));
  }
};
