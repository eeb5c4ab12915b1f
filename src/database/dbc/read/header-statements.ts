import { type Cursor, colon, comma, semicolon } from './cursor.ts';
import type { Draft } from './draft.ts';
import { newSymbols } from './keywords.ts';
import { shown } from './problems.ts';
import { skipRest } from './resynchronise.ts';
import { word } from './scanner.ts';

const listed: ReadonlySet<string> = new Set(newSymbols);

export const readVersion = (cursor: Cursor, draft: Draft): void => {
  draft.version = cursor.readText('the version in quotes');
};

/**
 * The list of keywords that the writer knows says nothing. Its items stand one to a line or one
 * after the other; a keyword with anything else behind it begins a statement.
 */
export const readNewSymbols = (cursor: Cursor): void => {
  cursor.skip(colon);
  const { scanner } = cursor;
  while (scanner.kind === word) {
    const { start } = scanner;
    scanner.next();
    const isItem = scanner.startsLine || cursor.isAtEnd || listed.has(scanner.slice());
    if (!isItem || cursor.isText() || cursor.is(colon)) {
      scanner.restart(start);
      return;
    }
  }
};

export const readBitTiming = (cursor: Cursor, draft: Draft): void => {
  cursor.skip(colon);
  if (cursor.isNumber()) {
    const baudRate = cursor.readDecimal('a baud rate') ?? '0';
    cursor.expect(colon);
    const btr1 = cursor.readDecimal('a bit timing register') ?? '0';
    cursor.expect(comma);
    const btr2 = cursor.readDecimal('a bit timing register') ?? '0';
    draft.bitTiming = { baudRate, btr1, btr2 };
  }
  cursor.skip(semicolon);
};

export const readNodes = (cursor: Cursor, draft: Draft): void => {
  cursor.skip(colon);
  while (cursor.isName()) {
    const at = cursor.offset;
    const name = cursor.readName('the name of a node');
    cursor.problems.keep(at);
    draft.nodes.push({ at, name });
    cursor.skip(comma);
  }
  cursor.skip(semicolon);
};

/** Leaves out a statement that the format reserves, or that is unknown. */
export const skipStatement = (cursor: Cursor, at: number, keyword: string): void => {
  cursor.problems.warn(
    'statement_unknown',
    at,
    `The statement ${shown(keyword)} is not one of those that are read`,
    'left out',
  );
  skipRest(cursor);
};
