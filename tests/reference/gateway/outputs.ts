import { bitsOfField, writeBits } from './bits.ts';
import { bitLengthOf, bitsOfRaw, encode, parseRaw, type Raw, rawText } from './codecs.ts';
import { isActive } from './mux.ts';
import {
  type BindingRow,
  containerOf,
  type FrameBindingRow,
  frameBindingsOf,
  type LinearCodecRow,
  linearCodecOf,
  type MessageRow,
  type ResourceRow,
  type Tables,
} from './project.ts';
import { itemsOfBit, itemsOfRaw } from './registers.ts';
import type { BindingEntry } from './script.ts';
import { initialOf, isValid, type SignalState } from './signals.ts';

/** A sent, written or served binding with its current raw value. */
export interface Output {
  readonly row: BindingRow;
  readonly codec: LinearCodecRow;
  readonly signal: SignalState;
  raw: Raw;
  valid: boolean;
  error: string | null;
  lastEncodable: Raw | undefined;
  /** Its signal has been valid in a round since the start. */
  hasBeenValid: boolean;
}

const zeroOf = ({ raw }: LinearCodecRow): Raw => (raw === 'float32' || raw === 'float64' ? 0 : 0n);

/** Replaces a value that is not valid or cannot be encoded. */
const substituteOf = ({ codec, signal, lastEncodable }: Output): Raw => {
  if (codec.invalid_raw !== undefined) return parseRaw(codec, codec.invalid_raw);
  if (lastEncodable !== undefined) return lastEncodable;
  const initial = initialOf(signal.row);
  const encoding = initial === null ? undefined : encode(codec, initial);
  return encoding !== undefined && 'raw' in encoding ? encoding.raw : zeroOf(codec);
};

const encodeOutput = (output: Output): void => {
  const { codec, signal } = output;
  output.valid = false;
  if (isValid(signal) && signal.value !== null) {
    output.hasBeenValid = true;
    const encoding = encode(codec, signal.value);
    if ('raw' in encoding) {
      output.raw = encoding.raw;
      output.lastEncodable = encoding.raw;
      output.valid = true;
      output.error = null;
      return;
    }
    output.error = encoding.error;
  }
  output.raw = substituteOf(output);
};

/** All output bindings of a project. */
export class Outputs {
  readonly #tables: Tables;
  readonly #outputs: readonly Output[];

  constructor(tables: Tables, signals: ReadonlyMap<string, SignalState>) {
    this.#tables = tables;
    this.#outputs = tables.bindings.flatMap((row) => {
      const signal = signals.get(row.signal);
      if (row.direction !== 'tx' || signal === undefined) return [];
      const codec = linearCodecOf(tables, row);
      const output: Output = {
        row,
        codec,
        signal,
        raw: zeroOf(codec),
        valid: false,
        error: null,
        lastEncodable: undefined,
        hasBeenValid: false,
      };
      return [output];
    });
  }

  /** Resets raw values, errors and the last encodable values. */
  start(): void {
    for (const output of this.#outputs) {
      output.lastEncodable = undefined;
      output.hasBeenValid = false;
      output.error = null;
    }
  }

  encode(): void {
    for (const output of this.#outputs) encodeOutput(output);
  }

  /** A software signal was set while stopped: its bindings show it immediately. */
  encodeSignal(signal: SignalState): void {
    for (const output of this.#outputs) if (output.signal === signal) encodeOutput(output);
  }

  /** The bindings that are part of a message now: the page of the selector's raw value. */
  activeOf(message: MessageRow): Output[] {
    const bindings = frameBindingsOf(this.#tables);
    const rawOf = (row: FrameBindingRow): bigint =>
      BigInt(this.#outputs.find((output) => output.row === row)?.raw ?? 0n);
    return this.#outputs.filter(
      ({ row }) =>
        row.resource === undefined &&
        containerOf(this.#tables, row).message === message &&
        isActive(row, bindings, rawOf),
    );
  }

  /** Bindings in resources, or with a validity bit in a resource. */
  ofResources(resources: readonly ResourceRow[]): Output[] {
    const isOne = (id: string | undefined): boolean => resources.some((one) => one.id === id);
    return this.#outputs.filter(
      ({ row }) => row.resource !== undefined && (isOne(row.resource) || isOne(row.validity_bit)),
    );
  }

  /** Content of a resource; other bits of the word of a bit are 0. */
  itemsOf(resource: ResourceRow): number[] {
    for (const { row, codec, raw, valid } of this.ofResources([resource])) {
      if (row.resource === resource.id) return itemsOfRaw(resource, codec, raw);
      return itemsOfBit(resource, valid);
    }
    throw new Error(`Nothing is bound to resource ${resource.id}`);
  }

  /** The bytes of a message without protection. */
  build(message: MessageRow): Uint8Array {
    const data = new Uint8Array(message.length).fill(message.fill ?? 0);
    for (const { row, codec, raw, valid } of this.activeOf(message)) {
      if (row.resource !== undefined) continue;
      const { byteOffset } = containerOf(this.#tables, row);
      const field = data.subarray(byteOffset);
      const bits = bitsOfField(row.start_bit, bitLengthOf(codec), codec.byte_order ?? 'intel');
      writeBits(field, bits, bitsOfRaw(codec, raw));
      if (row.validity_bit !== undefined) writeBits(field, [row.validity_bit], valid ? 1n : 0n);
    }
    return data;
  }

  entriesOf(signal: SignalState): BindingEntry[] {
    return this.#outputs
      .filter((output) => output.signal === signal)
      .map(({ row, codec, raw, valid, error }) => ({
        id: row.id,
        raw: rawText(codec, raw),
        valid,
        error,
      }));
  }
}
