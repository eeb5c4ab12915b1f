import { encodingMessages, rawCellKind, rawText } from '../codecs/encode-linear.ts';
import { Cells } from '../values/cells.ts';
import { type Quality, qualities, signalErrorMessages } from '../values/quality.ts';
import { cellKindOf, valueText } from '../values/signal-value.ts';
import type { ImageReader } from './image-reader.ts';
import { errorOfNumber, StateReader } from './image-state.ts';
import { bindingStateTable, signalStateTable } from './image-tables.ts';
import { maxShownBindings } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

const errorOf = (quality: Quality) => {
  if (quality === 'initial' || quality === 'good') return null;
  return { code: quality, message: signalErrorMessages[quality] };
};

const copyOf = (cells: Cells, first: number, count: number): Cells => {
  const copy = new Cells(new SharedArrayBuffer(8 * count), 0, count);
  copy.unsigned.set(cells.unsigned.subarray(first, first + count));
  return copy;
};

export class SignalSnapshot {
  readonly version: number;
  readonly #reader: ImageReader;
  readonly #first: number;
  readonly #count: number;
  readonly #firstBinding: number;
  #values!: Cells;
  #hasValue!: Uint8Array;
  #valid!: Uint8Array;
  #quality!: Uint8Array;
  #observedUs!: Float64Array;
  #raws!: Cells;
  #rawValid!: Uint8Array;
  #rawError!: Uint8Array;

  constructor(image: ProjectImage, reader: ImageReader, first: number, count: number) {
    this.#reader = reader;
    this.#first = Math.min(first, reader.signalCount);
    this.#count = Math.max(0, Math.min(count, reader.signalCount - first));
    this.#firstBinding = reader.firstShown(this.#first);
    const lastBinding = reader.firstShown(this.#first + this.#count);
    const signals = signalStateTable.open(image.state.signals);
    const bindings = bindingStateTable.open(image.state.bindings);
    const end = this.#first + this.#count;
    this.version = new StateReader(image).read(() => {
      this.#values = copyOf(signals.value, this.#first, this.#count);
      this.#hasValue = signals.hasValue.slice(this.#first, end);
      this.#valid = signals.valid.slice(this.#first, end);
      this.#quality = signals.quality.slice(this.#first, end);
      this.#observedUs = signals.observedUs.slice(this.#first, end);
      this.#raws = copyOf(bindings.raw, this.#firstBinding, lastBinding - this.#firstBinding);
      this.#rawValid = bindings.valid.slice(this.#firstBinding, lastBinding);
      this.#rawError = bindings.error.slice(this.#firstBinding, lastBinding);
    });
  }

  get count(): number {
    return this.#count;
  }

  *entries() {
    for (let place = 0; place < this.#count; place++) yield this.entry(place);
  }

  entry(place: number) {
    const index = this.#first + place;
    const { id, type, producer, unit } = this.#reader.signal(index);
    const value =
      this.#hasValue[place] === 1 ? valueText(this.#values.get(place, cellKindOf(type))) : null;
    const observedUs = this.#observedUs[place] ?? Number.NaN;
    const quality = qualities[this.#quality[place] ?? 0] ?? 'initial';
    return {
      id,
      type,
      producer,
      unit,
      value,
      label: value === null ? null : this.#reader.labelOf(index, value),
      valid: this.#valid[place] === 1,
      quality,
      observed_us: Number.isNaN(observedUs) ? null : observedUs,
      error: errorOf(quality),
      binding_total: this.#reader.firstShown(index + 1) - this.#reader.firstShown(index),
      bindings: this.#bindingsOf(index),
    };
  }

  #bindingsOf(signal: number) {
    const bindings = [];
    const first = this.#reader.firstShown(signal);
    const end = Math.min(this.#reader.firstShown(signal + 1), first + maxShownBindings);
    for (let binding = first; binding < end; binding++) {
      const place = binding - this.#firstBinding;
      const { raw: kind } = this.#reader.format(this.#reader.codecOf(binding));
      const error = errorOfNumber(this.#rawError[place] ?? 0);
      bindings.push({
        id: this.#reader.bindingId(binding),
        raw: rawText(kind, this.#raws.get(place, rawCellKind(kind))),
        valid: this.#rawValid[place] === 1,
        error: error === null ? null : { code: error, message: encodingMessages[error] },
      });
    }
    return bindings;
  }
}
