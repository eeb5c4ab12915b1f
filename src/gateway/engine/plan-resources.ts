import type { ProjectImage } from '../image/project-image.ts';
import { noBitOffset, numberListTable, resourcePlanTable } from '../plan/plan-tables.ts';
import {
  accesses,
  type ModbusResourceRow,
  modbusTables,
} from '../project/tables/modbus-resources.ts';

/** Resources of a plan, as plans of requests want them. */
export class PlanResources {
  readonly #columns: ReturnType<typeof resourcePlanTable.open>;
  readonly #endpointResources: Uint32Array;
  readonly #taskResources: Uint32Array;

  constructor({ plan }: ProjectImage) {
    this.#columns = resourcePlanTable.open(plan.resources);
    this.#endpointResources = numberListTable.open(plan.endpointResources).number;
    this.#taskResources = numberListTable.open(plan.taskResources).number;
  }

  get count(): number {
    return this.#columns.count;
  }

  /** Endpoint and id are told by numbers. */
  row(number: number): ModbusResourceRow {
    const { endpoint, table, address, items, bitOffset, access } = this.#columns;
    const bit = bitOffset[number] as number;
    return {
      id: `${number}`,
      endpoint: `${endpoint[number]}`,
      table: modbusTables[table[number] as number] ?? 'holding',
      address: address[number] as number,
      count: items[number] as number,
      access: accesses[access[number] as number] ?? 'poll',
      ...(bit !== noBitOffset && { bit_offset: bit }),
    };
  }

  staleUs(number: number): number {
    return this.#columns.staleUs[number] as number;
  }

  /** The first of its received bindings, and the one behind the last. */
  bindings(number: number): readonly [first: number, end: number] {
    const first = this.#columns.firstBinding[number] as number;
    return [first, first + (this.#columns.bindings[number] as number)];
  }

  /** Numbers of the resources of an endpoint, by table and address. */
  ofEndpoint(first: number, count: number): Uint32Array {
    return this.#endpointResources.subarray(first, first + count);
  }

  /** Numbers of the resources that a task writes. */
  ofTask(first: number, count: number): Uint32Array {
    return this.#taskResources.subarray(first, first + count);
  }
}
