import { isDeepStrictEqual } from 'node:util';

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Members of an object or list, as a map, so that `constructor` is found only if the document
 * declares it.
 */
export const mapOf = (value: unknown): Map<string, unknown> =>
  new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));

export const valuesOf = (objects: readonly JsonObject[], name: string): unknown[] =>
  objects.filter((object) => Object.hasOwn(object, name)).map((object) => object[name]);

/** Values of all objects under `name`, grouped by key. */
export const gather = (objects: readonly JsonObject[], name: string): Map<string, unknown[]> => {
  const inner = valuesOf(objects, name).map(objectOf);
  const names = inner.flatMap(Object.keys);
  return new Map(names.map((each) => [each, valuesOf(inner, each)]));
};

export const includesJson = (list: readonly unknown[], value: unknown): boolean =>
  list.some((item) => isDeepStrictEqual(item, value));

/** JSON text; undefined without a value. */
export const show = (value: unknown): string | undefined => JSON.stringify(value);

/** Values that all apply; undefined without any. */
export const showAll = (values: readonly unknown[]): string | undefined =>
  values.map(show).join(' and ') || undefined;

export const showList = (values: Iterable<unknown>): string => [...values].map(show).join(', ');

/** Keywords that only explain; extensions do too, except error codes. */
export const isAnnotation = (keyword: string): boolean =>
  /^(title|summary|description|examples?|tags|\$comment|deprecated|x-.*)$/.test(keyword);
