import type { JsonValue } from './json-value.ts';

// A string that does not end goes to the end of the text: so each character is looked at once.
const tokens = /"(?:[^"\\]+|\\.?)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/gsu;

const literalOf = (token: string): JsonValue | undefined => {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
};

/**
 * What a text that is no JSON says in some fields of its outermost object, as far as it can be told:
 * texts, numbers and truth values, the first where a name is repeated. Only for telling it back.
 */
export const salvageFields = (
  text: string,
  names: readonly string[],
): Readonly<Record<string, JsonValue>> => {
  const found = new Map<string, JsonValue>();
  let depth = 0;
  let key: JsonValue | undefined;
  let isValue = false;
  const takeWord = (token: string): void => {
    const value = literalOf(token);
    if (!isValue) {
      key = value;
      return;
    }
    if (typeof key === 'string' && names.includes(key) && value !== undefined && !found.has(key)) {
      found.set(key, value);
    }
    key = undefined;
  };
  for (const [token] of text.matchAll(tokens)) {
    if (found.size === names.length) break;
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth !== 1) continue;
    else if (token !== ':' && token !== ',') takeWord(token);
    isValue = token === ':';
  }
  return Object.fromEntries(found);
};
