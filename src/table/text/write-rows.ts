import {
  add,
  and,
  type Code,
  divide,
  doubleOf,
  get,
  i32,
  isAbove,
  isAtLeast,
  isAtMost,
  isBelow,
  isBelowF64,
  isDifferent,
  isDifferentF64,
  isEqual,
  isZero,
  loadByte,
  loadF64,
  loadI32,
  loadVector,
  magnitudeF64,
  multiply,
  or,
  repeat,
  returned,
  set,
  shiftLeft,
  storeByte,
  storeF64,
  storeI32,
  storeVector,
  subtract,
  subtractF64,
  truncate,
  when,
} from '../wasm/instructions.ts';
import { compileFunction } from '../wasm/wasm-module.ts';
import {
  cellAt,
  cellBytes,
  cellsAt,
  digitsEnd,
  labelsAt,
  middleAt,
  seriesAt,
  stampAt,
  state,
  timesAt,
  usualTextBytes,
  valuesAt,
  vectorBytes,
} from './row-memory.ts';

const usPerSecond = 1_000_000;
const zero = 0x30;
const point = 0x2e;
const minus = 0x2d;
/** A prime: labels of neighbours are spread. */
const labelStep = 1031;

/** Parameters and locals. */
const [row, rows, limit, end, cell, from, to, until, rest, quotient] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const [series, label, places, start, last, timeUs, value] = [10, 11, 12, 13, 14, 15, 16];
const integers = 12;
const doubles = 2;

const base = i32(0);
const elementAt = (log: number): Code => shiftLeft(get(row), i32(log));
const step = (local: number, bytes: number): Code => set(local, add(get(local), i32(bytes)));
const stop: Code = [...storeI32(base, get(end), state.end), ...returned(get(row))];

const copyVectors = (target: number): Code =>
  repeat(
    [
      ...storeVector(get(target), loadVector(get(from))),
      ...step(from, vectorBytes),
      ...step(target, vectorBytes),
    ],
    isBelow(get(target), get(until)),
  );

/** Copies at least a byte from `from`, and moves `to` to the end of the copy. */
const copyTo = (target: number, source: Code, length: Code): Code => [
  ...set(from, source),
  ...set(until, add(get(target), length)),
  ...copyVectors(target),
  ...set(target, get(until)),
];

const usualVectors = Array.from(
  { length: usualTextBytes / vectorBytes },
  (_, number) => number * vectorBytes,
);

/** The same without a branch that depends on the length of a usual text. */
const copyTextTo = (target: number, source: Code, length: Code): Code => [
  ...set(from, source),
  ...set(until, add(get(target), length)),
  ...usualVectors.flatMap((at) => storeVector(get(target), loadVector(get(from), at), at)),
  ...when(
    isAbove(subtract(get(until), get(target)), i32(usualTextBytes)),
    step(from, usualTextBytes),
    step(target, usualTextBytes),
    copyVectors(target),
  ),
  ...set(target, get(until)),
];

/** Puts the last digit of `rest` at an address and removes it. */
const takeDigit = (address: Code, offset = 0): Code => [
  ...set(quotient, divide(get(rest), i32(10))),
  ...storeByte(
    address,
    add(subtract(get(rest), multiply(get(quotient), i32(10))), i32(zero)),
    offset,
  ),
  ...set(rest, get(quotient)),
];

/** The microseconds of the stamp, if the time is in its second. */
const putTime: Code = [
  ...when(isBelowF64(get(timeUs), loadF64(base, state.secondUs)), stop),
  ...set(rest, truncate(subtractF64(get(timeUs), loadF64(base, state.secondUs)))),
  ...when(isAtLeast(get(rest), i32(usPerSecond)), stop),
  ...[5, 4, 3, 2, 1, 0].flatMap((digit) => takeDigit(loadI32(base, state.microsAt), digit)),
  ...storeF64(base, get(timeUs), state.timeUs),
];

/** The value as `putDecimal` writes it, at `to`. */
const putValue: Code = [
  ...when(isBelowF64(get(value), doubleOf(i32(0))), storeByte(get(to), i32(minus)), step(to, 1)),
  ...set(rest, truncate(magnitudeF64(get(value)))),
  ...set(start, i32(digitsEnd)),
  ...repeat(
    [...step(start, -1), ...takeDigit(get(start))],
    or(get(rest), isAtMost(subtract(i32(digitsEnd), get(start)), get(places))),
  ),
  ...set(last, i32(digitsEnd)),
  ...set(places, subtract(i32(digitsEnd), get(places))),
  ...when(
    and(isAbove(get(last), get(places)), isEqual(loadByte(i32(digitsEnd - 1)), i32(zero))),
    repeat(
      step(last, -1),
      and(
        isAbove(get(last), get(places)),
        isEqual(loadByte(subtract(get(last), i32(1))), i32(zero)),
      ),
    ),
  ),
  ...copyTo(to, get(start), subtract(get(places), get(start))),
  ...when(
    isAbove(get(last), get(places)),
    storeByte(get(to), i32(point)),
    step(to, 1),
    copyTo(to, get(places), subtract(get(last), get(places))),
  ),
];

const textAt = add(get(cell), i32(cellAt.text));
const valueAt = add(textAt, loadI32(get(cell), cellAt.headBytes));

/** Writes another value into the cell of a series. */
const renderCell: Code = [
  ...set(places, loadI32(get(cell), cellAt.places)),
  ...set(to, valueAt),
  ...putValue,
  ...set(rest, get(to)),
  ...copyTo(to, i32(middleAt), loadI32(base, state.middleBytes)),
  ...copyTo(to, valueAt, subtract(get(rest), valueAt)),
  ...copyTo(to, add(get(cell), i32(cellAt.tail)), loadI32(get(cell), cellAt.tailBytes)),
  ...storeI32(get(cell), subtract(get(to), textAt), cellAt.length),
  ...storeF64(get(cell), get(value), cellAt.value),
];

/** Rows with other labels are kept elsewhere. */
const cellNumber = add(get(series), multiply(get(label), i32(labelStep)));

const isOfOthers = or(
  isDifferent(loadI32(get(cell), cellAt.series), get(series)),
  isDifferent(loadI32(get(cell), cellAt.label), get(label)),
);
/** NaN is in no range. */
const isLong = isZero(isBelowF64(magnitudeF64(get(value)), doubleOf(i32(0x7fff_ffff))));

const writeRow: Code = [
  ...set(timeUs, loadF64(elementAt(3), timesAt)),
  ...when(isDifferentF64(get(timeUs), loadF64(base, state.timeUs)), putTime),
  ...when(isAbove(get(end), get(limit)), stop),
  ...set(value, loadF64(elementAt(3), valuesAt)),
  ...set(series, loadI32(elementAt(2), seriesAt)),
  ...set(label, add(loadI32(elementAt(2), labelsAt), i32(1))),
  ...set(
    cell,
    add(multiply(and(cellNumber, loadI32(base, state.cellMask)), i32(cellBytes)), i32(cellsAt)),
  ),
  ...when(isOfOthers, storeI32(base, get(cell), state.cell), stop),
  ...when(
    isDifferentF64(loadF64(get(cell), cellAt.value), get(value)),
    when(isLong, storeI32(base, get(cell), state.cell), stop),
    renderCell,
  ),
  ...copyTextTo(end, i32(stampAt), loadI32(base, state.stampBytes)),
  ...copyTextTo(end, textAt, loadI32(get(cell), cellAt.length)),
  ...step(row, 1),
];

/**
 * Writes rows up to `rows`. Returns the first row that it cannot write: its second is not that of
 * the stamp, the rows are beyond `limit`, or its cell is of another series or label, in this order.
 */
export type WriteRows = (row: number, rows: number, limit: number) => number;

export const writeRowsIn = compileFunction<WriteRows>({
  parameters: 3,
  integers,
  doubles,
  body: [
    ...set(end, loadI32(base, state.end)),
    ...when(isBelow(get(row), get(rows)), repeat(writeRow, isBelow(get(row), get(rows)))),
    ...storeI32(base, get(end), state.end),
    ...get(row),
  ],
});
