import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PlainDecoding } from '../codecs/decode-linear.ts';
import type { EncodingError, Raw } from '../codecs/encode-linear.ts';
import type { PlainEncoding } from '../codecs/value-encoder.ts';
import type { FrameChecker, FrameProtector } from '../e2e/protection.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { Quality } from '../values/quality.ts';
import type { Slots } from '../values/slots.ts';

/** Decodes raws for signals of one type. */
export interface RawDecoder {
  /** What the raw is worth. If it is `good`, its value is in the first slot, which else is as it was. */
  decode(raw: Raw, to: Slots): Quality;
  /** Whether the raw means something: a value of the signal, or why there is none. */
  accepts(raw: Raw): boolean;
  /** What a generated function needs to do the same; null if there can be none. */
  readonly plain: PlainDecoding | null;
}

/** Encodes values of signals of one type. */
export interface RawEncoder {
  /** The last raw that was encoded without an error. */
  readonly raw: Raw;
  /** Raw of an invalid signal; undefined if the codec has none. */
  readonly invalidRaw: Raw | undefined;
  /** Encodes the value of a slot. Null if `raw` has become that of the value. */
  encode(values: Slots, slot: number): EncodingError | null;
  /** What a generated function needs to do the same; null if there can be none. */
  readonly plain: PlainEncoding | null;
}

/** A codec of a plugin. */
export interface NativeCodecParts {
  readonly bits: number;
  decoder(type: SignalType): RawDecoder;
  encoder(type: SignalType): RawEncoder;
}

/** What a processor is made for. */
export interface ProcessorShape {
  readonly inputs: readonly SignalType[];
  readonly outputs: readonly SignalType[];
  /** Bytes of the messages that it stages frames for. */
  readonly taskLengths: readonly number[];
}

/** The function of a processor: inputs are put, it is run, and what it staged is read. */
export interface ProcessorProgram {
  putInput(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void;
  /** Outputs begin as their signals are. */
  putOutput(index: number, from: Slots, slot: number, isValid: boolean): void;
  /** False if it failed, or left something that is no value of its signal: then nothing that it staged counts. */
  run(nowUs: number, itemRoom: number): boolean;
  /** Values of the outputs. */
  readonly outputs: Slots;
  isOutputValid(index: number): boolean;
  /** Items that were staged, also if there are more than can be. */
  readonly itemCount: number;
  itemTask(index: number): number;
  itemLength(index: number): number;
  /** As many bytes as the longest frame has. */
  itemBytes(index: number): Uint8Array;
  reset(): void;
}

/** Flags of an input of a processor. */
export const inputFlag = { changed: 1, observed: 2 } as const;

/** The plugins of an instance, as its engine uses them. Each use has a state of its own. */
export interface NativeParts {
  transform(
    plugin: string,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ): TransformProgram;
  /** Without a number of bits the plugin says how many there are. */
  codec(plugin: string, bits: number | undefined): NativeCodecParts;
  protector(plugin: string, length: number): FrameProtector;
  checker(plugin: string, length: number): FrameChecker;
  processor(plugin: string, shape: ProcessorShape): ProcessorProgram;
}

/** The plugins of an engine that needs them. */
export const requireNatives = (natives: NativeParts | undefined): NativeParts => {
  if (!natives) throw new BusbarError('internal_error', { message: 'Plugins are not loaded' });
  return natives;
};
