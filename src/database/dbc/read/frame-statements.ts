import type { DecimalText } from '../../model.ts';
import { colon, comma, minus, semicolon } from '../../text/cursor.ts';
import { shown } from '../../text/problems.ts';
import { maxMessageLength } from '../limits.ts';
import { independentSignals, noNode } from '../message-id.ts';
import type { Cursor } from './cursor.ts';
import type { Draft, DraftMessage } from './draft.ts';

const at = 0x40;
const bar = 0x7c;
const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const plus = 0x2b;

const maxBit = maxMessageLength * 8 - 1;
const switchMark = /^(?:m(\d{0,40}))?(M?)$/;

export const readMessage = (cursor: Cursor, draft: Draft): void => {
  // Signals of a message that cannot be parsed must not be added to the previous message.
  draft.current = null;
  draft.hasMessage = true;
  const place = cursor.offset;
  const number = cursor.readMessageNumber();
  const name = cursor.readName('a message name');
  cursor.expect(colon);
  const length = cursor.readCount('a message length', maxMessageLength);
  const message = { at: place, number, name, length, sender: readSender(cursor), signals: [] };
  cursor.problems.keepMessage(place);
  draft.current = message;
  if (name === independentSignals) draft.independent.add(number);
  else draft.messages.push(message);
};

const readSender = (cursor: Cursor): string | null => {
  if (cursor.isName()) {
    const sender = cursor.readName('a message sender');
    return sender === noNode ? null : sender;
  }
  const { scanner } = cursor;
  // Digits at the end of the file can be incomplete.
  if (cursor.isAtEnd && /\d$/.test(scanner.text)) cursor.fail('a message sender');
  cursor.problems.warn(
    'sender_missing',
    cursor.offset,
    'The message has no sender',
    'treated as without sender',
  );
  return null;
};

export const readSenders = (cursor: Cursor, draft: Draft): void => {
  const place = cursor.offset;
  const number = cursor.readMessageNumber();
  cursor.skip(colon);
  const senders = readNameList(cursor);
  cursor.endStatement();
  draft.notesOnMessage(number, place).senders = senders;
};

export const readNameList = (cursor: Cursor): string[] => {
  const names: string[] = [];
  while (cursor.isName()) {
    cursor.problems.keep(cursor.offset);
    const name = cursor.readName('a name');
    if (name !== noNode) names.push(name);
    cursor.skip(comma);
  }
  return names;
};

/**
 * After the first receiver, the list stops at the end of the line unless a comma follows. A
 * signal has no terminator, and the next line can begin with an unknown statement.
 */
const readReceivers = (cursor: Cursor): string[] => {
  const names: string[] = [];
  const { scanner } = cursor;
  let isExpected = true;
  while (isExpected && cursor.isName()) {
    cursor.problems.keep(cursor.offset);
    const name = cursor.readName('a receiver');
    if (name !== noNode) names.push(name);
    isExpected = cursor.skip(comma) || !scanner.startsLine;
  }
  cursor.skip(semicolon);
  return names;
};

export const readSignal = (cursor: Cursor, draft: Draft): void => {
  const { problems, scanner } = cursor;
  const place = cursor.offset;
  const name = cursor.readName('a signal name');
  let isSwitch = false;
  let switchValue: bigint | null = null;
  if (!cursor.is(colon)) {
    const match = switchMark.exec(scanner.slice());
    if (match === null) cursor.fail('“:” or a multiplexer indicator');
    isSwitch = match[2] === 'M';
    switchValue = match[1] ? BigInt(match[1]) : null;
    if (match[1] === '') reportMark(cursor, name);
    scanner.next();
  }
  cursor.expect(colon);
  const startBit = cursor.readCount('a start bit', maxBit);
  cursor.expect(bar);
  const lengthAt = cursor.offset;
  const length = cursor.readCount('a length in bits', maxBit + 1);
  cursor.expect(at);
  const order = cursor.readCount('byte order 0 or 1', 1);
  const isSigned = cursor.skip(minus);
  if (!isSigned) cursor.expect(plus);
  cursor.expect(openParenthesis);
  const factor = readFinite(cursor, 'a factor');
  cursor.expect(comma);
  const offset = readFinite(cursor, 'an offset');
  cursor.expect(closeParenthesis);
  const [minimum, maximum] = readLimits(cursor, name);
  const unit = readUnit(cursor);
  const receivers = readReceivers(cursor);
  const message = messageFor(cursor, draft, place, name);
  if (message === null) return;
  if (length === 0) {
    problems.error('length_zero', lengthAt, `Signal ${shown(name)} has no bits`, 'ignored');
    return;
  }
  problems.keepSignal(place);
  message.signals.push({
    at: place,
    name,
    isSwitch,
    switchValue,
    startBit,
    length,
    isMotorola: order === 0,
    isSigned,
    factor,
    offset,
    minimum,
    maximum,
    unit,
    receivers,
  });
};

const reportMark = (cursor: Cursor, name: string): void => {
  cursor.problems.warn(
    'multiplexing_without_value',
    cursor.offset,
    `The multiplexer indicator m of signal ${shown(name)} has no value`,
    'treated as always present',
  );
};

const messageFor = (
  cursor: Cursor,
  draft: Draft,
  place: number,
  name: string,
): DraftMessage | null => {
  if (!draft.hasMessage) {
    cursor.problems.error(
      'signal_without_message',
      place,
      `Signal ${shown(name)} comes before the first message`,
      'ignored',
    );
  }
  return draft.current;
};

const readFinite = (cursor: Cursor, what: string): DecimalText => {
  const { start } = cursor.scanner;
  const decimal = cursor.readDecimal(what);
  if (decimal !== null) return decimal;
  cursor.scanner.restart(start);
  return cursor.fail(`${what} as a number`);
};

const noLimits = [null, null] as const;

const readLimits = (
  cursor: Cursor,
  name: string,
): readonly [DecimalText | null, DecimalText | null] => {
  const place = cursor.offset;
  cursor.expect(openBracket);
  const minimum = cursor.readDecimal('a minimum');
  cursor.expect(bar);
  const maximum = cursor.readDecimal('a maximum');
  cursor.expect(closeBracket);
  if (minimum === null || maximum === null) {
    cursor.problems.warn(
      'limit_not_finite',
      place,
      `A limit of signal ${shown(name)} is infinite or not a number`,
      'treated as without limits',
    );
    return noLimits;
  }
  return minimum === '0' && maximum === '0' ? noLimits : [minimum, maximum];
};

/** A unit that contains statements lacks its closing quote. */
const readUnit = (cursor: Cursor): string => {
  if (cursor.isTextOfStatements()) cursor.fail('a closing quote after the unit');
  return cursor.readText('a unit in quotes');
};
