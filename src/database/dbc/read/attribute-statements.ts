import type { DecimalText } from '../../model.ts';
import { comma, semicolon } from '../../text/cursor.ts';
import { maxNameLength } from '../../text/scanner.ts';
import { longSymbols } from '../known-attributes.ts';
import type { DbcAttributeOwner, DbcAttributeType } from '../specifics.ts';
import type { Cursor } from './cursor.ts';
import type { Draft, DraftRelation, DraftValue, Notes } from './draft.ts';

const owners: ReadonlyMap<string, DbcAttributeOwner> = new Map([
  ['BU_', 'node'],
  ['BO_', 'message'],
  ['SG_', 'signal'],
  ['EV_', 'environment_variable'],
  ['BU_SG_REL_', 'node_signal'],
  ['BU_BO_REL_', 'node_message'],
  ['BU_EV_REL_', 'node_environment_variable'],
]);

const isType = (text: string): text is DbcAttributeType =>
  text === 'INT' || text === 'HEX' || text === 'FLOAT' || text === 'STRING' || text === 'ENUM';

export const readDefinition = (cursor: Cursor, draft: Draft): void => {
  const at = cursor.offset;
  // A definition takes as much memory as two of most entries.
  cursor.problems.keep(at, 2);
  const { scanner } = cursor;
  let owner: DbcAttributeOwner = 'database';
  if (!cursor.isText()) {
    owner = owners.get(scanner.slice()) ?? cursor.fail('an object type');
    scanner.next();
  }
  const name = cursor.readText('an attribute name');
  const type = scanner.slice();
  if (!isType(type)) cursor.fail('an attribute type');
  scanner.next();
  let minimum: DecimalText | null = null;
  let maximum: DecimalText | null = null;
  const choices: string[] = [];
  if (type === 'ENUM') {
    while (!cursor.is(semicolon) && !cursor.isAtNextStatement()) {
      cursor.problems.keep(cursor.offset);
      choices.push(cursor.isText() ? cursor.readText('a choice') : cursor.readName('a choice'));
      cursor.skip(comma);
    }
  } else if (type !== 'STRING' && !cursor.is(semicolon) && !cursor.isAtNextStatement()) {
    minimum = cursor.readDecimal('a minimum');
    if (!cursor.is(semicolon)) maximum = cursor.readDecimal('a maximum');
  }
  cursor.endStatement();
  draft.definitions.push({ at, owner, name, type, minimum, maximum, choices });
};

export const readDefault = (cursor: Cursor, draft: Draft): void => {
  const name = cursor.readText('an attribute name');
  draft.defaults.set(name, readLastValue(cursor, name));
};

export const readRelationDefault = (cursor: Cursor, draft: Draft): void => {
  // Some tools repeat the kind of relation here.
  if (cursor.isKeyword()) cursor.scanner.next();
  const name = cursor.readText('an attribute name');
  draft.relationDefaults.set(name, readLastValue(cursor, name));
};

export const readAttribute = (cursor: Cursor, draft: Draft): void => {
  const place = cursor.offset;
  const name = cursor.readText('an attribute name');
  if (cursor.skipWord('SG_')) {
    const number = cursor.readMessageNumber();
    const signal = cursor.readName('a signal name');
    const value = readLastValue(cursor, name);
    note(cursor, draft.notesOnSignal(number, signal, place), 'signal', value);
  } else if (cursor.skipWord('BO_')) {
    const number = cursor.readMessageNumber();
    const value = readLastValue(cursor, name);
    note(cursor, draft.notesOnMessage(number, place), 'message', value);
  } else if (cursor.skipWord('BU_')) {
    const node = cursor.readName('a node name');
    const value = readLastValue(cursor, name);
    note(cursor, draft.notesOnNode(node, place), 'node', value);
  } else if (cursor.skipWord('EV_')) {
    const variable = cursor.readName('an environment variable name');
    const value = readLastValue(cursor, name);
    note(cursor, draft.notesOnVariable(variable, place), 'environment_variable', value);
  } else {
    draft.attributes.push(readLastValue(cursor, name));
  }
};

const note = (cursor: Cursor, notes: Notes, owner: DbcAttributeOwner, value: DraftValue): void => {
  const { name, offset, text } = value;
  if (name !== longSymbols[owner]) {
    notes.attributes ??= [];
    notes.attributes.push(value);
  } else if (text.length > maxNameLength) {
    cursor.problems.warn(
      'name_irregular',
      offset,
      `A name in ${name} has more than ${maxNameLength} characters`,
      'ignored',
    );
  } else notes.longName = text;
};

export const readRelation = (cursor: Cursor, draft: Draft): void => {
  const name = cursor.readText('an attribute name');
  const { node, target } = readTarget(cursor);
  draft.relations.push({ node, target, value: readLastValue(cursor, name) });
};

const readTarget = (cursor: Cursor): Pick<DraftRelation, 'node' | 'target'> => {
  if (cursor.skipWord('BU_SG_REL_')) {
    const node = cursor.readName('a node name');
    cursor.skipWord('SG_');
    const number = cursor.readMessageNumber();
    const signal = cursor.readName('a signal name');
    return { node, target: { kind: 'signal', number, signal } };
  }
  if (cursor.skipWord('BU_BO_REL_')) {
    const node = cursor.readName('a node name');
    const number = cursor.readMessageNumber();
    return { node, target: { kind: 'message', number } };
  }
  if (cursor.skipWord('BU_EV_REL_')) {
    const node = cursor.readName('a node name');
    const variable = cursor.readName('an environment variable name');
    return { node, target: { kind: 'environment_variable', variable } };
  }
  return cursor.fail('a relation type');
};

const readLastValue = (cursor: Cursor, name: string): DraftValue => {
  const { offset, problems } = cursor;
  problems.keep(offset);
  let value: DraftValue;
  if (cursor.isText()) value = { name, offset, isText: true, text: cursor.readText('a value') };
  else if (cursor.isName() && !cursor.isNumber()) {
    value = { name, offset, isText: true, text: cursor.readName('a value') };
  } else {
    const decimal = cursor.readDecimal('a value');
    value = { name, offset, isText: decimal === null, text: decimal ?? 'NaN' };
  }
  cursor.endStatement();
  return value;
};
