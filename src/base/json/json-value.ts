/** What a JSON document holds; `bigint` stands for integers that a double cannot hold exactly. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}
