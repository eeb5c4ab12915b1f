import type { StringPoolBuilder } from '../memory/string-pool.ts';
import type { Project } from '../project/project.ts';
import type { MappingRow } from '../project/tables/mappings.ts';
import { parseValue } from '../values/signal-value.ts';
import { mappingPlanTable, numberListTable, signalPlanTable } from './plan-tables.ts';
import type { RowNumbers } from './row-numbers.ts';

/** Mappings, each after those whose outputs it reads. A project that was validated has no circles. */
export const mappingOrder = (project: Project): MappingRow[] => {
  const writers = new Map<string, MappingRow>();
  for (const mapping of project.mappings) {
    for (const output of mapping.outputs) writers.set(output, mapping);
  }
  const order: MappingRow[] = [];
  const isPlaced = new Set<MappingRow>();
  for (const first of project.mappings) {
    // Depth first with a stack of its own: chains may be longer than calls can nest.
    const path: { readonly mapping: MappingRow; next: number }[] = [{ mapping: first, next: 0 }];
    if (isPlaced.has(first)) continue;
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const input = step.mapping.inputs[step.next];
      if (input === undefined) {
        path.pop();
        if (!isPlaced.has(step.mapping)) order.push(step.mapping);
        isPlaced.add(step.mapping);
        continue;
      }
      step.next += 1;
      const writer = writers.get(input);
      if (writer && !isPlaced.has(writer)) path.push({ mapping: writer, next: 0 });
    }
  }
  return order;
};

/** Lists of numbers, one for each of so many rows. */
export class NumberLists {
  readonly #lists: number[][];

  constructor(rows: number) {
    this.#lists = Array.from({ length: rows }, () => []);
  }

  add(row: number, number: number): void {
    this.#lists[row]?.push(number);
  }

  /** All of them one after another; `place` is told where each begins and how long it is. */
  build(place: (row: number, first: number, count: number) => void): SharedArrayBuffer {
    const { buffer, columns } = numberListTable.create(
      this.#lists.reduce((sum, list) => sum + list.length, 0),
    );
    let next = 0;
    for (const [row, list] of this.#lists.entries()) {
      place(row, next, list.length);
      for (const number of list) columns.number[next++] = number;
    }
    return buffer;
  }
}

const microseconds = (milliseconds: number | undefined): number =>
  milliseconds === undefined ? Number.POSITIVE_INFINITY : 1000 * milliseconds;

/** The part of a plan that computes: signals, mappings and who reads what. */
export const planGraph = (
  project: Project,
  rows: RowNumbers,
  strings: StringPoolBuilder,
  outputs: NumberLists,
) => {
  const order = mappingOrder(project);
  const signals = signalPlanTable.create(project.signals.length);
  for (const [index, { type, producer, initial, waveform }] of project.signals.entries()) {
    signals.columns.isDynamic[index] = producer === 'constant' ? 0 : 1;
    signals.columns.waveform[index] = strings.add(waveform && JSON.stringify(waveform));
    const value = initial === undefined ? undefined : parseValue(type, initial);
    if (value === undefined) continue;
    signals.columns.hasInitial[index] = 1;
    signals.columns.initial.set(index, value);
  }
  const mappings = mappingPlanTable.create(order.length);
  const readers = new NumberLists(project.signals.length);
  const operands: number[] = [];
  for (const [number, mapping] of order.entries()) {
    const inputs = mapping.inputs.map((id) => rows.of('signals', id));
    const written = mapping.outputs.map((id) => rows.of('signals', id));
    const { columns } = mappings;
    columns.transform[number] = strings.add(JSON.stringify(mapping.transform));
    columns.firstOperand[number] = operands.length;
    columns.inputs[number] = inputs.length;
    columns.outputs[number] = written.length;
    columns.maxSkewUs[number] = microseconds(mapping.max_skew_ms);
    columns.ttlUs[number] = microseconds(mapping.ttl_ms);
    for (const input of new Set(inputs)) readers.add(input, number);
    const isDynamic = inputs.some((input) => signals.columns.isDynamic[input] === 1);
    for (const output of written) signals.columns.isDynamic[output] = isDynamic ? 1 : 0;
    operands.push(...inputs, ...written);
  }
  const list = numberListTable.create(operands.length);
  list.columns.number.set(operands);
  return {
    signals: signals.buffer,
    mappings: mappings.buffer,
    operands: list.buffer,
    readers: readers.build((signal, first, count) => {
      signals.columns.firstReader[signal] = first;
      signals.columns.readers[signal] = count;
    }),
    signalOutputs: outputs.build((signal, first, count) => {
      signals.columns.firstOutput[signal] = first;
      signals.columns.outputs[signal] = count;
    }),
  };
};
