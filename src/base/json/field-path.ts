/** A key, or an index into an array. */
export type PathSegment = string | number;

const longestKey = 64;

/** Characters that would make a path ambiguous, or that a terminal might act upon. */
const needsQuotes = /[\s.[\]"\\\p{C}]/u;
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escaped = (characters: string): string => {
  let escapes = '';
  for (let at = 0; at < characters.length; at += 1) {
    escapes += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escapes;
};

// A hostile document must not be able to blow up the error that refuses it.
const shortened = (key: string): string => {
  if (key.length <= longestKey) return key;
  const splitsPair = (key.charCodeAt(longestKey - 1) & 0xfc00) === 0xd800;
  return `${key.slice(0, splitsPair ? longestKey - 1 : longestKey)}…`;
};

/** Writes a place in a document as `a.b[2]`; keys that would be misread appear as `a["b.c"]`. */
export const fieldPath = (segments: readonly PathSegment[]): string => {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') {
      path += `[${segment}]`;
      continue;
    }
    const key = shortened(segment);
    if (key === '' || needsQuotes.test(key)) {
      path += `[${JSON.stringify(key).replace(unprintable, escaped)}]`;
    } else {
      path += path === '' ? key : `.${key}`;
    }
  }
  return path;
};
