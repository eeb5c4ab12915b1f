import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PlainDecoding } from '../codecs/decode-linear.ts';
import type { EncodingError, Raw } from '../codecs/encode-linear.ts';
import type { PlainEncoding } from '../codecs/value-encoder.ts';
import type { FrameChecker, FrameProtector } from '../e2e/protection.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { Quality } from '../values/quality.ts';
import type { Slots } from '../values/slots.ts';

export interface RawDecoder {
  /** Quality of a raw value. If `good`, its value is in the first slot. */
  decode(raw: Raw, to: Slots): Quality;
  /** Whether the raw value is a value or a known special. */
  accepts(raw: Raw): boolean;
  /** Parameters for compiled functions, or null. */
  readonly plain: PlainDecoding | null;
}

export interface RawEncoder {
  /** The last raw value encoded without an error. */
  readonly raw: Raw;
  /** Raw value of an invalid signal, or undefined. */
  readonly invalidRaw: Raw | undefined;
  /** Encodes the value of a slot into `raw`; returns the error, or null. */
  encode(values: Slots, slot: number): EncodingError | null;
  /** Parameters for compiled functions, or null. */
  readonly plain: PlainEncoding | null;
}

export interface NativeCodecParts {
  readonly bits: number;
  decoder(type: SignalType): RawDecoder;
  encoder(type: SignalType): RawEncoder;
}

/** Parameters of a processor. */
export interface ProcessorShape {
  readonly inputs: readonly SignalType[];
  readonly outputs: readonly SignalType[];
  /** Lengths of the messages it stages. */
  readonly taskLengths: readonly number[];
}

/** A processor's function: set inputs, run, read the results. */
export interface ProcessorProgram {
  putInput(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void;
  /** Outputs start with their signals' values. */
  putOutput(index: number, from: Slots, slot: number, isValid: boolean): void;
  /** False if it failed or produced an invalid value: then all its results are dropped. */
  run(nowUs: number, itemRoom: number): boolean;
  readonly outputs: Slots;
  isOutputValid(index: number): boolean;
  /** Staged items, possibly more than allowed. */
  readonly itemCount: number;
  itemTask(index: number): number;
  itemLength(index: number): number;
  /** As long as the longest frame. */
  itemBytes(index: number): Uint8Array;
  reset(): void;
}

/** Flags of a processor's input. */
export const inputFlag = { changed: 1, observed: 2 } as const;

/** Plugins of an instance. Each use has its own state. */
export interface NativeParts {
  transform(
    plugin: string,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ): TransformProgram;
  /** Without a number of bits the plugin decides. */
  codec(plugin: string, bits: number | undefined): NativeCodecParts;
  protector(plugin: string, length: number): FrameProtector;
  checker(plugin: string, length: number): FrameChecker;
  processor(plugin: string, shape: ProcessorShape): ProcessorProgram;
}

/** Plugins of an engine that needs them. */
export const requireNatives = (natives: NativeParts | undefined): NativeParts => {
  if (!natives) throw new BusbarError('internal_error', { message: 'Plugins are not loaded' });
  return natives;
};
