import { readRequest } from '../../modbus/pdu/make-request.ts';
import type { BitField } from '../codecs/bit-field.ts';
import { isFloat } from '../codecs/encode-linear.ts';
import { initialRaw } from '../codecs/value-encoder.ts';
import type { ImageReader } from '../image/image-reader.ts';
import {
  bindingStateTable,
  bindingTable,
  endpointTable,
  listTable,
  pollFillTable,
  pollTable,
  resourceTable,
} from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { PollRead } from '../modbus/poll-reads.ts';
import {
  bytesPerItem,
  itemBytesOf,
  registerField,
  registerPlaceOf,
  validityField,
} from '../modbus/register-field.ts';
import { ServerImage } from '../modbus/server-image.ts';
import { modbusTables } from '../project/tables/modbus-resources.ts';
import { ExternalMirror, type InitialBinding, initialItems } from './external-mirror.ts';
import { type BlockFill, InputBlock } from './input-block.ts';
import { InputBinding } from './input-message.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';
import type { WireParts } from './wire-parts.ts';
export interface CompiledUnit {
  readonly endpoint: number;
  readonly isServer: boolean;
  /** Items of all resources except those that tasks write. */
  readonly memory: Uint8Array;
  readonly bindings: readonly InputBinding[];
  readonly mirrors: readonly ExternalMirror[];
}

export interface CompiledPoll {
  readonly number: number;
  readonly endpoint: number;
  readonly pollMs: number;
  readonly request: PollRead['request'];
  readonly block: InputBlock;
}

export interface CompiledServer {
  readonly endpoint: number;
  readonly image: ServerImage;
  readonly memory: Uint8Array;
  readonly blocks: readonly (InputBlock | undefined)[];
}

export interface CompiledUnits {
  readonly units: readonly CompiledUnit[];
  readonly polls: readonly CompiledPoll[];
  readonly servers: readonly CompiledServer[];
  readonly mirrors: readonly ExternalMirror[];
  readonly places: Uint32Array;
  /** Server of a resource, from 1, and the resource's index there. */
  readonly serverOf: Uint32Array;
  readonly indexInServer: Uint32Array;
}

interface UnitParts {
  readonly image: ProjectImage;
  readonly context: { readonly signals: SignalStates; readonly time: RoundTime };
  readonly reader: ImageReader;
  readonly wires: WireParts;
}

interface WrittenBinding extends InitialBinding {
  readonly signal: number;
  readonly state: number;
  readonly isFloat: boolean;
}

export class UnitCompiler {
  readonly #parts: UnitParts;
  readonly #endpoints: ReturnType<typeof endpointTable.open>;
  readonly #endpointResources: Uint32Array;
  readonly #resources: ReturnType<typeof resourceTable.open>;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #shared: ReturnType<typeof bindingStateTable.open>;
  readonly #places: Uint32Array;
  readonly #serverOf: Uint32Array;
  readonly #indexInServer: Uint32Array;
  readonly #read = new Map<number, InputBinding[]>();
  readonly #validated = new Map<number, InputBinding[]>();
  readonly #mirrored = new Map<number, ExternalMirror[]>();
  readonly #external = new Map<number, WrittenBinding[]>();
  readonly #memories = new Map<number, Uint8Array>();
  readonly #mirrors: ExternalMirror[] = [];

  constructor(parts: UnitParts) {
    this.#parts = parts;
    const { image } = parts;
    this.#endpoints = endpointTable.open(image.endpoints);
    this.#endpointResources = listTable.open(image.endpointResources).number;
    this.#resources = resourceTable.open(image.resources);
    this.#bindings = bindingTable.open(image.bindings);
    this.#shared = bindingStateTable.open(image.state.bindings);
    const { count } = this.#resources;
    this.#places = new Uint32Array(count);
    this.#serverOf = new Uint32Array(count);
    this.#indexInServer = new Uint32Array(count);
  }

  *compile(): Generator<void, CompiledUnits> {
    yield* this.#placeItems();
    yield* this.#compileBindings();
    const units = yield* this.#compileUnits();
    const polls = yield* this.#compilePolls();
    const servers = yield* this.#compileServers();
    return {
      units,
      polls,
      servers,
      mirrors: this.#mirrors,
      places: this.#places,
      serverOf: this.#serverOf,
      indexInServer: this.#indexInServer,
    };
  }

  *#placeItems(): Generator<void> {
    for (const endpoint of this.#unitNumbers()) {
      let length = 0;
      for (const number of this.#resourcesOf(endpoint)) {
        const row = this.#parts.reader.resource(number);
        if (row.access === 'write') continue;
        this.#places[number] = length;
        length += itemBytesOf(row);
        yield;
      }
      this.#memories.set(endpoint, new Uint8Array(length));
    }
  }

  *#compileBindings(): Generator<void> {
    const { firstBinding, bindings, count } = this.#resources;
    for (let number = 0; number < count; number++) {
      const first = firstBinding[number] as number;
      const end = first + (bindings[number] as number);
      for (let index = first; index < end; index++) {
        this.#compileBinding(number, index);
        yield;
      }
      const [written, ...more] = this.#external.get(number) ?? [];
      if (written) this.#mirror(number, [written, ...more]);
    }
  }

  #compileBinding(number: number, index: number): void {
    const { context, reader, wires } = this.#parts;
    const { signals, time } = context;
    const row = reader.resource(number);
    const signal = this.#bindings.signal[index] as number;
    const format = wires.formatOf(index);
    const field = registerField(registerPlaceOf(row, format), this.#places[number] as number);
    const decoder = wires.decoder(index, signals.typeOf(signal));
    const validity = this.#bindings.validityResource[index] as number;
    const binding = new InputBinding(
      {
        signal,
        place: null,
        field,
        decoder,
        validityBit: validity === 0 ? null : this.#validityBit(validity - 1),
        selector: null,
        ranges: null,
        check: null,
        staleUs: this.#resources.staleUs[number] as number,
      },
      signals,
      time,
    );
    add(this.#read, number, binding);
    if (validity > 0) add(this.#validated, validity - 1, binding);
    if (row.access !== 'external') return;
    const encoder = wires.encoder(index, signals.typeOf(signal));
    add(this.#external, number, {
      signal,
      field,
      decoder,
      state: this.#bindings.state[index] as number,
      isFloat: isFloat(format.raw),
      initialRaw: encoder.invalidRaw ?? initialRaw(encoder, signals.initialOf(signal)),
    });
  }

  #mirror(number: number, bindings: readonly [WrittenBinding, ...WrittenBinding[]]): void {
    const memory = this.#memoryOf(this.#resources.endpoint[number] as number);
    const initial = initialItems(bindings, memory);
    for (const binding of bindings) {
      const parts = { ...binding, memory, initial };
      const mirror = new ExternalMirror(parts, this.#parts.context.signals, this.#shared);
      this.#mirrors.push(mirror);
      add(this.#mirrored, number, mirror);
    }
  }

  #validityBit(number: number): BitField {
    return validityField(this.#parts.reader.resource(number), this.#places[number] as number);
  }

  *#compileUnits(): Generator<void, CompiledUnit[]> {
    const units: CompiledUnit[] = [];
    for (const endpoint of this.#unitNumbers()) {
      const bindings: InputBinding[] = [];
      const mirrors: ExternalMirror[] = [];
      for (const number of this.#resourcesOf(endpoint)) {
        bindings.push(...(this.#read.get(number) ?? []));
        mirrors.push(...(this.#mirrored.get(number) ?? []));
        yield;
      }
      const isServer = this.#parts.reader.role(endpoint) === 'server';
      units.push({ endpoint, isServer, memory: this.#memoryOf(endpoint), bindings, mirrors });
      yield;
    }
    return units;
  }

  *#compilePolls(): Generator<void, CompiledPoll[]> {
    const { image } = this.#parts;
    const rows = pollTable.open(image.polls);
    const fills = pollFillTable.open(image.pollFills);
    const polls: CompiledPoll[] = [];
    for (let number = 0; number < rows.count; number++) {
      const endpoint = rows.endpoint[number] as number;
      const table = modbusTables[rows.table[number] as number] ?? 'holding';
      const count = rows.items[number] as number;
      const first = rows.firstFill[number] as number;
      const end = first + (rows.fills[number] as number);
      const filled = [...fills.resource.subarray(first, end)];
      const starts = [...fills.at.subarray(first, end)];
      polls.push({
        number,
        endpoint,
        pollMs: rows.pollMs[number] as number,
        request: readRequest(table, rows.address[number] as number, count),
        block: this.#block(endpoint, filled, starts, count),
      });
      yield;
    }
    return polls;
  }

  *#compileServers(): Generator<void, CompiledServer[]> {
    const servers: CompiledServer[] = [];
    for (const endpoint of this.#unitNumbers()) {
      if (this.#parts.reader.role(endpoint) !== 'server') continue;
      const numbers = this.#resourcesOf(endpoint);
      const image = new ServerImage();
      const blocks: (InputBlock | undefined)[] = [];
      for (const [index, number] of numbers.entries()) {
        const resource = this.#parts.reader.resource(number);
        const bindings = this.#external.get(number) ?? [];
        image.add({ resource, at: this.#places[number] as number, bindings });
        blocks.push(
          resource.access === 'external'
            ? this.#block(endpoint, [number], [0], resource.count ?? 1)
            : undefined,
        );
        this.#serverOf[number] = servers.length + 1;
        this.#indexInServer[number] = index;
        yield;
      }
      const memory = this.#memoryOf(endpoint);
      servers.push({ endpoint, image, memory, blocks });
      yield;
    }
    return servers;
  }

  #block(
    endpoint: number,
    numbers: readonly number[],
    starts: readonly number[],
    items: number,
  ): InputBlock {
    const rows = numbers.map((number) => this.#parts.reader.resource(number));
    const size = rows[0] ? bytesPerItem(rows[0]) : 2;
    const fills = rows.map(
      (row, index): BlockFill => ({
        from: size * (starts[index] as number),
        to: this.#places[numbers[index] as number] as number,
        length: itemBytesOf(row),
      }),
    );
    const bindings = new Set(numbers.flatMap((number) => this.#read.get(number) ?? []));
    const validated = new Set(numbers.flatMap((number) => this.#validated.get(number) ?? []));
    return new InputBlock({
      memory: this.#memoryOf(endpoint),
      bytesPerItem: size,
      items,
      fills,
      bindings: [...bindings],
      validated: [...validated].filter((binding) => !bindings.has(binding)),
      mirrors: numbers.flatMap((number) => this.#mirrored.get(number) ?? []),
    });
  }

  *#unitNumbers(): Generator<number> {
    for (let endpoint = 0; endpoint < this.#endpoints.count; endpoint++) {
      if (this.#parts.reader.role(endpoint) !== 'can') yield endpoint;
    }
  }

  #resourcesOf(endpoint: number): Uint32Array {
    const { firstResource, resources } = this.#endpoints;
    const first = firstResource[endpoint] as number;
    return this.#endpointResources.subarray(first, first + (resources[endpoint] as number));
  }

  #memoryOf(endpoint: number): Uint8Array {
    return this.#memories.get(endpoint) as Uint8Array;
  }
}

const add = <Value>(lists: Map<number, Value[]>, key: number, value: Value): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};
