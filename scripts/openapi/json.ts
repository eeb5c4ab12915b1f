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

/** What objects hold under a name. */
export const valuesOf = (objects: readonly JsonObject[], name: string): unknown[] =>
  objects.filter((object) => Object.hasOwn(object, name)).map((object) => object[name]);

/** What objects hold under each name of the objects that they hold under this one. */
export const gather = (objects: readonly JsonObject[], name: string): Map<string, unknown[]> => {
  const inner = valuesOf(objects, name).map(objectOf);
  const names = inner.flatMap(Object.keys);
  return new Map(names.map((each) => [each, valuesOf(inner, each)]));
};

export const includesJson = (list: readonly unknown[], value: unknown): boolean =>
  list.some((item) => isDeepStrictEqual(item, value));

/** Undefined where there is nothing to show. */
export const show = (value: unknown): string | undefined => JSON.stringify(value);

/** Values that all apply; undefined where there is none. */
export const showAll = (values: readonly unknown[]): string | undefined =>
  values.map(show).join(' and ') || undefined;

export const showList = (values: Iterable<unknown>): string => [...values].map(show).join(', ');

/** What only explains. Extensions of ours do, too, but for error codes. */
export const isAnnotation = (keyword: string): boolean =>
  /^(title|summary|description|examples?|tags|\$comment|deprecated|x-.*)$/.test(keyword);
