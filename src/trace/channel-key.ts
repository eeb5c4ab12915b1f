import { busCode } from '../frame/frm2-layout.ts';
import type { TraceBatch } from './trace-batch.ts';

/** CAN and LIN count their channels apart: the keys of LIN lie beyond all numbers. */
const linKeys = 0x1_0000;

/** What tells a channel of a trace from all others: for CAN that is its number. */
export const channelKey = (channel: number, bus: number): number =>
  bus === busCode.lin ? linKeys + channel : channel;

export const channelKeyAt = (batch: TraceBatch, row: number): number =>
  channelKey(batch.channel[row] as number, batch.bus[row] as number);

/** How a channel is named where only one bus is meant: `C1` for CAN 1 and `L1` for LIN 1. */
export const letteredChannel = (channel: number, bus: 'can' | 'lin'): string =>
  `${bus === 'lin' ? 'L' : 'C'}${channel}`;

/** The number and the bus that a key was made of. */
export const channelOfKey = (key: number): { channel: number; bus: 'can' | 'lin' } =>
  key < linKeys ? { channel: key, bus: 'can' } : { channel: key - linKeys, bus: 'lin' };

/** How channels are named: by their number, behind a letter where only one bus is meant. */
export const channelPattern = '^[CL]?(0|[1-9][0-9]{0,4})$';
const reference = new RegExp(channelPattern);
export const highestChannel = 0xffff;

/**
 * The keys that a text stands for: `C1` for CAN 1, `L1` for LIN 1, and `1` for both, since most
 * files have only one of them. None if it stands for no channel.
 */
export const channelKeysOf = (text: string): readonly number[] => {
  const channel = Number(text.replace(/^[CL]/, ''));
  if (!reference.test(text) || channel > highestChannel) return [];
  const keys = { C: [channel], L: [linKeys + channel] };
  return keys[text[0] as keyof typeof keys] ?? [channel, linKeys + channel];
};

/** How a channel is named so that no other is meant: `1` for CAN 1 and `L1` for LIN 1. */
export const channelText = (key: number): string =>
  key < linKeys ? `${key}` : letteredChannel(key - linKeys, 'lin');
