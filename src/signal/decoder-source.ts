import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { Message, Signal } from '../database/model.ts';
import { type MuxNode, muxTreeOf } from './mux-tree.ts';

export interface DecoderSource {
  readonly signals: readonly Signal[];
  readonly length: number;
  readonly tree: MuxNode;
}

export const planMessage = (message: Message, selection?: readonly number[]): DecoderSource => {
  const signals = (selection ?? [...message.signals.keys()]).map((index) => {
    const signal = message.signals[index];
    if (signal !== undefined) return signal;
    throw invalidArgument('signals', `${message.name} has no signal at ${index}`);
  });
  const numbers = new Map(signals.map((signal, number) => [signal, number]));
  if (numbers.size !== signals.length) {
    throw invalidArgument('signals', 'A signal is selected twice');
  }
  return { signals, length: message.length, tree: muxTreeOf(message.signals, numbers) };
};

export const presenceOf = (number: number): { word: number; bit: number } => ({
  word: number >>> 5,
  bit: 1 << (number & 31),
});
