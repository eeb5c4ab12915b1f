import { canControllerError, canErrorClass } from '../../frame/can-error-frame.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import type { TraceBatch } from '../trace-batch.ts';

export const chipStates = ['error active', 'warning level', 'error passive', 'bus off'] as const;
export type ChipState = (typeof chipStates)[number];

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
