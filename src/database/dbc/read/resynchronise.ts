import { type Cursor, semicolon } from './cursor.ts';
import { keywords } from './keywords.ts';
import { quoted, unterminated } from './scanner.ts';

/** Longest keyword, and room for what follows it. */
const margin = 32;

/** Where between two places a line begins with a keyword; -1 where none does. */
export const statementLine = (text: string, from: number, to: number): number => {
  const part = text.slice(from, to + margin);
  const lineStart = /[\r\n][ \t]*([A-Z_]+)(?=[\s:])/g;
  for (let match = lineStart.exec(part); match !== null; match = lineStart.exec(part)) {
    if (from + match.index >= to) return -1;
    const [whole, name = ''] = match;
    if (keywords.has(name)) return from + match.index + whole.length - name.length;
  }
  return -1;
};

/**
 * Passes over what is left of a statement: up to its “;”, or to a line that begins another one. A
 * missing quote makes statements look like text, so lines inside texts count as well.
 */
export const skipRest = (cursor: Cursor): void => {
  const { scanner } = cursor;
  while (!cursor.isAtNextStatement()) {
    if (cursor.skip(semicolon)) return;
    if (scanner.kind === quoted || scanner.kind === unterminated) {
      const swallowed = statementLine(scanner.text, scanner.start, scanner.end);
      if (swallowed >= 0) {
        scanner.restart(swallowed);
        return;
      }
    }
    scanner.next();
  }
};
