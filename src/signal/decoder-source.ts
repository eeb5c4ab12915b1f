import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { Message, Signal } from '../database/model.ts';
import { type MuxNode, muxTreeOf } from './mux-tree.ts';

/** What decoders and encoders are compiled from. */
export interface DecoderSource {
  /** The signals chosen, in the order in which users number them. */
  readonly signals: readonly Signal[];
  /** Bytes of the message. */
  readonly length: number;
  /** What their presence depends on. */
  readonly tree: MuxNode;
}

/** Prepares the signals at some places in a message, or all of them. */
export const planMessage = (message: Message, selection?: readonly number[]): DecoderSource => {
  const signals = (selection ?? [...message.signals.keys()]).map((index) => {
    const signal = message.signals[index];
    if (signal !== undefined) return signal;
    throw invalidArgument('signals', `${message.name} has no signal at ${index}`);
  });
  const numbers = new Map(signals.map((signal, number) => [signal, number]));
  if (numbers.size !== signals.length) {
    throw invalidArgument('signals', 'A signal is chosen twice');
  }
  return { signals, length: message.length, tree: muxTreeOf(message.signals, numbers) };
};

/** Where the presence of a signal is kept: which word, and the bit in it. */
export const presenceOf = (number: number): { word: number; bit: number } => ({
  word: number >>> 5,
  bit: 1 << (number & 31),
});
