import { BusbarError } from '../base/errors/busbar-error.ts';
import { parseHex } from '../frame/hex-bytes.ts';
import { uint16At, uintBytes } from './big-endian.ts';
import { Did, maxDidBytes } from './dids.ts';
import type { EcuDid, EcuModel } from './ecu-model.ts';
import { nrc } from './nrc.ts';
import { responseBit, sid } from './services.ts';

/** Value of a signal as decimal text; null if it has none. */
export type SignalReader = (signal: string) => string | null;

/** What a service of a thing requires. */
export interface Conditions {
  readonly security?: number | undefined;
  readonly sessions?: readonly number[] | undefined;
}

export const maxResponse = 4095;

/** Of signals without a codec. */
const signalCodec = { kind: 'linear', raw: 'signed', bit_length: 32 } as const;

class Entry {
  readonly conditions: Conditions;
  readonly isWritable: boolean;
  readonly #model: EcuDid;
  readonly #signal: Did | undefined;
  #bytes: Uint8Array;
  #count = 0;
  /** Value while the tester controls it (2F). */
  #control: Uint8Array | null = null;

  constructor(did: number, model: EcuDid) {
    this.#model = model;
    this.isWritable = ('text' in model || 'hex' in model) && model.writable === true;
    this.conditions = 'text' in model || 'hex' in model ? model : {};
    this.#signal =
      'signal' in model ? new Did(did, { codec: model.codec ?? signalCodec }) : undefined;
    this.#bytes = new Uint8Array();
    if ('text' in model) this.#bytes = new TextEncoder().encode(model.text);
    if ('hex' in model) {
      this.#bytes = parseHex(model.hex, { field: 'hex', maxLength: maxDidBytes });
    }
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Null if there is no value now. */
  read(readSignal: SignalReader): Uint8Array | null {
    if (this.#control !== null) return this.#control;
    const model = this.#model;
    if ('counter' in model) {
      const value = Uint8Array.from(uintBytes(this.#count, model.counter));
      this.#count = (this.#count + 1) % 256 ** model.counter;
      return value;
    }
    if (!('signal' in model) || this.#signal === undefined) return this.#bytes;
    const value = readSignal(model.signal);
    if (value === null) return null;
    try {
      return this.#signal.encode(value);
    } catch (thrown) {
      if (thrown instanceof BusbarError) return null;
      throw thrown;
    }
  }

  write(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  control(bytes: Uint8Array | null): void {
    this.#control = bytes;
  }
}

/** Data identifiers of a server: 22, 2E and 2F. */
export class EcuDids {
  readonly #entries = new Map<number, Entry>();
  readonly #readSignal: SignalReader;

  constructor(dids: EcuModel['dids'], readSignal: SignalReader) {
    this.#readSignal = readSignal;
    for (const [text, model] of Object.entries(dids ?? {})) {
      const did = Number.parseInt(text, 16);
      this.#entries.set(did, new Entry(did, model));
    }
  }

  /** Ends the control of all values by the tester. */
  release(): void {
    for (const entry of this.#entries.values()) entry.control(null);
  }

  /** Identifiers that it does not have are omitted, unless it has none. */
  read(request: Uint8Array): Uint8Array | number {
    if (request.length < 3 || request.length % 2 === 0) return nrc.incorrectLength;
    const parts: number[] = [sid.readDids | responseBit];
    for (let at = 1; at < request.length; at += 2) {
      const entry = this.#entries.get(uint16At(request, at));
      if (entry === undefined) continue;
      const value = entry.read(this.#readSignal);
      if (value === null) return nrc.conditionsNotCorrect;
      parts.push(request[at] as number, request[at + 1] as number, ...value);
      if (parts.length > maxResponse) return nrc.responseTooLong;
    }
    return parts.length === 1 ? nrc.requestOutOfRange : Uint8Array.from(parts);
  }

  /** `refuse` returns the code of a condition that is not met. */
  write(
    request: Uint8Array,
    refuse: (conditions: Conditions) => number | null,
  ): Uint8Array | number {
    if (request.length < 4) return nrc.incorrectLength;
    const entry = this.#entries.get(uint16At(request, 1));
    if (entry === undefined || !entry.isWritable) return nrc.requestOutOfRange;
    const refused = refuse(entry.conditions);
    if (refused !== null) return refused;
    if (request.length !== 3 + entry.length) return nrc.incorrectLength;
    entry.write(request.slice(3));
    return Uint8Array.of(sid.writeDid | responseBit, request[1] as number, request[2] as number);
  }

  /** Controls the values that can be written. */
  control(
    request: Uint8Array,
    refuse: (conditions: Conditions) => number | null,
  ): Uint8Array | number {
    if (request.length < 4) return nrc.incorrectLength;
    const entry = this.#entries.get(uint16At(request, 1));
    const control = request[3] as number;
    if (entry === undefined || !entry.isWritable || control > 3) return nrc.requestOutOfRange;
    const refused = refuse(entry.conditions);
    if (refused !== null) return refused;
    const isAdjusted = control === 3;
    if (request.length !== 4 + (isAdjusted ? entry.length : 0)) return nrc.incorrectLength;
    if (isAdjusted) entry.control(request.slice(4));
    else if (control === 2) entry.control(entry.read(this.#readSignal));
    else entry.control(null);
    const value = entry.read(this.#readSignal) ?? [];
    return Uint8Array.of(sid.ioControl | responseBit, ...request.subarray(1, 4), ...value);
  }
}
