import type { JsonValue } from './json-value.ts';

// An unterminated string ends the text, so each character is read once.
const tokens = /"(?:[^"\\]+|\\.?)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/gsu;

const literalOf = (token: string): JsonValue | undefined => {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
};

/**
 * Returns the readable strings, numbers and booleans of the outermost object in invalid JSON.
 * Only for echoing them in an error.
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
