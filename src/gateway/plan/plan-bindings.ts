import type { Project } from '../project/project.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import { bindingPlanTable, muxRangeTable, noBit } from './plan-tables.ts';
import type { RowNumbers } from './row-numbers.ts';

/** A binding and where its message, or its PDU, begins. */
export interface PlacedBinding {
  readonly row: BindingRow;
  readonly message: string;
  readonly byteOffset: number;
}

/**
 * Selectors that a binding depends on in a row. Each binding is visited once: a chain of selectors may be
 * as long as the project.
 */
const muxDepths = (rows: readonly BindingRow[]): ReadonlyMap<string, number> => {
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const depths = new Map<string, number>();
  for (const row of rows) {
    const chain: string[] = [];
    let at: BindingRow | undefined = row;
    while (at !== undefined && !depths.has(at.id)) {
      chain.push(at.id);
      at = at.mux && rowsById.get(at.mux.selector);
    }
    let depth = at === undefined ? -1 : (depths.get(at.id) ?? 0);
    for (const id of chain.reverse()) depths.set(id, ++depth);
  }
  return depths;
};

/** Bindings of messages by message, selectors before what they select. */
export const bindingsByMessage = (
  project: Project,
  direction: 'rx' | 'tx',
): Map<string, PlacedBinding[]> => {
  const pdus = new Map(project.pdus.map((pdu) => [pdu.id, pdu]));
  const placed = new Map<string, PlacedBinding[]>();
  for (const row of project.bindings) {
    if (row.direction !== direction || row.resource !== undefined) continue;
    const pdu = row.pdu === undefined ? undefined : pdus.get(row.pdu);
    const message = pdu?.message ?? row.message ?? '';
    const binding = { row, message, byteOffset: pdu?.byte_offset ?? 0 };
    const others = placed.get(message);
    if (others) others.push(binding);
    else placed.set(message, [binding]);
  }
  const depths = muxDepths(project.bindings);
  const depthOf = ({ row }: PlacedBinding): number => depths.get(row.id) ?? 0;
  for (const bindings of placed.values()) {
    // A sort keeps the order of those that are equal.
    bindings.sort((one, other) => depthOf(one) - depthOf(other));
  }
  return placed;
};

/** Bindings of resources, by resource. */
export const bindingsByResource = (project: Project): Map<string, PlacedBinding[]> => {
  const placed = new Map<string, PlacedBinding[]>();
  for (const row of project.bindings) {
    if (row.resource === undefined) continue;
    const binding = { row, message: '', byteOffset: 0 };
    const others = placed.get(row.resource);
    if (others) others.push(binding);
    else placed.set(row.resource, [binding]);
  }
  return placed;
};

/** Ranges of selectors, shared by all bindings of a plan. */
export class MuxRanges {
  readonly #ranges: (readonly [bigint, bigint])[] = [];
  readonly #known = new Map<string, number>();

  /** Where the ranges of those texts begin. */
  add(values: readonly string[]): number {
    const key = values.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const first = this.#ranges.length;
    this.#known.set(key, first);
    for (const text of values) {
      const [low = '0', high = low] = text.split('-');
      this.#ranges.push([BigInt(low), BigInt(high)]);
    }
    return first;
  }

  build(): SharedArrayBuffer {
    const { buffer, columns } = muxRangeTable.create(this.#ranges.length);
    for (const [index, [low, high]] of this.#ranges.entries()) {
      columns.low.set(index, low);
      columns.high.set(index, high);
    }
    return buffer;
  }
}

interface BindingParts {
  readonly bindings: readonly PlacedBinding[];
  readonly rows: RowNumbers;
  readonly ranges: MuxRanges;
  /** From 1; 0 for none. */
  readonly checkOf: (binding: PlacedBinding) => number;
  readonly stateOf: (binding: PlacedBinding) => number;
}

export const planBindings = ({ bindings, rows, ranges, checkOf, stateOf }: BindingParts) => {
  const { buffer, columns } = bindingPlanTable.create(bindings.length);
  const numbers = new Map(bindings.map(({ row }, index) => [row.id, index + 1]));
  for (const [index, binding] of bindings.entries()) {
    const { row, byteOffset } = binding;
    const { mux, validity_bit: bit } = row;
    columns.signal[index] = rows.of('signals', row.signal);
    columns.codec[index] = rows.of('codecs', row.codec);
    columns.resource[index] = rows.numberOf('modbus_resources', row.resource);
    columns.validityResource[index] =
      typeof bit === 'string' ? rows.numberOf('modbus_resources', bit) : 0;
    columns.start[index] = 8 * byteOffset + (row.start_bit ?? 0);
    columns.validityBit[index] = typeof bit === 'number' ? 8 * byteOffset + bit : noBit;
    columns.selector[index] = mux ? (numbers.get(mux.selector) ?? 0) : 0;
    columns.firstRange[index] = mux ? ranges.add(mux.values) : 0;
    columns.ranges[index] = mux?.values.length ?? 0;
    columns.check[index] = checkOf(binding);
    columns.state[index] = stateOf(binding);
  }
  return buffer;
};
