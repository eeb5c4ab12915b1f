/**
 * Controller status lines. `Fxx` is the response to `F`. Devices that follow the Linux driver send
 * the other two unrequested:
 *
 *     sw012101     state warning, receive count 12, transmit count 101; also a, p and b
 *     e2Bs         two errors: bit 1 and stuff
 */
import type { BusState } from '../channel-stats.ts';
import { hexAt } from './frame-text.ts';

export const statusBit = { warning: 0x04, overrun: 0x08, passive: 0x20, busError: 0x80 } as const;

export const readStatus = (bytes: Uint8Array, length: number): number =>
  length === 3 && bytes[0] === 0x46 ? hexAt(bytes, 1, 2) : -1;

export interface ControllerState {
  readonly state: BusState;
  readonly rxErrorCount: number;
  readonly txErrorCount: number;
}

const states: Readonly<Record<string, BusState>> = {
  a: 'error_active',
  w: 'error_warning',
  p: 'error_passive',
  b: 'bus_off',
};

const textOf = (bytes: Uint8Array, length: number): string => {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
};

export const readState = (bytes: Uint8Array, length: number): ControllerState | undefined => {
  const [, letter, rx, tx] = /^s([awpb])(\d{3})(\d{3})$/.exec(textOf(bytes, length)) ?? [];
  const state = letter === undefined ? undefined : states[letter];
  if (state === undefined) return undefined;
  return { state, rxErrorCount: Number(rx), txErrorCount: Number(tx) };
};

export const busErrors = ['a', 'b', 'B', 'c', 'f', 's', 'o', 'O'] as const;
export type BusErrorLetter = (typeof busErrors)[number];

export const readErrors = (
  bytes: Uint8Array,
  length: number,
): readonly BusErrorLetter[] | undefined => {
  const [, count, letters] = /^e(\d)([abBcfsoO]+)$/.exec(textOf(bytes, length)) ?? [];
  if (letters === undefined || letters.length !== Number(count)) return undefined;
  return [...letters] as BusErrorLetter[];
};

export const readText = (bytes: Uint8Array, length: number): string | undefined => {
  const text = textOf(bytes, length);
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
};
