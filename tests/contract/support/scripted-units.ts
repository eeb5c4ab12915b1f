import type { Engine } from '../../../src/gateway/engine/engine.ts';
import { registerAt } from '../../../src/gateway/modbus/register-field.ts';
import type { ClientWrite, ServerMemory } from '../../../src/gateway/modbus/server-image.ts';
import type { WriteStep as PlannedStep } from '../../../src/gateway/modbus/task-writes.ts';
import type { Project } from '../../../src/gateway/project/project.ts';
import {
  type ModbusTable,
  modbusTables,
} from '../../../src/gateway/project/tables/modbus-resources.ts';
import { addressesOf } from '../../../src/gateway/project/validate/modbus-words.ts';
import { tableOfRead } from '../../../src/modbus/pdu/data-tables.ts';
import { bitAt, packBits } from '../../../src/modbus/pdu/packed-bits.ts';
import type {
  ReadRequest,
  RegisterEntry,
  ScriptEvent,
  WriteStep,
} from '../../reference/gateway/script.ts';

/** Items of all servers, by endpoint, table and address. */
class ItemMemory {
  readonly #items = new Map<string, number>();

  clear(): void {
    this.#items.clear();
  }

  get(endpoint: string, table: ModbusTable, address: number): number {
    return this.#items.get(JSON.stringify([endpoint, table, address])) ?? 0;
  }

  put(endpoint: string, table: ModbusTable, address: number, item: number): void {
    this.#items.set(JSON.stringify([endpoint, table, address]), item);
  }

  /** The memory of one server, as written by its image. */
  of(endpoint: string): ServerMemory {
    const registers = (table: ModbusTable) => ({
      get: (address: number) => this.get(endpoint, table, address),
      put: (address: number, item: number) => this.put(endpoint, table, address, item),
    });
    const bits = (table: ModbusTable) => ({
      get: (address: number) => this.get(endpoint, table, address) === 1,
      put: (address: number, item: boolean) => this.put(endpoint, table, address, item ? 1 : 0),
    });
    return {
      tables: {
        coil: bits('coil'),
        discrete: bits('discrete'),
        holding: registers('holding'),
        input: registers('input'),
      },
    };
  }
}

/** A step of a group in the notation of the reference. */
export const stepOf = (step: PlannedStep): WriteStep => {
  if (step.kind === 'read_modify_write') {
    const { address, reads, masks, words } = step;
    return {
      function: words.length === 1 ? 6 : 16,
      address,
      reads: reads.map((read) => ({ address: read.address, count: read.count })),
      masks: [...masks],
      items: [...words],
    };
  }
  const { request } = step;
  const { address } = request;
  switch (request.kind) {
    case 'write_coil':
      return { function: 5, address, items: [request.on ? 1 : 0] };
    case 'write_coils': {
      const bits = request.data.subarray(request.dataAt);
      const items = Array.from({ length: request.count }, (_, bit) => (bitAt(bits, bit) ? 1 : 0));
      return { function: 15, address, items };
    }
    case 'write_register':
      return { function: 6, address, items: [request.value] };
    case 'write_registers': {
      const bytes = request.data.subarray(request.dataAt);
      const items = Array.from({ length: request.count }, (_, item) => registerAt(bytes, 2 * item));
      return { function: 16, address, items };
    }
  }
};

/** Polled units and clients of servers, as a script simulates them for an engine. */
export class ScriptedUnits {
  readonly #project: Project;
  readonly #engine: Engine;
  readonly #memory = new ItemMemory();

  constructor(project: Project, engine: Engine) {
    this.#project = project;
    this.#engine = engine;
  }

  get reads(): ReadRequest[] {
    return this.#engine.polls.map(({ endpoint, pollMs, request }) => ({
      endpoint: this.#endpointId(endpoint),
      table: tableOfRead(request.function),
      address: request.address,
      count: request.count,
      pollMs,
    }));
  }

  /** Servers start with empty memory. */
  reset(): void {
    this.#memory.clear();
  }

  /** A mirror has changed. */
  serve(number: number, resource: number): void {
    const server = this.#engine.servers[number];
    if (!server) throw new Error('There is no such server');
    server.image.put(this.#memory.of(this.#endpointId(server.endpoint)), resource, server.memory);
  }

  answer(event: Extract<ScriptEvent, { kind: 'poll' }>): void {
    const poll = this.reads.findIndex(
      (read) =>
        read.endpoint === event.endpoint &&
        read.table === event.table &&
        read.address === event.address &&
        read.count === event.count &&
        read.pollMs === event.pollMs,
    );
    if (poll < 0) throw new Error(`${event.table} ${event.address} is not read`);
    if ('items' in event) this.#engine.polled(poll, Uint16Array.from(event.items), event.atUs);
    else this.#engine.pollRefused(poll, event.atUs);
  }

  /** The response to a client's write: 0, or an exception code. */
  write(event: Extract<ScriptEvent, { kind: 'client_write' }>): number {
    const { endpoint, table, address, items, atUs } = event;
    const number = this.#engine.servers.findIndex(
      (one) => this.#endpointId(one.endpoint) === endpoint,
    );
    const range = { address, count: items.length };
    const write: ClientWrite =
      table === 'coil'
        ? { ...range, table, bits: packBits(items.map((item) => item === 1)) }
        : { ...range, table, registers: Uint16Array.from(items) };
    const exception = this.#engine.servers[number]?.image.check(write);
    if (exception !== undefined) return exception;
    for (const [place, item] of items.entries()) {
      this.#memory.put(endpoint, table, address + place, item);
    }
    this.#engine.servers[number]?.image.clearUndeclared(this.#memory.of(endpoint), write);
    this.#engine.written(number, write, atUs);
    return 0;
  }

  /** Contents of all servers, by endpoint, table and address. */
  get registers(): RegisterEntry[] {
    return this.#project.endpoints.flatMap(({ id: endpoint }) =>
      modbusTables.flatMap((table) =>
        this.#addressesOf(endpoint, table).map((address) => {
          const item = this.#memory.get(endpoint, table, address);
          return { endpoint, table, address, item };
        }),
      ),
    );
  }

  #addressesOf(endpoint: string, table: ModbusTable): number[] {
    const served = this.#project.modbus_resources.filter(
      (row) =>
        row.endpoint === endpoint &&
        row.table === table &&
        (row.access === 'serve' || row.access === 'external'),
    );
    const addresses = served.flatMap((row) =>
      Array.from({ length: addressesOf(row) }, (_, place) => row.address + place),
    );
    return [...new Set(addresses)].sort((a, b) => a - b);
  }

  #endpointId(number: number): string {
    return this.#project.endpoints[number]?.id ?? '';
  }
}
