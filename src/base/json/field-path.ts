export type PathSegment = string | number;

const maxKeyLength = 64;

/** Characters that are invisible or that a terminal may interpret. */
const unseen = String.raw`\p{C}`;

const escaped = (characters: string): string => {
  let escapes = '';
  for (let at = 0; at < characters.length; at += 1) {
    escapes += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escapes;
};

// Limits the error size for a hostile document.
const shortened = (key: string): string => {
  if (key.length <= maxKeyLength) return key;
  const splitsPair = (key.charCodeAt(maxKeyLength - 1) & 0xfc00) === 0xd800;
  return `${key.slice(0, splitsPair ? maxKeyLength - 1 : maxKeyLength)}…`;
};

interface Rules {
  readonly needsQuotes: RegExp;
  readonly unprintable: RegExp;
}

let rules: Rules | undefined;

// Built at runtime, since V8 expands `\p` in a literal at parse time, which delays each startup
// by a millisecond.
const makeRules = (): Rules => ({
  needsQuotes: new RegExp(String.raw`[\s.[\]"\\${unseen}]`, 'u'),
  unprintable: new RegExp(String.raw`[${unseen}\p{Zl}\p{Zp}]`, 'gu'),
});

/** Formats a path such as `a.b[2]`; ambiguous keys become `a["b.c"]`. */
export const fieldPath = (segments: readonly PathSegment[]): string => {
  rules ??= makeRules();
  const { needsQuotes, unprintable } = rules;
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
