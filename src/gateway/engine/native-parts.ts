import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FrameChecker, FrameProtector } from '../../e2e/protection.ts';
import type { PlainDecoding } from '../codecs/decode-linear.ts';
import type { EncodingError, Raw } from '../codecs/encode-linear.ts';
import type { PlainEncoding } from '../codecs/value-encoder.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { Quality } from '../values/quality.ts';
import type { Slots } from '../values/slots.ts';

export interface RawDecoder {
  decode(raw: Raw, to: Slots): Quality;
  accepts(raw: Raw): boolean;
  readonly plain: PlainDecoding | null;
}

export interface RawEncoder {
  readonly raw: Raw;
  /** Raw value for an invalid signal, if the codec has one. */
  readonly invalidRaw: Raw | undefined;
  encode(values: Slots, slot: number): EncodingError | null;
  readonly plain: PlainEncoding | null;
}

export interface NativeCodecParts {
  readonly bits: number;
  decoder(type: SignalType): RawDecoder;
  encoder(type: SignalType): RawEncoder;
}

export interface ProcessorShape {
  readonly inputs: readonly SignalType[];
  readonly outputs: readonly SignalType[];
  readonly taskLengths: readonly number[];
}

export interface ProcessorProgram {
  putInput(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void;
  /** Outputs start with the current values of their signals. */
  putOutput(index: number, from: Slots, slot: number, isValid: boolean): void;
  /**
   * Returns false if it failed or produced an invalid value. All results of the run are dropped
   * then.
   */
  run(nowUs: number, itemRoom: number): boolean;
  readonly outputs: Slots;
  isOutputValid(index: number): boolean;
  readonly itemCount: number;
  itemTask(index: number): number;
  itemLength(index: number): number;
  itemBytes(index: number): Uint8Array;
  reset(): void;
}

export const inputFlag = { changed: 1, observed: 2 } as const;

/** Plugins of an instance. Each use has its own state. */
export interface NativeParts {
  transform(
    plugin: string,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ): TransformProgram;
  /** The plugin decides if `bits` is undefined. */
  codec(plugin: string, bits: number | undefined): NativeCodecParts;
  protector(plugin: string, length: number): FrameProtector;
  checker(plugin: string, length: number): FrameChecker;
  processor(plugin: string, shape: ProcessorShape): ProcessorProgram;
}

export const requireNatives = (natives: NativeParts | undefined): NativeParts => {
  if (!natives) throw new BusbarError('internal_error', { message: 'Plugins are not loaded' });
  return natives;
};
