import { isObject, type JsonObject } from './json.ts';

/** Keywords that only explain. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'example',
  '$comment',
  'deprecated',
]);
/** Keywords whose members have names chosen by the author. */
const hasNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  '$defs',
]);

/** A keyword of a schema without annotations and with name lists in one order, fit to be compared. */
export const essenceOf = (schema: JsonObject, keyword: string): unknown =>
  reduce(schema[keyword], hasNames.has(keyword));

function reduce(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => reduce(item, false));
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !annotations.has(key))
      .map(([key, item]) => [key, reduce(item, !isNamed && hasNames.has(key))]),
  );
}
