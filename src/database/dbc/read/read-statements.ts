import { colon, comma, StatementError, semicolon } from '../../text/cursor.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import { quoted, unterminated, word } from '../../text/scanner.ts';
import type { DbcEnvironmentVariable } from '../specifics.ts';
import {
  readAttribute,
  readDefault,
  readDefinition,
  readRelation,
  readRelationDefault,
} from './attribute-statements.ts';
import { Cursor } from './cursor.ts';
import { Draft } from './draft.ts';
import { readMessage, readNameList, readSenders, readSignal } from './frame-statements.ts';
import { keywords, newSymbols, type statementKeywords } from './keywords.ts';
import {
  readMultiplexing,
  readSignalGroup,
  readValues,
  readValueTable,
  readValueType,
} from './value-statements.ts';

const openBracket = 0x5b;

const closeBracket = 0x5d;

const bar = 0x7c;

const types = ['integer', 'float', 'string'] as const;

const accesses = ['unrestricted', 'read', 'write', 'read_write'] as const;

const readVariable = (cursor: Cursor, draft: Draft): void => {
  const at = cursor.offset;
  cursor.problems.keep(at);
  const name = cursor.readName('an environment variable name');
  cursor.expect(colon);
  const type = types[cursor.readCount('an environment variable type', 2)] ?? 'integer';
  cursor.expect(openBracket);
  const minimum = cursor.readDecimal('a minimum') ?? '0';
  cursor.expect(bar);
  const maximum = cursor.readDecimal('a maximum') ?? '0';
  cursor.expect(closeBracket);
  const unit = cursor.readText('a unit in quotes');
  const initial = cursor.readDecimal('an initial value') ?? '0';
  const number = cursor.readCount('an environment variable number', 0xffff_ffff);
  const access = readAccess(cursor, name);
  const nodes = readNameList(cursor);
  cursor.endStatement();
  draft.variables.push({
    at,
    name,
    type: access.isString ? 'string' : type,
    minimum,
    maximum,
    unit,
    initial,
    number,
    access: access.access,
    nodes,
  });
};

/** The word is `DUMMY_NODE_VECTOR` and a digit; adding 8000 marks a string variable. */
const readAccess = (
  cursor: Cursor,
  variable: string,
): { access: DbcEnvironmentVariable['access']; isString: boolean } => {
  const place = cursor.offset;
  const name = cursor.readName('an access type');
  const match = /^DUMMY_NODE_VECTOR(8?)0*([0-3]?)$/.exec(name);
  if (match === null) {
    cursor.problems.warn(
      'access_unknown',
      place,
      `The access type of ${shown(variable)} is unknown`,
      'treated as unrestricted',
    );
  }
  return {
    access: accesses[Number(match?.[2] ?? 0)] ?? 'unrestricted',
    isString: match?.[1] === '8',
  };
};

const readDataSize = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const name = cursor.readName('an environment variable name');
  cursor.expect(colon);
  const size = cursor.readCount('a size in bytes', 0xffff_ffff);
  cursor.endStatement();
  draft.dataSizes.set(name, size);
};

const margin = 32;

const statementLine = (text: string, from: number, to: number): number => {
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
 * Skips to the “;” of a statement, or to a line that begins another one. A missing quote makes
 * statements look like text, so lines inside strings count as well.
 */
const skipRest = (cursor: Cursor): void => {
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

const listed: ReadonlySet<string> = new Set(newSymbols);

const readVersion = (cursor: Cursor, draft: Draft): void => {
  if (cursor.isTextOfStatements()) cursor.fail('a closing quote after the version');
  draft.version = cursor.readText('the version in quotes');
};

/**
 * Skips the list of keywords that the writer supports. Its entries are one per line or in a
 * row; a keyword followed by anything else begins a statement.
 */
const readNewSymbols = (cursor: Cursor): void => {
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

const readBitTiming = (cursor: Cursor, draft: Draft): void => {
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

const readNodes = (cursor: Cursor, draft: Draft): void => {
  cursor.skip(colon);
  while (cursor.isName()) {
    const at = cursor.offset;
    const name = cursor.readName('a node name');
    cursor.problems.keep(at);
    draft.nodes.push({ at, name });
    cursor.skip(comma);
  }
  cursor.skip(semicolon);
};

const skipStatement = (cursor: Cursor, at: number, keyword: string): void => {
  cursor.problems.warn('statement_unknown', at, `Unknown statement ${shown(keyword)}`, 'ignored');
  skipRest(cursor);
};

const readComment = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const { scanner, problems } = cursor;
  const place = cursor.offset;
  if (cursor.skipWord('SG_')) {
    const number = cursor.readMessageNumber();
    if (cursor.isText()) {
      problems.warn('comment_without_signal', place, 'A signal comment names no signal', 'ignored');
      scanner.next();
      cursor.endStatement();
      return;
    }
    const name = cursor.readName('a signal name');
    const comment = readLastText(cursor);
    draft.notesOnSignal(number, name, place).comment = comment;
  } else if (cursor.skipWord('BO_')) {
    const number = cursor.readMessageNumber();
    const comment = readLastText(cursor);
    draft.notesOnMessage(number, place).comment = comment;
  } else if (cursor.skipWord('BU_')) {
    const name = cursor.readName('a node name');
    const comment = readLastText(cursor);
    draft.notesOnNode(name, place).comment = comment;
  } else if (cursor.skipWord('EV_')) {
    const name = cursor.readName('an environment variable name');
    const comment = readLastText(cursor);
    draft.notesOnVariable(name, place).comment = comment;
  } else if (cursor.isNumber()) {
    problems.warn(
      'comment_without_kind',
      place,
      'The object type of a comment is missing',
      'treated as the comment of a message',
    );
    const number = cursor.readMessageNumber();
    const comment = readLastText(cursor);
    draft.notesOnMessage(number, place).comment = comment;
  } else {
    const comment = readLastText(cursor);
    draft.comment = (draft.comment ?? '') + comment;
  }
};

const readLastText = (cursor: Cursor): string => {
  const text = cursor.readText('a comment in quotes');
  cursor.endStatement();
  return text;
};

type StatementReader = (cursor: Cursor, draft: Draft) => void;

const readers: Record<(typeof statementKeywords)[number], StatementReader> = {
  VERSION: readVersion,
  NS_: readNewSymbols,
  BS_: readBitTiming,
  BU_: readNodes,
  VAL_TABLE_: readValueTable,
  BO_: readMessage,
  SG_: readSignal,
  BO_TX_BU_: readSenders,
  EV_: readVariable,
  ENVVAR_DATA_: readDataSize,
  CM_: readComment,
  BA_DEF_: readDefinition,
  BA_DEF_REL_: readDefinition,
  BA_DEF_DEF_: readDefault,
  BA_DEF_DEF_REL_: readRelationDefault,
  BA_: readAttribute,
  BA_REL_: readRelation,
  VAL_: readValues,
  SIG_VALTYPE_: readValueType,
  SIG_GROUP_: readSignalGroup,
  SG_MUL_VAL_: readMultiplexing,
};

const readerOf: ReadonlyMap<string, StatementReader> = new Map(Object.entries(readers));

export const readStatements = (text: string, problems: FileProblems): Draft => {
  const cursor = new Cursor(text, problems);
  const draft = new Draft();
  const { scanner } = cursor;
  let recognised = 0;
  while (!cursor.isAtEnd) {
    const start = cursor.offset;
    const keyword = scanner.kind === word ? scanner.slice() : '';
    const read = readerOf.get(keyword);
    try {
      if (read !== undefined) {
        scanner.next();
        read(cursor, draft);
        recognised += 1;
      } else if (keyword !== '') {
        scanner.next();
        skipStatement(cursor, start, keyword);
      } else if (!cursor.skip(semicolon)) {
        cursor.fail('a statement');
      }
    } catch (thrown) {
      if (!(thrown instanceof StatementError)) throw thrown;
      recover(cursor, start, keyword, thrown);
    }
  }
  if (recognised === 0) problems.refuse(0, 'it contains no DBC statement');
  return draft;
};

const recover = (cursor: Cursor, start: number, keyword: string, error: StatementError): void => {
  const { scanner, problems } = cursor;
  const what = keyword === '' ? 'Between statements' : `In ${keyword}`;
  const swallowed = statementLine(scanner.text, start, scanner.end);
  if (error.isTruncated && swallowed < 0)
    problems.refuse(error.offset, `${what}: ${error.message}`);
  problems.error('syntax', error.offset, `${what}: ${error.message}`, 'statement ignored');
  if (swallowed >= 0) {
    scanner.restart(swallowed);
    return;
  }
  if (scanner.start === start) scanner.next();
  skipRest(cursor);
};
