import type { Project } from '../project/project.ts';
import type { BindingRow } from '../project/tables/bindings.ts';

export interface PlacedBinding {
  readonly row: BindingRow;
  readonly byteOffset: number;
  /** Number among the bindings of the message, from 1; 0 for none. */
  readonly selector: number;
}

export interface RowRange {
  readonly first: number;
  readonly count: number;
}

export const noRows: RowRange = { first: 0, count: 0 };

export class RowLists<Row> {
  readonly rows: Row[] = [];

  add(list: readonly Row[] = []): RowRange {
    const first = this.rows.length;
    for (const row of list) this.rows.push(row);
    return { first, count: list.length };
  }
}

export const groupBy = <Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> => {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
};

/** Counts the selectors above each binding. Chains can be long, so each binding is visited once. */
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

export const bindingsByMessage = (project: Project): Map<string, PlacedBinding[]> => {
  const pdus = new Map(project.pdus.map((pdu) => [pdu.id, pdu]));
  const pduOf = ({ pdu = '' }: BindingRow) => pdus.get(pdu);
  const ofMessages = project.bindings.filter(({ resource }) => resource === undefined);
  const groups = groupBy(ofMessages, (row) => pduOf(row)?.message ?? row.message ?? '');
  const isMultiplexed = ofMessages.some(({ mux }) => mux !== undefined);
  const depths = isMultiplexed ? muxDepths(ofMessages) : undefined;
  const placed = new Map<string, PlacedBinding[]>();
  for (const [message, rows] of groups) {
    if (depths) rows.sort((one, other) => (depths.get(one.id) ?? 0) - (depths.get(other.id) ?? 0));
    const numbers = new Map(depths && rows.map(({ id }, index) => [id, index + 1]));
    const bindings = rows.map((row) => ({
      row,
      byteOffset: pduOf(row)?.byte_offset ?? 0,
      selector: row.mux ? (numbers.get(row.mux.selector) ?? 0) : 0,
    }));
    placed.set(message, bindings);
  }
  return placed;
};

/** All bindings in table order, and the range of each message, resource and task. */
export interface PlacedBindings {
  readonly rows: readonly PlacedBinding[];
  readonly shown: number;
  readonly ofMessage: ReadonlyMap<string, RowRange>;
  readonly ofResource: ReadonlyMap<string, RowRange>;
  readonly ofTask: readonly RowRange[];
}

export const placeBindings = (project: Project): PlacedBindings => {
  const byMessage = bindingsByMessage(project);
  const bound = project.bindings.filter(({ resource }) => resource !== undefined);
  const byResource = groupBy(bound, ({ resource }) => resource as string);
  const ofOne = (resource: string): PlacedBinding[] =>
    (byResource.get(resource) ?? []).map((row) => ({ row, byteOffset: 0, selector: 0 }));
  const lists = new RowLists<PlacedBinding>();
  const ofMessage = new Map<string, RowRange>();
  const ofResource = new Map<string, RowRange>();
  const addMessage = (id: string): RowRange => {
    const range = lists.add(byMessage.get(id));
    ofMessage.set(id, range);
    return range;
  };
  const addResources = (access: string): void => {
    for (const resource of project.modbus_resources) {
      if (resource.access !== access) continue;
      const range = lists.add(ofOne(resource.id));
      if (access !== 'serve') ofResource.set(resource.id, range);
    }
  };
  const ofTask = project.tx_tasks.map(({ message, resources = [] }) =>
    message === undefined ? lists.add(resources.flatMap(ofOne)) : addMessage(message),
  );
  addResources('serve');
  addResources('external');
  const shown = lists.rows.length;
  addResources('poll');
  for (const { id, direction } of project.messages) if (direction === 'rx') addMessage(id);
  return { rows: lists.rows, shown, ofMessage, ofResource, ofTask };
};
