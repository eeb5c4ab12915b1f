import type { StringPoolBuilder } from '../memory/string-pool.ts';
import type { Project } from '../project/project.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import type { E2eRow } from '../project/tables/messages.ts';
import { directionOf } from '../project/validate/modbus-words.ts';
import type { EnginePlan } from './engine-plan.ts';
import { NumberLists, planGraph } from './plan-graph.ts';
import { planModbus } from './plan-modbus.ts';
import {
  bindingPlanTable,
  codecPlanTable,
  e2ePlanTable,
  faultPlanTable,
  inputMessageTable,
  muxRangeTable,
  noBit,
  outputPlanTable,
} from './plan-tables.ts';
import { planPlugins } from './plugin-plan.ts';
import { RowNumbers } from './row-numbers.ts';

/** A binding and where its message, or its PDU, begins. */
interface PlacedBinding {
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
const bindingsByResource = (project: Project): Map<string, PlacedBinding[]> => {
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
class MuxRanges {
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

const planBindings = ({ bindings, rows, ranges, checkOf, stateOf }: BindingParts) => {
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

class PlanBuilder {
  readonly #project: Project;
  readonly #strings: StringPoolBuilder;
  readonly #states: ReadonlyMap<string, number>;
  readonly #rows: RowNumbers;
  readonly #ranges = new MuxRanges();
  readonly #byResource: ReadonlyMap<string, readonly PlacedBinding[]>;
  /** Numbers from 1, by message: each has one of a kind at most. */
  readonly #checks = new Map<string, number>();
  readonly #protections = new Map<string, number>();

  constructor(project: Project, strings: StringPoolBuilder, states: ReadonlyMap<string, number>) {
    this.#project = project;
    this.#strings = strings;
    this.#states = states;
    this.#rows = new RowNumbers(project);
    this.#byResource = bindingsByResource(project);
  }

  build(): EnginePlan {
    const e2e = this.#buildE2e();
    const codecs = this.#buildCodecs();
    const inputs = this.#buildInputs();
    const outputs = this.#buildOutputs();
    const signalOutputs = new NumberLists(this.#project.signals.length);
    for (const [number, { row }] of [...outputs.placed, ...inputs.external].entries()) {
      signalOutputs.add(this.#rows.of('signals', row.signal), number);
    }
    return {
      e2e,
      codecs,
      inputMessages: inputs.messages,
      inputBindings: inputs.bindings,
      ...inputs.modbus,
      outputs: outputs.tasks,
      outputBindings: outputs.bindings,
      taskResources: outputs.resources,
      faults: outputs.faults,
      muxRanges: this.#ranges.build(),
      plugins: planPlugins(this.#project, this.#rows, this.#strings),
      ...planGraph(this.#project, this.#rows, this.#strings, signalOutputs),
    };
  }

  #buildE2e(): SharedArrayBuffer {
    const { e2e, messages, pdus, codecs } = this.#project;
    const { buffer, columns } = e2ePlanTable.create(e2e.length);
    for (const [index, row] of e2e.entries()) {
      const pdu = row.pdu === undefined ? undefined : pdus[this.#rows.of('pdus', row.pdu)];
      const message = messages[this.#rows.of('messages', row.message ?? '')];
      columns.at[index] = pdu?.byte_offset ?? 0;
      columns.length[index] = pdu?.length ?? message?.length ?? 0;
      columns.codec[index] = this.#strings.add(
        JSON.stringify(codecs[this.#rows.of('codecs', row.codec)]),
      );
      const numbers = row.direction === 'check' ? this.#checks : this.#protections;
      numbers.set(this.#messageOf(row), index + 1);
    }
    return buffer;
  }

  #buildCodecs(): SharedArrayBuffer {
    const { codecs } = this.#project;
    const { buffer, columns } = codecPlanTable.create(codecs.length);
    for (const [index, { id: _, comment: __, ...codec }] of codecs.entries()) {
      // Equal ones are kept once, whatever they are called.
      columns.row[index] = this.#strings.add(JSON.stringify(codec));
    }
    return buffer;
  }

  #buildInputs() {
    const received = this.#project.messages.filter(({ direction }) => direction === 'rx');
    const byMessage = bindingsByMessage(this.#project, 'rx');
    const { buffer, columns } = inputMessageTable.create(received.length);
    const placed: PlacedBinding[] = [];
    for (const [index, message] of received.entries()) {
      const bindings = byMessage.get(message.id) ?? [];
      columns.endpoint[index] = this.#rows.of('endpoints', message.endpoint);
      columns.canId[index] = message.can_id;
      columns.extended[index] = message.extended ? 1 : 0;
      columns.length[index] = message.length;
      columns.staleUs[index] = 1000 * (message.stale_after_ms ?? 0);
      const check = this.#checks.get(message.id) ?? 0;
      columns.check[index] = check;
      columns.id[index] = this.#strings.add(check === 0 ? undefined : message.id);
      columns.firstBinding[index] = placed.length;
      columns.bindings[index] = bindings.length;
      for (const binding of bindings) placed.push(binding);
    }
    const modbus = planModbus(this.#project, this.#rows, (resource) => {
      const first = placed.length;
      if (directionOf(resource) === 'rx') placed.push(...this.#bindingsOf(resource.id));
      return { first, count: placed.length - first };
    });
    const bindings = planBindings({
      bindings: placed,
      rows: this.#rows,
      ranges: this.#ranges,
      checkOf: (binding) => this.#checkOf(binding),
      stateOf: ({ row }) => this.#states.get(row.id) ?? 0,
    });
    const external = placed.filter(({ row }) => this.#states.has(row.id));
    return { messages: buffer, bindings, modbus, external };
  }

  #buildOutputs() {
    const { tx_tasks: tasks, messages, fault_rules: rules } = this.#project;
    const byMessage = bindingsByMessage(this.#project, 'tx');
    const faultsByTask = new Map(tasks.map(({ id }) => [id, [] as number[]]));
    for (const [row, { task }] of rules.entries()) faultsByTask.get(task)?.push(row);
    const { buffer, columns } = outputPlanTable.create(tasks.length);
    const faults = faultPlanTable.create(rules.length);
    const placed: PlacedBinding[] = [];
    const written = new NumberLists(tasks.length);
    let nextFault = 0;
    for (const [index, task] of tasks.entries()) {
      const message =
        task.message === undefined ? undefined : messages[this.#rows.of('messages', task.message)];
      const bindings = message
        ? (byMessage.get(message.id) ?? [])
        : (task.resources ?? []).flatMap((id) => this.#bindingsOf(id));
      for (const id of task.resources ?? []) {
        written.add(index, this.#rows.of('modbus_resources', id));
      }
      const ofTask = faultsByTask.get(task.id) ?? [];
      columns.canId[index] = message?.can_id ?? 0;
      columns.extended[index] = message?.extended ? 1 : 0;
      columns.fd[index] = message?.fd ? 1 : 0;
      columns.brs[index] = message?.brs ? 1 : 0;
      columns.length[index] = message?.length ?? 0;
      columns.fill[index] = message?.fill ?? 0;
      columns.minIntervalUs[index] = 1000 * (task.min_interval_ms ?? 0);
      columns.firstBinding[index] = placed.length;
      columns.bindings[index] = bindings.length;
      columns.protection[index] = (message && this.#protections.get(message.id)) ?? 0;
      columns.firstFault[index] = nextFault;
      columns.faults[index] = ofTask.length;
      for (const binding of bindings) placed.push(binding);
      for (const row of ofTask) {
        faults.columns.rule[nextFault] = this.#strings.add(JSON.stringify(rules[row]));
        faults.columns.row[nextFault++] = row;
      }
    }
    for (const { id, access } of this.#project.modbus_resources) {
      if (access === 'serve') placed.push(...this.#bindingsOf(id));
    }
    const resources = written.build((task, first, count) => {
      columns.firstResource[task] = first;
      columns.resources[task] = count;
    });
    const bindings = planBindings({
      bindings: placed,
      rows: this.#rows,
      ranges: this.#ranges,
      checkOf: () => 0,
      stateOf: ({ row }) => this.#states.get(row.id) ?? 0,
    });
    return { tasks: buffer, bindings, placed, resources, faults: faults.buffer };
  }

  #bindingsOf(resource: string): readonly PlacedBinding[] {
    return this.#byResource.get(resource) ?? [];
  }

  /** The message that a check or protection is for, also where it covers a PDU alone. */
  #messageOf({ message, pdu }: E2eRow): string {
    if (pdu === undefined) return message ?? '';
    return this.#project.pdus[this.#rows.of('pdus', pdu)]?.message ?? '';
  }

  /** The check of its message, unless that covers another part of it. */
  #checkOf({ row, message }: PlacedBinding): number {
    const number = this.#checks.get(message) ?? 0;
    const covered = this.#project.e2e[number - 1]?.pdu;
    return covered === undefined || covered === row.pdu ? number : 0;
  }
}

/** Makes the plan of a project that was validated; `states` says which state each sent binding has. */
export const buildPlan = (
  project: Project,
  strings: StringPoolBuilder,
  states: ReadonlyMap<string, number>,
): EnginePlan => new PlanBuilder(project, strings, states).build();
