import type { JsonSource } from './json-source.ts';

/**
 * A JSON value. `bigint` is an integer beyond exact doubles, `JsonSource` an object in its
 * original spelling.
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

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
