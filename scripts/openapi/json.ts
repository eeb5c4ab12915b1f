import { isDeepStrictEqual } from 'node:util';

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * The members of an object or list. A map, so that a member named `constructor` is only found when the
 * document declares it.
 */
export const mapOf = (value: unknown): Map<string, unknown> =>
  new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));

export const includesJson = (list: readonly unknown[], value: unknown): boolean =>
  list.some((item) => isDeepStrictEqual(item, value));

/** Undefined where there is nothing to show. */
export const show = (value: unknown): string | undefined => JSON.stringify(value);

export const showList = (values: Iterable<unknown>): string => [...values].map(show).join(', ');

/** Whether an ECMAScript pattern takes the text in; undefined where it is no pattern. */
export function isMatch(pattern: unknown, text: string): boolean | undefined {
  try {
    return new RegExp(String(pattern), 'u').test(text);
  } catch {
    return undefined;
  }
}

/** Keywords that only explain. */
const annotations = ['title', 'description', 'examples', 'example', '$comment', 'deprecated'];
export const isAnnotation = (keyword: string): boolean => annotations.includes(keyword);

/** Whether the author of a schema chooses the names of a keyword's members. */
const isNaming = (keyword: string): boolean =>
  /^(properties|patternProperties|dependentSchemas|dependentRequired|\$defs)$/.test(keyword);

/** The value of a keyword without annotations and with name lists in one order, fit to be compared. */
export function essenceOf(value: unknown, keyword = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => essenceOf(item));
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value;
  const members = isNaming(keyword)
    ? Object.entries(value).map(([name, member]) => [name, essenceOf(member)])
    : Object.entries(value)
        .filter(([key]) => !isAnnotation(key))
        .map(([key, member]) => [key, essenceOf(member, key)]);
  return Object.fromEntries(members);
}
