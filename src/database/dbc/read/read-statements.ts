import {
  readAttribute,
  readDefault,
  readDefinition,
  readRelation,
  readRelationDefault,
} from './attribute-statements.ts';
import { readComment } from './comment-statement.ts';
import { Cursor, StatementFlaw, semicolon } from './cursor.ts';
import { Draft } from './draft.ts';
import { readDataSize, readVariable } from './environment-statements.ts';
import { readMessage, readSenders, readSignal } from './frame-statements.ts';
import {
  readBitTiming,
  readNewSymbols,
  readNodes,
  readVersion,
  skipStatement,
} from './header-statements.ts';
import type { statementKeywords } from './keywords.ts';
import type { DbcProblems } from './problems.ts';
import { skipRest, statementLine } from './resynchronise.ts';
import { word } from './scanner.ts';
import {
  readMultiplexing,
  readSignalGroup,
  readValues,
  readValueTable,
  readValueType,
} from './value-statements.ts';

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

/** Reads every statement by itself; those that cannot be read are reported and left out. */
export const readStatements = (text: string, problems: DbcProblems): Draft => {
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
      if (!(thrown instanceof StatementFlaw)) throw thrown;
      recover(cursor, start, keyword, thrown);
    }
  }
  if (recognised === 0) problems.refuse(0, 'no statement of a DBC file is in it');
  return draft;
};

/** Reports a statement that cannot be read and goes on behind it. */
const recover = (cursor: Cursor, start: number, keyword: string, flaw: StatementFlaw): void => {
  const { scanner, problems } = cursor;
  const what = keyword === '' ? 'Between statements' : `In ${keyword}`;
  const swallowed = statementLine(scanner.text, start, scanner.end);
  if (flaw.isTruncated && swallowed < 0) problems.refuse(flaw.offset, `${what}: ${flaw.message}`);
  problems.error('syntax', flaw.offset, `${what}: ${flaw.message}`, 'statement left out');
  if (swallowed >= 0) {
    scanner.restart(swallowed);
    return;
  }
  if (scanner.start === start) scanner.next();
  skipRest(cursor);
};
