import type { JsonSource } from './json-source.ts';

/**
 * A JSON value. `bigint` is an integer beyond exact doubles, `JsonSource` an object kept as
 * written.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonValue[]
  | JsonObject
  | JsonSource;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** An object of named fields, not an array. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
