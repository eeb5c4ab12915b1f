import { decode, encode, isReserved, parseRaw, type Raw, rawText } from './codecs.ts';
import {
  type LinearCodecRow,
  linearCodecOf,
  type RegisterBindingRow,
  type ResourceRow,
  registerBindingsOf,
  rowOf,
  type Tables,
} from './project.ts';
import { addressesOf, isOneBit, itemsOfRaw, rawOfItems } from './registers.ts';
import { pollMsOf } from './requests.ts';
import type { BindingEntry } from './script.ts';
import { initialOf, isValid, type SignalState } from './signals.ts';

/** Items of resources received together. */
export type Observed = ReadonlyMap<string, readonly number[]>;

/** A binding of a polled or external resource, and its signal. */
interface RegisterInput {
  readonly row: RegisterBindingRow;
  readonly resource: ResourceRow;
  readonly codec: LinearCodecRow;
  readonly signal: SignalState;
  /** The last observation, since the start or the loss of the link. */
  raw: Raw | undefined;
  /** Result of the raw value and the validity bit. */
  said: string;
  isDisconnected: boolean;
  /** The unit has returned an exception since the last good response. */
  isRefused: boolean;
  /** Content of a server as seen or written by clients. */
  shown: Raw;
}

const staleAfterUsOf = (resource: ResourceRow): number => {
  const { access, stale_after_ms } = resource;
  return 1000 * (stale_after_ms ?? (access === 'poll' ? 3 * pollMsOf(resource) : 0));
};

type ExternalBinding = Pick<RegisterInput, 'codec' | 'signal'>;

/** Initial content of a server resource; an external one is encoded as an invalid sent signal. */
export const initialItemsOf = (
  tables: Tables,
  signals: ReadonlyMap<string, SignalState>,
  resource: ResourceRow,
): number[] => {
  const zeros = Array.from({ length: addressesOf(resource) }, () => 0);
  if (resource.access !== 'external') return zeros;
  const bindings = registerBindingsOf(tables).flatMap((row): ExternalBinding[] => {
    const signal = signals.get(row.signal);
    if (row.resource !== resource.id || signal === undefined) return [];
    return [{ codec: linearCodecOf(tables, row), signal }];
  });
  const initial = bindings.map(({ codec, signal }) => {
    const raw = rawAtFirst(codec, signal);
    return raw === undefined ? zeros : itemsOfRaw(resource, codec, raw);
  });
  // If several bindings share a resource, clients see the first raw value that all of them
  // accept.
  if (bindings.length === 1) return initial[0] ?? zeros;
  return initial.find((items) => areAccepted(bindings, resource, items)) ?? zeros;
};

const rawAtFirst = (codec: LinearCodecRow, { row }: SignalState): Raw | undefined => {
  if (codec.invalid_raw !== undefined) return parseRaw(codec, codec.invalid_raw);
  const initial = initialOf(row);
  const encoding = initial === null ? undefined : encode(codec, initial);
  return encoding !== undefined && 'raw' in encoding ? encoding.raw : undefined;
};

const areAccepted = (
  bindings: readonly ExternalBinding[],
  resource: ResourceRow,
  items: readonly number[],
): boolean =>
  bindings.every(({ codec, signal }) => {
    const raw = rawOfItems(resource, codec, items);
    const decoding = decode(codec, signal.row.type, raw);
    return decoding.quality === 'good' || isReserved(codec, raw);
  });

/** All inputs by Modbus, polled or written by clients, and their values. */
export class RegisterInputs {
  readonly #inputs: readonly RegisterInput[];
  readonly #resources: readonly ResourceRow[];
  /** The newest known validity bits. */
  readonly #bits = new Map<string, boolean>();
  readonly #initialItemsOf: (resource: ResourceRow) => readonly number[];
  #startUs = 0;

  constructor(tables: Tables, signals: ReadonlyMap<string, SignalState>) {
    this.#resources = tables.modbus_resources;
    this.#inputs = registerBindingsOf(tables).flatMap((row) => {
      const signal = signals.get(row.signal);
      if (row.direction !== 'rx' || signal === undefined) return [];
      const resource = rowOf(tables.modbus_resources, row.resource);
      const codec = linearCodecOf(tables, row);
      const input: RegisterInput = {
        row,
        resource,
        codec,
        signal,
        raw: undefined,
        said: 'initial',
        isDisconnected: false,
        isRefused: false,
        shown: 0n,
      };
      return [input];
    });
    this.#initialItemsOf = (resource) => initialItemsOf(tables, signals, resource);
    this.#show();
  }

  start(startUs: number, isDown: (endpoint: string) => boolean): void {
    this.#startUs = startUs;
    this.#bits.clear();
    for (const input of this.#inputs) {
      input.raw = undefined;
      input.said = 'initial';
      input.isDisconnected = isDown(input.resource.endpoint);
      input.isRefused = false;
    }
    this.#show();
  }

  /** Bindings initially show the content of the resources. */
  #show(): void {
    for (const input of this.#inputs) {
      const { resource, codec } = input;
      const items = this.#initialItemsOf(resource);
      input.shown = rawOfItems(resource, codec, items);
      const isSet = (((items[0] ?? 0) >> (resource.bit_offset ?? 0)) & 1) === 1;
      if (resource.access === 'external' && isOneBit(resource)) this.#bits.set(resource.id, isSet);
    }
  }

  disconnect(endpoint: string): void {
    for (const { id, access, endpoint: own } of this.#resources) {
      // A server keeps its memory.
      if (own === endpoint && access === 'poll') this.#bits.delete(id);
    }
    for (const input of this.#inputs) {
      if (input.resource.endpoint !== endpoint) continue;
      input.isDisconnected = true;
      input.raw = undefined;
    }
  }

  /** Resources were read or written together: their bits count for all of them. */
  observe(observed: Observed, atUs: number): void {
    for (const resource of this.#resources) {
      const items = observed.get(resource.id);
      if (items === undefined || !isOneBit(resource)) continue;
      this.#bits.set(resource.id, (((items[0] ?? 0) >> (resource.bit_offset ?? 0)) & 1) === 1);
    }
    for (const input of this.#inputs) {
      const items = observed.get(input.resource.id);
      if (items !== undefined) {
        input.raw = rawOfItems(input.resource, input.codec, items);
        input.shown = input.raw;
        input.signal.observedUs = atUs;
        input.isDisconnected = false;
        input.isRefused = false;
        this.#interpret(input);
      } else if (observed.has(input.row.validity_bit ?? '')) this.#interpret(input);
    }
  }

  /** A unit rejected a read of resources. */
  refuse(resources: readonly ResourceRow[]): void {
    for (const input of this.#inputs) {
      if (resources.includes(input.resource)) input.isRefused = true;
    }
  }

  #interpret(input: RegisterInput): void {
    const { row, codec, signal, raw } = input;
    if (raw === undefined) return;
    const isMarkedInvalid = row.validity_bit !== undefined && !this.#bits.get(row.validity_bit);
    const decoding = isMarkedInvalid
      ? ({ quality: 'invalid' } as const)
      : decode(codec, signal.row.type, raw);
    if (decoding.quality === 'good') signal.value = decoding.value;
    input.said = decoding.quality;
  }

  setQuality(nowUs: number): void {
    for (const input of this.#inputs) input.signal.quality = this.#qualityOf(input, nowUs);
  }

  /** The first applicable reason. */
  #qualityOf(input: RegisterInput, nowUs: number): string {
    const { observedUs } = input.signal;
    const staleAfterUs = staleAfterUsOf(input.resource);
    const isOld = staleAfterUs > 0 && nowUs - (observedUs ?? this.#startUs) >= staleAfterUs;
    if (input.isDisconnected) return 'disconnected';
    if (isOld && input.isRefused) return 'error';
    if (observedUs === null) return 'initial';
    return isOld ? 'timeout' : input.said;
  }

  /** Values that bindings permit clients to write to server resources. */
  accepts(resource: ResourceRow, items: readonly number[]): boolean {
    const bindings = this.#inputs.filter((input) => input.resource === resource);
    return areAccepted(bindings, resource, items);
  }

  /** External bindings are shown like mirrors. */
  entriesOf(signal: SignalState): BindingEntry[] {
    return this.#inputs
      .filter((input) => input.signal === signal && input.resource.access === 'external')
      .map(({ row, codec, shown }) => ({
        id: row.id,
        raw: rawText(codec, shown),
        valid: isValid(signal),
        error: null,
      }));
  }
}
