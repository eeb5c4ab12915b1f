import { busCode } from '../frame/frm2-layout.ts';
import type { TraceBatch } from './trace-batch.ts';

/** CAN and LIN channels are numbered separately: LIN keys are above all numbers. */
export const linKeys = 0x1_0000;

export const channelKey = (channel: number, bus: number): number =>
  bus === busCode.lin ? linKeys + channel : channel;

export const channelKeyAt = (batch: TraceBatch, row: number): number =>
  channelKey(batch.channel[row] as number, batch.bus[row] as number);

export const letteredChannel = (channel: number, bus: 'can' | 'lin'): string =>
  `${bus === 'lin' ? 'L' : 'C'}${channel}`;

export const channelOfKey = (key: number): { channel: number; bus: 'can' | 'lin' } =>
  key < linKeys ? { channel: key, bus: 'can' } : { channel: key - linKeys, bus: 'lin' };

export const channelPattern = '^[CL]?(0|[1-9][0-9]{0,4})$';
const reference = new RegExp(channelPattern);
export const highestChannel = 0xffff;

/** Parses a channel: `C1` is CAN 1, `L1` is LIN 1, `1` is both. Returns no keys if invalid. */
export const channelKeysOf = (text: string): readonly number[] => {
  const channel = Number(text.replace(/^[CL]/, ''));
  if (!reference.test(text) || channel > highestChannel) return [];
  const keys = { C: [channel], L: [linKeys + channel] };
  return keys[text[0] as keyof typeof keys] ?? [channel, linKeys + channel];
};

/** Unambiguous name: `1` for CAN 1 and `L1` for LIN 1. */
export const channelText = (key: number): string =>
  key < linKeys ? `${key}` : letteredChannel(key - linKeys, 'lin');

const nameAndSelector = /^(.+) \((.+)\)$/;

/**
 * True for a channel that a text names, by number or by the name in the trace. Logs of Busbar
 * have both name and selector, as `powertrain (SIM00001/0)`.
 */
export const isChannel = (wanted: string, key: number, name: string | null): boolean => {
  if (channelKeysOf(wanted).includes(key)) return true;
  return name !== null && [name, ...(nameAndSelector.exec(name) ?? [])].includes(wanted);
};
