import { BusbarError } from '../../base/errors/busbar-error.ts';
import { LinearEncoder, type WireFormat } from '../codecs/encode-linear.ts';
import { StringPool } from '../memory/string-pool.ts';
import { outputPlanTable } from '../plan/plan-tables.ts';
import { rawKinds } from '../project/tables/codecs.ts';
import { producers, signalTypes } from '../project/tables/signals.ts';
import {
  bindingTable,
  codecTable,
  endpointTable,
  labelTable,
  reservedRawTable,
  signalTable,
  taskTable,
} from './image-tables.ts';
import { endpointKinds, modes, policies, taskKinds } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

/** Reads what of an image does not change. */
export class ImageReader {
  readonly #strings: StringPool;
  readonly #endpoints: ReturnType<typeof endpointTable.open>;
  readonly #signals: ReturnType<typeof signalTable.open>;
  readonly #labels: ReturnType<typeof labelTable.open>;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #codecs: ReturnType<typeof codecTable.open>;
  readonly #reserved: ReturnType<typeof reservedRawTable.open>;
  readonly #tasks: ReturnType<typeof taskTable.open>;
  readonly #outputs: ReturnType<typeof outputPlanTable.open>;

  constructor(image: ProjectImage) {
    this.#strings = new StringPool(image.strings);
    this.#endpoints = endpointTable.open(image.endpoints);
    this.#signals = signalTable.open(image.signals);
    this.#labels = labelTable.open(image.labels);
    this.#bindings = bindingTable.open(image.bindings);
    this.#codecs = codecTable.open(image.codecs);
    this.#reserved = reservedRawTable.open(image.reservedRaws);
    this.#tasks = taskTable.open(image.tasks);
    this.#outputs = outputPlanTable.open(image.plan.outputs);
  }

  get endpointCount(): number {
    return this.#endpoints.count;
  }

  get signalCount(): number {
    return this.#signals.count;
  }

  get taskCount(): number {
    return this.#tasks.count;
  }

  endpoint(index: number) {
    return {
      id: this.#text(this.#endpoints.id, index),
      kind: word(endpointKinds, this.#endpoints.kind, index),
      network: this.#text(this.#endpoints.network, index),
    };
  }

  task(index: number) {
    const periodMs = at(this.#tasks.periodMs, index);
    const policy = word(policies, this.#tasks.policy, index);
    const kind = word(taskKinds, this.#tasks.kind, index);
    const isBound = at(this.#outputs.bindings, index) > 0;
    return {
      id: this.#text(this.#tasks.id, index),
      kind,
      policy,
      neverSends: kind === 'can' && policy === 'on_change' && !isBound,
      mode: word(modes, this.#tasks.mode, index),
      periodMs: periodMs === 0 ? null : periodMs,
    };
  }

  signal(index: number) {
    return {
      id: this.#text(this.#signals.id, index),
      type: word(signalTypes, this.#signals.type, index),
      producer: word(producers, this.#signals.producer, index),
      unit: this.#strings.at(at(this.#signals.unit, index)) ?? null,
    };
  }

  /** Where the bindings of a signal begin among those that are shown; also just behind the last one. */
  firstBinding(signal: number): number {
    return signal < this.#signals.count
      ? at(this.#signals.firstBinding, signal)
      : this.#bindings.count;
  }

  /** What a number is called as a value of a signal; null if it has no name. */
  labelOf(signal: number, value: string): string | null {
    const first = at(this.#signals.firstLabel, signal);
    for (let label = first; label < first + at(this.#signals.labels, signal); label++) {
      if (this.#text(this.#labels.value, label) !== value) continue;
      return this.#text(this.#labels.label, label);
    }
    return null;
  }

  /** All values of a signal that have a name. */
  labels(signal: number): readonly { readonly value: string; readonly label: string }[] {
    const first = at(this.#signals.firstLabel, signal);
    return Array.from({ length: at(this.#signals.labels, signal) }, (_, place) => ({
      value: this.#text(this.#labels.value, first + place),
      label: this.#text(this.#labels.label, first + place),
    }));
  }

  /** The signal of that id; undefined if there is none. */
  findSignal(id: string): number | undefined {
    let low = 0;
    let high = this.#signals.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const index = at(this.#signals.byId, middle);
      const found = this.#text(this.#signals.id, index);
      if (found === id) return index;
      if (found < id) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** The signal of that id; refuses one that is not there. */
  requireSignal(id: string): number {
    const signal = this.findSignal(id);
    if (signal !== undefined) return signal;
    throw new BusbarError('signal_not_found', {
      message: `There is no signal ${id}`,
      details: { signal: id },
    });
  }

  bindingId(binding: number): string {
    return this.#text(this.#bindings.id, binding);
  }

  /** How the raws of a binding look. */
  formatOf(binding: number): WireFormat {
    const codec = at(this.#bindings.codec, binding);
    const first = at(this.#codecs.firstReserved, codec);
    const reserved = Array.from({ length: at(this.#codecs.reserved, codec) }, (_, place) =>
      this.#text(this.#reserved.raw, first + place),
    );
    return {
      raw: word(rawKinds, this.#codecs.raw, codec),
      bitLength: at(this.#codecs.bitLength, codec),
      factor: at(this.#codecs.factor, codec),
      offset: at(this.#codecs.offset, codec),
      rawMin: this.#strings.at(at(this.#codecs.rawMin, codec)),
      rawMax: this.#strings.at(at(this.#codecs.rawMax, codec)),
      invalidRaw: this.#strings.at(at(this.#codecs.invalidRaw, codec)),
      reserved,
    };
  }

  encoderOf(binding: number): LinearEncoder {
    return new LinearEncoder(this.formatOf(binding));
  }

  #text(column: Uint32Array, index: number): string {
    return this.#strings.at(at(column, index)) ?? '';
  }
}

const at = (column: Uint8Array | Uint16Array | Uint32Array | Float64Array, index: number): number =>
  column[index] as number;

const word = <Words extends readonly unknown[]>(
  words: Words,
  column: Uint8Array,
  index: number,
): Words[number] => words[at(column, index)] as Words[number];
