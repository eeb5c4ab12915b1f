import type { StringPoolBuilder } from '../memory/string-pool.ts';
import type { Project } from '../project/project.ts';
import type { MappingRow } from '../project/tables/mappings.ts';
import type { PluginRow } from '../project/tables/plugins.ts';
import { parseValue } from '../values/signal-value.ts';
import { mappingPlanTable, numberListTable, signalPlanTable } from './plan-tables.ts';
import type { RowNumbers } from './row-numbers.ts';

/** What computes signals from others: a mapping or a processor. */
interface EvaluationStep {
  readonly mapping?: MappingRow;
  readonly processor?: PluginRow;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** It runs by a period, and reads what is there. */
  readonly isPeriodic: boolean;
}

const stepsOf = ({ mappings, plugins }: Project): EvaluationStep[] => {
  const steps: EvaluationStep[] = mappings.map((mapping) => {
    return { mapping, inputs: mapping.inputs, outputs: mapping.outputs, isPeriodic: false };
  });
  for (const processor of plugins) {
    if (processor.kind !== 'processor') continue;
    const { inputs = [], outputs = [], trigger } = processor;
    steps.push({ processor, inputs, outputs, isPeriodic: trigger === 'period' });
  }
  // What is periodic comes before its readers, and else as late as it can.
  return [
    ...steps.filter(({ isPeriodic }) => !isPeriodic),
    ...steps.filter(({ isPeriodic }) => isPeriodic),
  ];
};

/**
 * Mappings and processors, each after those whose outputs it reads. A project that was validated has no circles, unless
 * they lead through a processor that runs by its period: such a one is not placed after what it reads.
 */
const evaluationOrder = (project: Project): EvaluationStep[] => {
  const steps = stepsOf(project);
  const writers = new Map<string, EvaluationStep>();
  for (const step of steps) for (const output of step.outputs) writers.set(output, step);
  const order: EvaluationStep[] = [];
  const isPlaced = new Set<EvaluationStep>();
  for (const first of steps) {
    if (isPlaced.has(first)) continue;
    // Depth first with a stack of its own: chains may be longer than calls can nest.
    const path: { readonly step: EvaluationStep; next: number }[] = [{ step: first, next: 0 }];
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const input = last.step.isPeriodic ? undefined : last.step.inputs[last.next];
      if (input === undefined) {
        path.pop();
        if (!isPlaced.has(last.step)) order.push(last.step);
        isPlaced.add(last.step);
        continue;
      }
      last.next += 1;
      const writer = writers.get(input);
      if (writer && !isPlaced.has(writer)) path.push({ step: writer, next: 0 });
    }
  }
  return order;
};

/** What a row of the plan of mappings says of a processor, as JSON in the place of a transformation. */
export interface ProcessorPlan {
  readonly kind: 'processor';
  readonly plugin: string;
  /** Null if its inputs make it run. */
  readonly periodUs: number | null;
  /** Numbers of tasks. */
  readonly sendTasks: readonly number[];
}

const textOf = ({ mapping, processor }: EvaluationStep, rows: RowNumbers): string => {
  if (!processor) return JSON.stringify(mapping?.transform);
  const { id, trigger, period_ms: periodMs = 0, send_tasks: tasks = [] } = processor;
  const plan: ProcessorPlan = {
    kind: 'processor',
    plugin: id,
    periodUs: trigger === 'period' ? 1000 * periodMs : null,
    sendTasks: tasks.map((task) => rows.of('tx_tasks', task)),
  };
  return JSON.stringify(plan);
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
  const order = evaluationOrder(project);
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
  for (const [number, step] of order.entries()) {
    const { mapping } = step;
    const inputs = step.inputs.map((id) => rows.of('signals', id));
    const written = step.outputs.map((id) => rows.of('signals', id));
    const { columns } = mappings;
    columns.transform[number] = strings.add(textOf(step, rows));
    columns.firstOperand[number] = operands.length;
    columns.inputs[number] = inputs.length;
    columns.outputs[number] = written.length;
    columns.maxSkewUs[number] = microseconds(mapping?.max_skew_ms);
    columns.ttlUs[number] = microseconds(mapping?.ttl_ms);
    if (!step.isPeriodic) for (const input of new Set(inputs)) readers.add(input, number);
    // A processor may compute something else of the same values the next time.
    const isDynamic =
      step.processor || inputs.some((input) => signals.columns.isDynamic[input] === 1);
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
