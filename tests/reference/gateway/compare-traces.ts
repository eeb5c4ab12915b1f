import type { Trace } from './script.ts';

/**
 * Values with a fraction may differ by their last digits: coordinates and sines depend on the order
 * of operations. Everything else must be equal.
 */
const relative = 1e-9;
const absolute = 1e-5;

const areNear = (a: string, b: string): boolean => {
  if (!a.includes('.') && !b.includes('.')) return false;
  const difference = Math.abs(Number(a) - Number(b));
  return (
    difference <= Math.max(absolute, relative * Math.max(Math.abs(Number(a)), Math.abs(Number(b))))
  );
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Name of a part of a trace: rows by id, the rest by index. */
const partName = (key: string, parts: readonly unknown[]): string => {
  const part = parts.find((one) => isRecord(one) && typeof one.id === 'string');
  return isRecord(part) && typeof part.id === 'string' ? `[${part.id}]` : `[${key}]`;
};

const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The first difference below a path, or undefined. */
const differenceAt = (path: string, name: string, a: unknown, b: unknown): string | undefined => {
  if (!isRecord(a) || !isRecord(b)) {
    if (Object.is(a, b)) return undefined;
    const isValue = name === 'value' && typeof a === 'string' && typeof b === 'string';
    return isValue && areNear(a, b) ? undefined : `${path}: ${text(a)} and ${text(b)}`;
  }
  const isList = Array.isArray(a);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const below = isList ? path + partName(key, [a[key], b[key]]) : `${path}.${key}`;
    const difference = differenceAt(below, key, a[key], b[key]);
    if (difference !== undefined) return difference;
  }
  return undefined;
};

/** Time of an event in a trace. */
const timeOf = (item: unknown): number =>
  isRecord(item) && typeof item.atUs === 'number' ? item.atUs : Number.POSITIVE_INFINITY;

interface Difference {
  readonly atUs: number;
  readonly words: string;
}

const firstDifference = (
  name: string,
  a: readonly unknown[],
  b: readonly unknown[],
): Difference | undefined => {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = differenceAt(`${name}[${index}]`, '', a[index], b[index]);
    if (difference === undefined) continue;
    const atUs = Math.min(timeOf(a[index]), timeOf(b[index]));
    return { atUs, words: `at ${atUs} us ${difference}` };
  }
  return undefined;
};

/** The first difference by time, as text; null if the traces are equal. */
export const compareTraces = (a: Trace, b: Trace): string | null => {
  const found = [
    firstDifference('reads', a.reads, b.reads),
    firstDifference('frames', a.frames, b.frames),
    firstDifference('groups', a.groups, b.groups),
    firstDifference('answers', a.answers, b.answers),
    firstDifference('snapshots', a.snapshots, b.snapshots),
  ].filter((difference) => difference !== undefined);
  found.sort((one, other) => one.atUs - other.atUs);
  return found[0]?.words ?? null;
};
