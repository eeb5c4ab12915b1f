import { maxFdLength } from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { linKeys } from '../../trace/channel-key.ts';
import { type TraceBatch, traceDetail } from '../../trace/trace-batch.ts';
import {
  add,
  addF64,
  and,
  type Code,
  choose,
  divideF64,
  doubleOf,
  doubleOfI64,
  floorF64,
  get,
  i32,
  isAbove,
  isAtMostF64,
  isBelow,
  isBelowF64,
  isDifferent,
  isEqual,
  isZero,
  loadByte,
  loadF64,
  loadI16,
  loadI32,
  loadI64,
  magnitudeF64,
  multiply,
  multiplyF64,
  or,
  repeat,
  returned,
  set,
  shiftLeft,
  shiftLeftI64,
  shiftRight,
  shiftRightI64,
  shiftSignedRightI64,
  storeF64,
  storeI32,
  swapBytes,
  truncate,
  when,
  xor,
} from '../wasm/instructions.ts';
import { compileFunction } from '../wasm/wasm-module.ts';

const unusableFlags =
  frameFlag.remote | frameFlag.error | frameFlag.checksumError | frameFlag.noResponse;
const unusableDetails =
  traceDetail.noId | traceDetail.syncError | traceDetail.deviceLost | traceDetail.deviceReturned;

/** Frames with data; checksums that a file does not contain are no error. */
export const isDecodable = (batch: TraceBatch, row: number): boolean =>
  ((batch.flags[row] as number) & unusableFlags) === 0 &&
  ((batch.detail[row] as number) & unusableDetails) === 0;

/**
 * Memory: what the samples of a frame or of many have in common, a payload, messages by their
 * identifiers, rows of a trace, labels, signals, columns of a batch.
 *
 *     payload   … 00110101 11000110 01011011 …
 *                     └────────────┘ word << left >> right: its 64 bits from `firstByte`, in the
 *                                    byte order of the signal
 */
export const state = {
  timeUs: 0,
  startUs: 8,
  fromUs: 16,
  toUs: 24,
  /** Above all safe integers. */
  exactNs: 32,
  row: 40,
  /** Samples in the batch, and how many it may have before a frame. */
  count: 44,
  maxCount: 48,
  columns: 52,
} as const;
export const columns = ['timeUs', 'scaled', 'raw', 'row', 'of', 'label'] as const;
export const payloadAt = 128;

/** A message of a channel; `end` is 0 in an empty cell. */
export const cellAt = { id: 0, channel: 4, signals: 8, end: 12, bytes: 16, count: 20 } as const;
const cellBytes = 32;
const cellCount = 1024;
const cellsAt = 256;
/** Added to the channel of extended identifiers. */
export const extendedMark = 1 << 30;
const idShift = 13;
const channelFactor = 2657;

/** Where a message of a channel is remembered. */
export const cellOf = (channel: number, id: number): number =>
  cellsAt + (((id ^ (id >>> idShift)) + channel * channelFactor) & (cellCount - 1)) * cellBytes;

/** Rows that are sampled at a time. */
export const maxRows = 1024;
const afterCells = cellsAt + cellCount * cellBytes;
export const rowsAt = {
  timeNs: afterCells,
  id: afterCells + maxRows * 8,
  flags: afterCells + maxRows * 12,
  channel: afterCells + maxRows * 16,
  bus: afterCells + maxRows * 18,
  length: afterCells + maxRows * 19,
  detail: afterCells + maxRows * 20,
  payload: afterCells + maxRows * 21,
} as const;
export const labelsAt = rowsAt.payload + (maxRows + 1) * maxFdLength;
/** Labels of raw values in all tables. */
export const maxLabels = 65_536;

export const signalsAt = labelsAt + maxLabels * 4;
export const maxSignals = 8192;
export const signalAt = {
  firstByte: 0,
  isMotorola: 4,
  left: 8,
  right: 16,
  multiplier: 24,
  addend: 32,
  series: 40,
  isSigned: 44,
  /** Label plus 1 of each raw value; 0 for a signal without labels. */
  labels: 48,
} as const;
export const signalBytes = 56;
export const samplesAt = signalsAt + maxSignals * signalBytes;

const [signal, end, base, outRow] = [3, 4, 5, 6];
const columnLocals = [7, 8, 9, 10, 11, 12] as const;
const [times, scaleds, raws, rows, ofs, labels] = columnLocals;
const [label, cell, count, maxCount, id, channel] = [13, 14, 15, 16, 17, 18];
const [word, timeUs, raw] = [19, 20, 21];
const locals = { parameters: 3, integers: 16, longs: 1, doubles: 2 };
const doubleColumns = 3;

const step = (local: number, bytes: number): Code => set(local, add(get(local), i32(bytes)));
const field = (at: number): Code => loadI32(get(signal), at);

const startColumns = (index: Code): Code =>
  columnLocals.flatMap((local, number) =>
    set(
      local,
      add(
        loadI32(i32(state.columns + number * 4)),
        shiftLeft(index, i32(number < doubleColumns ? 3 : 2)),
      ),
    ),
  );

/** Samples the signals of a payload; `putLabel` sets a label. */
const sampleSignals = (putLabel: Code): Code => {
  const shifted = shiftLeftI64(get(word), loadI64(get(signal), signalAt.left));
  const right = loadI64(get(signal), signalAt.right);
  const one: Code = [
    ...set(word, loadI64(add(field(signalAt.firstByte), get(base)))),
    ...set(word, choose(field(signalAt.isMotorola), swapBytes(get(word)), get(word))),
    ...set(word, shifted),
    ...set(
      raw,
      doubleOfI64(
        choose(
          field(signalAt.isSigned),
          shiftSignedRightI64(get(word), right),
          shiftRightI64(get(word), right),
        ),
      ),
    ),
    ...storeF64(get(times), get(timeUs)),
    ...storeF64(
      get(scaleds),
      addF64(
        multiplyF64(get(raw), loadF64(get(signal), signalAt.multiplier)),
        loadF64(get(signal), signalAt.addend),
      ),
    ),
    ...storeF64(get(raws), get(raw)),
    ...storeI32(get(rows), get(outRow)),
    ...storeI32(get(ofs), field(signalAt.series)),
    ...putLabel,
    ...storeI32(get(labels), get(label)),
    ...columnLocals.flatMap((local, number) => step(local, number < doubleColumns ? 8 : 4)),
    ...step(signal, signalBytes),
  ];
  return repeat(one, isBelow(get(signal), get(end)));
};

/** Samples the payload of one frame, without labels. */
export type SampleFrame = (signal: number, end: number, index: number) => number;

export const sampleFrameIn = compileFunction<SampleFrame>({
  ...locals,
  body: [
    ...startColumns(get(2)),
    ...set(signal, get(0)),
    ...set(end, get(1)),
    ...set(base, i32(payloadAt)),
    ...set(timeUs, loadF64(i32(state.timeUs))),
    ...set(outRow, loadI32(i32(state.row))),
    ...sampleSignals([]),
    ...get(signal),
  ],
});

const [row, until, firstRow] = [0, 1, 2];
const stop: Code = [...storeI32(i32(state.count), get(count)), ...returned(get(row))];
const elementAt = (log: number): Code => shiftLeft(get(row), i32(log));

/** As `eventTimeUs`. */
const readTime: Code = [
  ...set(raw, loadF64(elementAt(3), rowsAt.timeNs)),
  ...when(isZero(isBelowF64(magnitudeF64(get(raw)), loadF64(i32(state.exactNs)))), stop),
  ...set(
    timeUs,
    addF64(loadF64(i32(state.startUs)), floorF64(divideF64(get(raw), doubleOf(i32(1000))))),
  ),
  ...when(
    isZero(
      and(
        isAtMostF64(loadF64(i32(state.fromUs)), get(timeUs)),
        isBelowF64(get(timeUs), loadF64(i32(state.toUs))),
      ),
    ),
    stop,
  ),
];

const findMessage: Code = [
  ...set(end, loadI32(elementAt(2), rowsAt.flags)),
  ...when(
    or(
      and(get(end), i32(unusableFlags)),
      and(loadByte(get(row), rowsAt.detail), i32(unusableDetails)),
    ),
    stop,
  ),
  ...set(id, loadI32(elementAt(2), rowsAt.id)),
  ...set(channel, loadI16(elementAt(1), rowsAt.channel)),
  ...when(isEqual(loadByte(get(row), rowsAt.bus), i32(busCode.lin)), step(channel, linKeys)),
  ...set(
    cell,
    add(
      multiply(
        and(
          add(
            xor(get(id), shiftRight(get(id), i32(idShift))),
            multiply(get(channel), i32(channelFactor)),
          ),
          i32(cellCount - 1),
        ),
        i32(cellBytes),
      ),
      i32(cellsAt),
    ),
  ),
  ...when(and(get(end), i32(frameFlag.extended)), step(channel, extendedMark)),
  ...when(
    or(
      or(
        isDifferent(loadI32(get(cell), cellAt.id), get(id)),
        isDifferent(loadI32(get(cell), cellAt.channel), get(channel)),
      ),
      isBelow(loadByte(get(row), rowsAt.length), loadI32(get(cell), cellAt.bytes)),
    ),
    stop,
  ),
  ...set(signal, loadI32(get(cell), cellAt.signals)),
  ...set(end, loadI32(get(cell), cellAt.end)),
  ...when(isZero(get(end)), stop),
];

/** The label of a raw value, unless it is not known yet. */
const findLabel: Code = [
  ...set(label, field(signalAt.labels)),
  ...when(
    get(label),
    set(label, loadI32(add(get(label), shiftLeft(truncate(get(raw)), i32(2))))),
    when(isZero(get(label)), stop),
    step(label, -1),
  ),
];

const sampleRow: Code = [
  ...when(isAbove(get(count), get(maxCount)), stop),
  ...readTime,
  ...findMessage,
  ...set(base, add(i32(rowsAt.payload), multiply(get(row), i32(maxFdLength)))),
  ...set(outRow, add(get(firstRow), get(row))),
  ...set(cell, loadI32(get(cell), cellAt.count)),
  ...sampleSignals(findLabel),
  ...set(count, add(get(count), get(cell))),
  ...step(row, 1),
];

/**
 * Samples rows up to `until`. Returns the first one that it cannot: it is no frame with data, is
 * outside of the times, its message or a label is not known yet, or the batch has no room.
 */
export type SampleRows = (row: number, until: number, firstRow: number) => number;

export const sampleRowsIn = compileFunction<SampleRows>({
  ...locals,
  body: [
    ...set(count, loadI32(i32(state.count))),
    ...set(maxCount, loadI32(i32(state.maxCount))),
    ...startColumns(get(count)),
    ...when(isBelow(get(row), get(until)), repeat(sampleRow, isBelow(get(row), get(until)))),
    ...stop,
    ...get(row),
  ],
});
