const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const indent = '  ';

/** Removes white space; numbers and keys stay as written. */
export const compactJson = (text: string): string => (text.match(tokens) ?? []).join('');

/** Formats JSON without parsing it, which keeps large numbers and duplicate keys. */
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
