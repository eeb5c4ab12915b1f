import type { MappingRow, Tables } from './project.ts';
import { isValid, type SignalState } from './signals.ts';
import { runTransform, type TransformMemory } from './transforms.ts';
import type { Value } from './values.ts';

/** Mappings in an order in which each follows those that write its inputs. */
const inTopologicalOrder = (mappings: readonly MappingRow[]): MappingRow[] => {
  const ordered: MappingRow[] = [];
  const place = (mapping: MappingRow): void => {
    if (ordered.includes(mapping)) return;
    for (const source of mappings) {
      if (source.outputs.some((id) => mapping.inputs.includes(id))) place(source);
    }
    ordered.push(mapping);
  };
  mappings.forEach(place);
  return ordered;
};

/** Why the outputs are not good; undefined if the inputs can be used. */
const fault = (
  { max_skew_ms, ttl_ms }: MappingRow,
  used: readonly SignalState[],
  nowUs: number,
): string | undefined => {
  if (!used.every(isValid)) return 'input_invalid';
  const times = observationsOf(used);
  if (times.length === 0) return undefined;
  const oldest = Math.min(...times);
  if (max_skew_ms !== undefined && Math.max(...times) - oldest > 1000 * max_skew_ms) return 'skew';
  return ttl_ms !== undefined && nowUs - oldest > 1000 * ttl_ms ? 'expired' : undefined;
};

/**
 * Observation time of signals; constants, and signals that depend only on constants, have none.
 */
const observationsOf = (signals: readonly SignalState[]): number[] =>
  signals.flatMap(({ observedUs }) => (observedUs === null ? [] : [observedUs]));

/** All mappings of a project. */
export class Mappings {
  readonly #ordered: readonly MappingRow[];
  readonly #signals: ReadonlyMap<string, SignalState>;
  readonly #memories = new Map<string, TransformMemory>();

  constructor(tables: Tables, signals: ReadonlyMap<string, SignalState>) {
    this.#ordered = inTopologicalOrder(tables.mappings);
    this.#signals = signals;
    this.start();
  }

  /** Thresholds start below. */
  start(): void {
    for (const { id } of this.#ordered) this.#memories.set(id, { isAbove: false });
  }

  /**
   * Evaluates all mappings. A mapping with unchanged inputs returns the same result or times out,
   * so none is skipped.
   */
  evaluate(nowUs: number): void {
    for (const mapping of this.#ordered) this.#evaluate(mapping, nowUs);
  }

  #signalsOf(ids: readonly string[]): SignalState[] {
    return ids.flatMap((id) => this.#signals.get(id) ?? []);
  }

  /** The relevant inputs: of a select, the condition and the chosen input. */
  #usedInputs({ inputs: ids, transform }: MappingRow): SignalState[] {
    const inputs = this.#signalsOf(ids);
    if (transform?.function !== 'select') return inputs;
    const [condition, a, b] = inputs;
    if (condition === undefined || !isValid(condition)) return inputs.slice(0, 1);
    const chosen = condition.value === 1n ? a : b;
    return chosen === undefined ? [condition] : [condition, chosen];
  }

  #evaluate(mapping: MappingRow, nowUs: number): void {
    const used = this.#usedInputs(mapping);
    const outputs = this.#signalsOf(mapping.outputs);
    const reason = fault(mapping, used, nowUs);
    const values = reason === undefined ? this.#run(mapping, outputs) : undefined;
    if (values === undefined) {
      // Value and observation time remain.
      for (const output of outputs) output.quality = reason ?? 'transform_error';
      return;
    }
    const times = observationsOf(used);
    outputs.forEach((output, place) => {
      output.value = values[place] ?? null;
      output.quality = 'good';
      output.observedUs = times.length === 0 ? null : Math.min(...times);
    });
  }

  #run(mapping: MappingRow, outputs: readonly SignalState[]): readonly Value[] | undefined {
    const transform = mapping.transform ?? { kind: 'identity' };
    // The unselected input of a select may have no value.
    const inputs = this.#signalsOf(mapping.inputs).map(({ value }) => value ?? 0n);
    const types = outputs.map(({ row }) => row.type);
    const memory = this.#memories.get(mapping.id) ?? { isAbove: false };
    return runTransform(transform, inputs, types, memory);
  }
}
