import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type EncodingError, encodingErrors, isFloat } from '../codecs/encode-linear.ts';
import { ValueEncoder } from '../codecs/value-encoder.ts';
import { qualityNumber } from '../values/quality.ts';
import type { SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { ImageReader } from './image-reader.ts';
import { bindingStateTable, signalStateTable, versionTable } from './image-tables.ts';
import type { ProjectImage } from './project-image.ts';

export interface SignalChange {
  readonly signal: number;
  readonly value: SignalValue;
  readonly observedUs: number;
}

export const errorNumber = (error: EncodingError | null): number =>
  error === null ? 0 : encodingErrors.indexOf(error) + 1;

/**
 * Changes the state of an instance, in one thread only. Readers retry until the version is even
 * and unchanged.
 */
export class StateWriter {
  readonly #sequence: Int32Array;
  readonly #changes: Float64Array;
  readonly #signals: ReturnType<typeof signalStateTable.open>;
  readonly #bindings: ReturnType<typeof bindingStateTable.open>;
  readonly #image: ProjectImage;
  #reader: ImageReader | undefined;
  readonly #encoders = new Map<number, { encoder: ValueEncoder; isFloat: boolean }>();
  #depth = 0;
  #number: number;

  constructor(image: ProjectImage) {
    const { state } = image;
    this.#image = image;
    const { sequence, changes } = versionTable.open(state.version);
    this.#sequence = sequence;
    this.#changes = changes;
    this.#number = sequence[0] ?? 0;
    this.#signals = signalStateTable.open(state.signals);
    this.#bindings = bindingStateTable.open(state.bindings);
  }

  /** Makes readers wait until `end`. Nestable. */
  begin(): void {
    if (this.#depth++ > 0) return;
    Atomics.store(this.#sequence, 0, ++this.#number);
  }

  end(): void {
    if (--this.#depth > 0) return;
    this.#changes[0] = (this.#changes[0] as number) + 1;
    // With a single writer, a plain store suffices and is faster than an atomic add.
    this.#number = (this.#number + 1) | 0;
    Atomics.store(this.#sequence, 0, this.#number);
  }

  /** Sets a signal of an instance that was never started. */
  apply({ signal, value, observedUs }: SignalChange): void {
    this.begin();
    this.#signals.hasValue[signal] = 1;
    this.#signals.value.set(signal, value);
    this.#signals.valid[signal] = 1;
    this.#signals.quality[signal] = qualityNumber('good');
    this.#signals.observedUs[signal] = observedUs;
    this.#encode(signal, value);
    this.end();
  }

  #encode(signal: number, value: SignalValue): void {
    this.#reader ??= new ImageReader(this.#image);
    const reader = this.#reader;
    const { raw: raws, valid, error: errors } = this.#bindings;
    slot.setValue(0, value);
    for (let shown = reader.firstShown(signal); shown < reader.firstShown(signal + 1); shown++) {
      const { encoder, isFloat } = this.#encoderOf(reader.codecOf(shown));
      const error = encoder.encode(slot, 0);
      // Without a raw value for invalid signals, the last raw value stays.
      const raw = error === null ? encoder.raw : encoder.invalidRaw;
      if (raw !== undefined) raws.put(shown, raw, isFloat);
      valid[shown] = error === null ? 1 : 0;
      errors[shown] = errorNumber(error);
    }
  }

  #encoderOf(codec: number) {
    const known = this.#encoders.get(codec);
    if (known) return known;
    const format = (this.#reader as ImageReader).format(codec);
    const made = { encoder: new ValueEncoder(format), isFloat: isFloat(format.raw) };
    this.#encoders.set(codec, made);
    return made;
  }
}

const slot = new Slots(1);

/** Reads before the reader sleeps between them. */
const quickReads = 10_000;
const waitMs = 1;
/** Sleeps of 1 ms after which a plugin counts as unresponsive. */
const maxWaits = 250;

export class StateReader {
  readonly #version: ReturnType<typeof versionTable.open>;

  constructor({ state }: Pick<ProjectImage, 'state'>) {
    this.#version = versionTable.open(state.version);
  }

  /** Repeats `copy` until the state is stable while it runs. Returns its version. */
  read(copy: () => void): number {
    const { sequence, changes } = this.#version;
    for (let waits = 0; ; ) {
      const before = Atomics.load(sequence, 0);
      if ((before & 1) === 1) {
        if (waits++ > quickReads) this.#wait(before, waits - quickReads);
        continue;
      }
      const version = changes[0] ?? 0;
      copy();
      if (Atomics.load(sequence, 0) === before) return version;
    }
  }

  /** True until a plugin call returns: the state cannot be read. */
  get isBlocked(): boolean {
    const { sequence, inPlugin } = this.#version;
    return (Atomics.load(sequence, 0) & 1) === 1 && Atomics.load(inPlugin, 0) === 1;
  }

  /** Rounds are short. If one takes longer, the thread is suspended or a plugin blocks it. */
  #wait(sequence: number, waits: number): void {
    if (waits > maxWaits && this.isBlocked) {
      throw new BusbarError('instance_unresponsive', {
        message: 'The state of the instance cannot be read, because a plugin does not return',
      });
    }
    Atomics.wait(this.#version.sequence, 0, sequence, waitMs);
  }
}

export const errorOfNumber = (number: number): EncodingError | null =>
  encodingErrors[number - 1] ?? null;
