import {
  canControllerError,
  canErrorClass,
  canErrorLength,
  writeCanErrorDetails,
} from '../../frame/can-error-frame.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { errorCountBytes } from '../../frame/error-count.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { countErrorFrames } from '../error-frames.ts';
import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { type AscLine, type LineOutcome, skippedAs, taken } from './asc-line.ts';
import { putRow } from './frame-row.ts';

const chipStates = ['error active', 'warning level', 'error passive', 'bus off'] as const;
type ChipState = (typeof chipStates)[number];

const detail = { controller: 1, txErrors: 6, rxErrors: 7 } as const;
const { rxWarning, txWarning, rxPassive, txPassive, active } = canControllerError;

const stateBy = (id: number, controller: number): ChipState | null => {
  if ((id & canErrorClass.busOff) !== 0) return 'bus off';
  if ((id & canErrorClass.restarted) !== 0) return 'error active';
  if ((id & canErrorClass.controller) === 0) return null;
  if ((controller & (rxPassive | txPassive)) !== 0) return 'error passive';
  if ((controller & (rxWarning | txWarning)) !== 0) return 'warning level';
  return (controller & active) !== 0 ? 'error active' : null;
};

export const chipStatusAt = (batch: TraceBatch, row: number): string | null => {
  const length = batch.length[row] as number;
  const byteAt = (place: number): number =>
    place < length ? (batch.payload[row * maxFdLength + place] as number) : 0;
  const id = batch.id[row] as number;
  const state = stateBy(id, byteAt(detail.controller));
  if (state === null) return null;
  const counters =
    (id & canErrorClass.counters) === 0
      ? ''
      : ` - TxErr: ${byteAt(detail.txErrors)} RxErr: ${byteAt(detail.rxErrors)}`;
  return `CAN ${batch.channel[row]} Status:chip status ${state}${counters}`;
};

const otherStatus = skippedAs('status');
const chipStatus = asciiWord('status:chip');
const statusWord = asciiWord('status');
const separator = asciiWord('-');
const txErrWord = asciiWord('txerr:');
const rxErrWord = asciiWord('rxerr:');
const highestCount = 0xffff;

const spellings = chipStates.map((state) => ({
  state,
  words: state.split(' ').map((word) => asciiWord(word)),
}));

const takeState = (line: AscLine): ChipState | null => {
  const from = line.at;
  for (const { state, words } of spellings) {
    if (words.every((word) => line.skipBlanks() && line.takeWord(word))) return state;
    line.at = from;
  }
  return null;
};

const takeCounter = (line: AscLine, word: Uint8Array): number => {
  if (!line.skipBlanks() || !line.takeWord(word) || !line.skipBlanks()) return -1;
  const count = line.takeDecimal();
  return count > highestCount ? -1 : count;
};

const controllerOf = (state: ChipState, tx: number, rx: number): number => {
  if (state === 'warning level') return tx >= rx ? txWarning : rxWarning;
  if (state === 'error passive') return tx >= rx ? txPassive : rxPassive;
  return state === 'error active' ? active : 0;
};

/**
 * Parses a CAN controller state, which has its own line:
 *
 *     2.300000 CAN 1 Status:chip status error passive - TxErr: 128 RxErr: 3
 *
 * The cursor is at `Status:`. Other statuses than the chip status are skipped.
 */
export const takeChipStatus = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  if (!line.takeWord(chipStatus) || !line.skipBlanks() || !line.takeWord(statusWord)) {
    return otherStatus;
  }
  const state = takeState(line);
  if (state === null) return otherStatus;
  const hasCounters = line.skipBlanks() && line.takeWord(separator);
  const tx = hasCounters ? takeCounter(line, txErrWord) : -1;
  const rx = tx < 0 ? -1 : takeCounter(line, rxErrWord);
  const stateClass = state === 'bus off' ? canErrorClass.busOff : canErrorClass.controller;
  const id = stateClass | (rx < 0 ? 0 : canErrorClass.counters);
  const controller = controllerOf(state, tx, rx);
  const row = batch.count;
  const at = row * maxFdLength;
  const length = canErrorLength + errorCountBytes;
  putRow(
    batch,
    busCode.can,
    eventKindCode.rx_frame,
    channel,
    id,
    frameFlag.error,
    canErrorLength,
    length,
  );
  writeCanErrorDetails(batch.payload, at, controller, 0, 0, rx < 0 ? 0 : tx, Math.max(rx, 0));
  countErrorFrames(batch, row, 0);
  return taken;
};
