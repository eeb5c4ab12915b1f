/** A name, or a part of it, with `*` for anything and `?` for one letter. */
export interface WordPattern {
  readonly isExcluded: boolean;
  readonly expression: RegExp;
}

const escaped = (text: string): string => text.replaceAll(/[$()+./[\\\]^{|}]/g, '\\$&');

const expressionOf = (word: string): RegExp => {
  const body = escaped(word).replaceAll('*', '.*').replaceAll('?', '.');
  // A word with wildcards says all of the name; one without, a part of it.
  return new RegExp(/[*?]/.test(word) ? `^${body}$` : body, 'i');
};

/** Reads names with commas or blanks between them; `!` before one excludes it. */
export const parseWords = (text: string): readonly WordPattern[] =>
  text
    .split(/[\s,;]+/)
    .map((word) => ({ isExcluded: word.startsWith('!'), body: word.replace(/^!/, '') }))
    .filter(({ body }) => body !== '')
    .map(({ isExcluded, body }) => ({ isExcluded, expression: expressionOf(body) }));

export const matchesWords = (patterns: readonly WordPattern[], name: string): boolean => {
  let isWanted = patterns.every(({ isExcluded }) => isExcluded);
  for (const { isExcluded, expression } of patterns) {
    if (!expression.test(name)) continue;
    if (isExcluded) return false;
    isWanted = true;
  }
  return isWanted;
};
