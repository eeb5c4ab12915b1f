import { BusbarError } from '../../base/errors/busbar-error.ts';
import { byteOrders } from '../../database/model.ts';
import { wordOrders } from '../../modbus/pdu/word-order.ts';
import type { LinearFormat } from '../codecs/encode-linear.ts';
import { StringPool } from '../memory/string-pool.ts';
import { rawKinds } from '../project/tables/codecs.ts';
import { accesses, modbusTables } from '../project/tables/modbus-resources.ts';
import { producers, signalTypes } from '../project/tables/signals.ts';
import type { Resource } from '../project/validate/modbus-words.ts';
import {
  bindingTable,
  codecTable,
  endpointTable,
  labelTable,
  listTable,
  noBitOffset,
  resourceTable,
  signalTable,
  specialRawTable,
  taskTable,
} from './image-tables.ts';
import { endpointRoles, modes, nativeFormat, policies, specialStates } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

export class ImageReader {
  readonly #strings: StringPool;
  readonly #endpoints: ReturnType<typeof endpointTable.open>;
  readonly #signals: ReturnType<typeof signalTable.open>;
  readonly #labels: ReturnType<typeof labelTable.open>;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #shown: Uint32Array;
  readonly #codecs: ReturnType<typeof codecTable.open>;
  readonly #specials: ReturnType<typeof specialRawTable.open>;
  readonly #resources: ReturnType<typeof resourceTable.open>;
  readonly #tasks: ReturnType<typeof taskTable.open>;

  constructor(image: ProjectImage) {
    this.#strings = new StringPool(image.strings);
    this.#endpoints = endpointTable.open(image.endpoints);
    this.#signals = signalTable.open(image.signals);
    this.#labels = labelTable.open(image.labels);
    this.#bindings = bindingTable.open(image.bindings);
    this.#shown = listTable.open(image.shownBindings).number;
    this.#codecs = codecTable.open(image.codecs);
    this.#specials = specialRawTable.open(image.specialRaws);
    this.#resources = resourceTable.open(image.resources);
    this.#tasks = taskTable.open(image.tasks);
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
    const kind: 'can' | 'modbus' = this.role(index) === 'can' ? 'can' : 'modbus';
    return {
      id: this.#text(this.#endpoints.id, index),
      kind,
      network: this.#text(this.#endpoints.network, index),
    };
  }

  role(endpoint: number) {
    return word(endpointRoles, this.#endpoints.role, endpoint);
  }

  task(index: number) {
    const periodMs = at(this.#tasks.periodMs, index);
    const policy = word(policies, this.#tasks.policy, index);
    const kind: 'can' | 'modbus' = at(this.#tasks.message, index) > 0 ? 'can' : 'modbus';
    const isBound = at(this.#tasks.bindings, index) > 0;
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

  /** `signal` may be up to count + 1. */
  firstShown(signal: number): number {
    return signal < this.#signals.count ? at(this.#signals.firstShown, signal) : this.#shown.length;
  }

  labelOf(signal: number, value: string): string | null {
    const first = at(this.#signals.firstLabel, signal);
    for (let label = first; label < first + at(this.#signals.labels, signal); label++) {
      if (this.#text(this.#labels.value, label) !== value) continue;
      return this.#text(this.#labels.label, label);
    }
    return null;
  }

  labels(signal: number): readonly { readonly value: string; readonly label: string }[] {
    const first = at(this.#signals.firstLabel, signal);
    return Array.from({ length: at(this.#signals.labels, signal) }, (_, place) => ({
      value: this.#text(this.#labels.value, first + place),
      label: this.#text(this.#labels.label, first + place),
    }));
  }

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

  requireSignal(id: string): number {
    const signal = this.findSignal(id);
    if (signal !== undefined) return signal;
    throw new BusbarError('signal_not_found', {
      message: `No such signal: ${id}`,
      details: { signal: id },
    });
  }

  bindingId(shown: number): string {
    return this.#text(this.#bindings.id, at(this.#shown, shown));
  }

  codecOf(shown: number): number {
    return at(this.#bindings.codec, at(this.#shown, shown));
  }

  pluginOf(codec: number): string | undefined {
    return this.#strings.at(at(this.#codecs.plugin, codec));
  }

  format(codec: number): LinearFormat {
    if (at(this.#codecs.plugin, codec) > 0) return nativeFormat;
    const first = at(this.#codecs.firstSpecial, codec);
    const specials = Array.from({ length: at(this.#codecs.specials, codec) }, (_, place) => ({
      raw: this.#text(this.#specials.raw, first + place),
      state: word(specialStates, this.#specials.state, first + place),
    }));
    return {
      raw: word(rawKinds, this.#codecs.raw, codec),
      bitLength: at(this.#codecs.bitLength, codec),
      byteOrder: word(byteOrders, this.#codecs.byteOrder, codec),
      wordOrder: word(wordOrders, this.#codecs.wordOrder, codec),
      factor: at(this.#codecs.factor, codec),
      offset: at(this.#codecs.offset, codec),
      rawMin: this.#strings.at(at(this.#codecs.rawMin, codec)),
      rawMax: this.#strings.at(at(this.#codecs.rawMax, codec)),
      invalidRaw: this.#strings.at(at(this.#codecs.invalidRaw, codec)),
      specials,
    };
  }

  resource(index: number): Resource {
    const { table, address, items, bitOffset, access } = this.#resources;
    const bit = at(bitOffset, index);
    return {
      table: word(modbusTables, table, index),
      address: at(address, index),
      count: at(items, index),
      access: word(accesses, access, index),
      ...(bit !== noBitOffset && { bit_offset: bit }),
    };
  }

  text(number: number): string {
    return this.#strings.at(number) ?? '';
  }

  json<Value>(text: number): Value {
    return JSON.parse(this.#strings.at(text) ?? 'null');
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
