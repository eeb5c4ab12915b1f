const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const indent = '  ';

/** JSON without what means nothing. Its numbers and keys stay as they are written. */
export const compactJson = (text: string): string => (text.match(tokens) ?? []).join('');

/**
 * JSON in its usual layout. Reading and writing it would do the same to the layout, but to numbers
 * that need more than 53 bits, and to keys that stand there twice, much more.
 */
export const prettyJson = (text: string): string => {
  let pretty = '';
  let depth = 0;
  const newLine = (): string => `\n${indent.repeat(depth)}`;
  let before = '';
  for (const [token] of text.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    const isBegun = before === '{' || before === '[';
    if (isEnd) depth--;
    if (isEnd !== isBegun || before === ',') pretty += newLine();
    pretty += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return pretty;
};
