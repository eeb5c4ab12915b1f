import type { RawRange, ValueText } from '../../model.ts';
import { colon, comma, minus, semicolon } from '../../text/cursor.ts';
import { shown } from '../../text/problems.ts';
import type { Cursor } from './cursor.ts';
import type { Draft } from './draft.ts';
import { readNameList } from './frame-statements.ts';

/** If a value occurs twice, the last text is used. */
const readPairs = (cursor: Cursor): ValueText[] => {
  const values: ValueText[] = [];
  let isAscending = true;
  let isDescending = true;
  let previous: bigint | null = null;
  while (!cursor.is(semicolon) && !cursor.isAtNextStatement()) {
    const place = cursor.offset;
    const raw = cursor.readInteger('a value');
    const text = cursor.readText('a value description');
    if (raw === null) {
      cursor.problems.warn(
        'value_not_whole',
        place,
        `The value of ${shown(text)} is not an integer`,
        'ignored',
      );
      continue;
    }
    cursor.problems.keep(place);
    if (previous !== null && raw <= previous) isAscending = false;
    if (previous !== null && raw >= previous) isDescending = false;
    previous = raw;
    values.push({ raw, text });
  }
  cursor.endStatement();
  return isAscending || isDescending ? values : withoutRepetition(values);
};

const withoutRepetition = (values: readonly ValueText[]): ValueText[] => [
  ...new Map(values.map((value) => [value.raw, value])).values(),
];

export const readValueTable = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const name = cursor.readName('a value table name');
  draft.valueTables.push({ name, values: readPairs(cursor) });
};

/** Values without a message number belong to an environment variable. */
export const readValues = (cursor: Cursor, draft: Draft): void => {
  const place = cursor.offset;
  if (!cursor.isNumber() && !cursor.is(minus)) {
    const name = cursor.readName('the number of a message or a variable');
    const values = readPairs(cursor);
    draft.notesOnVariable(name, place).values = values;
    return;
  }
  const number = cursor.readMessageNumber();
  const name = cursor.readName('a signal name');
  const values = readPairs(cursor);
  draft.notesOnSignal(number, name, place).values = values;
};

export const readValueType = (cursor: Cursor, draft: Draft): void => {
  const place = cursor.offset;
  const number = cursor.readMessageNumber();
  const name = cursor.readName('a signal name');
  cursor.skip(colon);
  const type = cursor.readCount('a value type', 255);
  cursor.endStatement();
  draft.notesOnSignal(number, name, place).valueType = type;
};

export const readSignalGroup = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const number = cursor.readMessageNumber();
  const name = cursor.readName('a signal group name');
  const repetitions = cursor.isNumber() ? cursor.readCount('repetitions', 0xffff_ffff) : 1;
  cursor.skip(colon);
  const signals = readNameList(cursor);
  cursor.endStatement();
  draft.groups.push({ number, name, repetitions, signals });
};

export const readMultiplexing = (cursor: Cursor, draft: Draft): void => {
  const place = cursor.offset;
  const number = cursor.readMessageNumber();
  const name = cursor.readName('a signal name');
  const switchName = cursor.readName('a switch name');
  const ranges: RawRange[] = [];
  while (cursor.isNumber()) {
    const rangeAt = cursor.offset;
    const from = cursor.readInteger('a switch value');
    cursor.expect(minus);
    const to = cursor.readInteger('a switch value');
    cursor.skip(comma);
    if (from === null || to === null || from > to) {
      cursor.problems.warn(
        'range_empty',
        rangeAt,
        `A range of signal ${shown(name)} is empty`,
        'ignored',
      );
      continue;
    }
    cursor.problems.keep(rangeAt);
    ranges.push({ from, to });
  }
  cursor.endStatement();
  const notes = draft.notesOnSignal(number, name, place);
  notes.multiplexing = { offset: place, switch: switchName, ranges };
};
