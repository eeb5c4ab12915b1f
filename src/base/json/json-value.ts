import type { JsonSource } from './json-source.ts';

/**
 * What a JSON document holds; `bigint` stands for integers that a double cannot hold exactly, and
 * `JsonSource` for objects that the caller of the reader wants as they are written.
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

/** Whether something is an object of named fields, as `{}` is and an array is not. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
