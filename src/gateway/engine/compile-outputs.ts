import type { BitField } from '../codecs/bit-field.ts';
import { isFloat } from '../codecs/encode-linear.ts';
import { narrowed } from '../codecs/wire-field.ts';
import { bindingStateTable, faultStateTable, taskTable } from '../image/image-tables.ts';
import { policies } from '../image/image-values.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { registerField, registerPlaceOf, validityField } from '../modbus/register-field.ts';
import { WritePlan } from '../modbus/write-plan.ts';
import { bindingPlanTable, faultPlanTable, outputPlanTable } from '../plan/plan-tables.ts';
import type { FaultRuleRow } from '../project/tables/fault-rules.ts';
import type { CompiledUnits } from './compile-units.ts';
import type { EngineTask } from './engine-task.ts';
import { FrameBuilder } from './frame-builder.ts';
import { FrameCounts } from './frame-counts.ts';
import { OutputBinding } from './output-binding.ts';
import type { PlanCodecs } from './plan-codecs.ts';
import type { PlacedField, PlanFields, PlannedBindings } from './plan-fields.ts';
import type { PlanLayouts } from './plan-layouts.ts';
import type { PlanResources } from './plan-resources.ts';
import { RequestTask } from './request-task.ts';
import type { RequestTasks } from './request-tasks.ts';
import type { ServedOutput } from './served-outputs.ts';
import { type FaultRule, TaskFaults } from './task-faults.ts';
import { type SnapshotMember, TaskSnapshot } from './task-snapshot.ts';
import { ValueTask, type ValueTaskContext } from './value-task.ts';

/** Which bytes of which task, or of the memory of which server, are those of a resource. */
class WrittenItems {
  /** How tasks on Modbus write, by number. */
  readonly plans: (WritePlan | undefined)[] = [];
  readonly #resources: PlanResources;
  readonly #codecs: PlanCodecs;
  readonly #rows: ReturnType<typeof outputPlanTable.open>;
  readonly #places: Uint32Array;
  /** From 1; servers have none. */
  readonly #tasks: Uint32Array;

  constructor(
    { plan }: ProjectImage,
    resources: PlanResources,
    codecs: PlanCodecs,
    units: CompiledUnits,
  ) {
    this.#resources = resources;
    this.#codecs = codecs;
    this.#rows = outputPlanTable.open(plan.outputs);
    this.#places = units.places.slice();
    this.#tasks = new Uint32Array(resources.count);
  }

  /** Yields after each task. */
  *plan(): Generator<void> {
    const { firstResource, resources, count } = this.#rows;
    for (let task = 0; task < count; task++) {
      const first = firstResource[task] as number;
      const numbers = this.#resources.ofTask(first, resources[task] as number);
      const rows = Array.from(numbers, (number) => this.#resources.row(number));
      const plan = rows.length === 0 ? undefined : new WritePlan(rows);
      this.plans.push(plan);
      for (const [index, number] of numbers.entries()) {
        this.#places[number] = plan?.placeOf(index) ?? 0;
        this.#tasks[number] = task + 1;
      }
      yield;
    }
  }

  /** The field of a binding that is a resource. */
  field(bindings: PlannedBindings, index: number): PlacedField {
    const resource = (bindings.resource[index] as number) - 1;
    const validity = (bindings.validityResource[index] as number) - 1;
    const codec = this.#codecs.codec(bindings.codec[index] as number);
    const place = registerPlaceOf(this.#resources.row(resource), codec);
    const field = registerField(place, this.#places[resource] as number);
    const isOwn = validity >= 0 && this.#tasks[validity] === this.#tasks[resource];
    const validityBit = isOwn ? this.#bit(validity) : null;
    return { codec, place: null, field, validityBit, ranges: null };
  }

  /** The validity bit of a binding that another task writes; undefined where it has none, or the same task does. */
  foreignValidity(
    bindings: PlannedBindings,
    index: number,
  ): { readonly task: number; readonly bit: BitField } | undefined {
    const resource = (bindings.resource[index] as number) - 1;
    const validity = (bindings.validityResource[index] as number) - 1;
    if (validity < 0 || this.#tasks[validity] === this.#tasks[resource]) return undefined;
    return { task: (this.#tasks[validity] as number) - 1, bit: this.#bit(validity) };
  }

  #bit(resource: number): BitField {
    return validityField(this.#resources.row(resource), this.#places[resource] as number);
  }
}

/** The validity bit of a binding that another task writes. */
class ValidityOutput {
  readonly selector = null;
  readonly ranges = null;
  readonly sent = null;
  isActive = true;
  readonly #binding: OutputBinding;
  readonly #bit: BitField;

  constructor(binding: OutputBinding, bit: BitField) {
    this.#binding = binding;
    this.#bit = bit;
  }

  get signal(): number {
    return this.#binding.signal;
  }

  get isValid(): boolean {
    return this.#binding.isValid;
  }

  get raw(): number {
    return this.isValid ? 1 : 0;
  }

  write(bytes: Uint8Array): void {
    this.#bit.write(bytes, 0, this.raw);
  }
}

export interface CompiledOutputs {
  /** Those of tasks. What is served is numbered behind them, then what clients write. */
  readonly outputs: readonly OutputBinding[];
  /** The task of each output, by number. */
  readonly taskOfOutput: Uint32Array;
  /** The task that writes the validity bit of an output, from 1, where that is another. */
  readonly validityTaskOfOutput: Uint32Array;
  readonly served: readonly ServedOutput[];
  /** By number. */
  readonly tasks: readonly EngineTask[];
  /** How tasks on Modbus write, by number. */
  readonly writePlans: readonly (WritePlan | undefined)[];
}

interface OutputParts {
  readonly image: ProjectImage;
  readonly context: ValueTaskContext;
  readonly codecs: PlanCodecs;
  readonly fields: PlanFields;
  readonly layouts: PlanLayouts;
  readonly resources: PlanResources;
  readonly units: CompiledUnits;
  readonly requests: RequestTasks;
}

const column = (values: ArrayLike<number>, index: number): number => values[index] as number;

/** Compiles what leaves an engine: bindings, then the tasks that send them. */
export class OutputCompiler {
  readonly #parts: OutputParts;
  readonly #rows: ReturnType<typeof outputPlanTable.open>;
  readonly #bindings: ReturnType<typeof bindingPlanTable.open>;
  readonly #shared: ReturnType<typeof bindingStateTable.open>;
  readonly #tasks: ReturnType<typeof taskTable.open>;
  readonly #faultPlan: ReturnType<typeof faultPlanTable.open>;
  readonly #faultStates: ReturnType<typeof faultStateTable.open>;
  readonly #items: WrittenItems;
  /** In the order of the plan. */
  readonly #compiled: OutputBinding[] = [];

  constructor(parts: OutputParts) {
    this.#parts = parts;
    const { image, resources, codecs, units } = parts;
    this.#rows = outputPlanTable.open(image.plan.outputs);
    this.#bindings = bindingPlanTable.open(image.plan.outputBindings);
    this.#shared = bindingStateTable.open(image.state.bindings);
    this.#tasks = taskTable.open(image.tasks);
    this.#faultPlan = faultPlanTable.open(image.plan.faults);
    this.#faultStates = faultStateTable.open(image.state.faults);
    this.#items = new WrittenItems(image, resources, codecs, units);
  }

  /** Yields after each row. */
  *compile(): Generator<void, CompiledOutputs> {
    yield* this.#items.plan();
    const taskOfOutput = yield* this.#compileBindings();
    const outputs = [...this.#compiled];
    const served = yield* this.#compileServed();
    const { tasks, validityTaskOfOutput } = yield* this.#compileTasks(outputs);
    return {
      outputs,
      taskOfOutput,
      validityTaskOfOutput,
      served,
      tasks,
      writePlans: this.#items.plans,
    };
  }

  /** Bindings of tasks. */
  *#compileBindings(): Generator<void, Uint32Array> {
    const taskOfOutput = new Uint32Array(this.#bindings.count);
    for (let task = 0; task < this.#rows.count; task++) {
      const first = column(this.#rows.firstBinding, task);
      const end = first + column(this.#rows.bindings, task);
      for (let binding = first; binding < end; binding++) {
        taskOfOutput[binding] = task;
        this.#compileBinding(binding);
        yield;
      }
    }
    return taskOfOutput;
  }

  *#compileServed(): Generator<void, ServedOutput[]> {
    const { resource: resources, validityResource, count } = this.#bindings;
    const { serverOf, indexInServer } = this.#parts.units;
    const served: ServedOutput[] = [];
    for (let binding = this.#compiled.length; binding < count; binding++) {
      const resource = column(resources, binding) - 1;
      const validity = column(validityResource, binding) - 1;
      served.push({
        binding: this.#compileBinding(binding),
        server: column(serverOf, resource) - 1,
        resource: column(indexInServer, resource),
        validity: validity < 0 ? -1 : column(indexInServer, validity),
      });
      yield;
    }
    return served;
  }

  #compileBinding(index: number): OutputBinding {
    const { codecs, fields, context } = this.#parts;
    const bindings = this.#bindings;
    const signal = column(bindings.signal, index);
    const isMessage = column(bindings.resource, index) === 0;
    const { codec, place, field, validityBit, ranges } = isMessage
      ? fields.field(bindings, index)
      : this.#items.field(bindings, index);
    const encoder = codecs.encoder(codec, context.signals.typeOf(signal));
    const parts = {
      signal,
      state: column(bindings.state, index),
      place,
      field,
      validityBit,
      ranges,
      encoder,
      initialRaw: codecs.initialRaw(context.signals, signal, encoder),
      isFloat: isFloat(codec.raw),
      selector: this.#compiled[column(bindings.selector, index) - 1] ?? null,
    };
    const binding = new OutputBinding(parts, context.signals, this.#shared, context.hot);
    this.#compiled.push(binding);
    return binding;
  }

  *#compileTasks(outputs: readonly OutputBinding[]) {
    const validityTaskOfOutput = new Uint32Array(outputs.length);
    const foreign = new Map<number, ValidityOutput[]>();
    for (const [index, output] of outputs.entries()) {
      const validity = this.#items.foreignValidity(this.#bindings, index);
      if (!validity) continue;
      const { task, bit } = validity;
      validityTaskOfOutput[index] = task + 1;
      foreign.set(task, [...(foreign.get(task) ?? []), new ValidityOutput(output, bit)]);
    }
    const tasks: EngineTask[] = [];
    for (let index = 0; index < this.#rows.count; index++) {
      const first = column(this.#rows.firstBinding, index);
      const own = outputs.slice(first, first + column(this.#rows.bindings, index));
      const policy = policies[column(this.#tasks.policy, index)] ?? null;
      const members = [...own, ...(foreign.get(index) ?? [])];
      tasks.push(policy === null ? this.#requestTask(index) : this.#task(index, policy, members));
      yield;
    }
    return { tasks, validityTaskOfOutput };
  }

  #task(
    number: number,
    policy: 'periodic' | 'on_change',
    members: readonly SnapshotMember[],
  ): ValueTask {
    const rows = this.#rows;
    const { context } = this.#parts;
    const length = this.#items.plans[number]?.length ?? column(rows.length, number);
    const protection = this.#parts.layouts.protection(column(rows.protection, number));
    const faults = this.#faults(column(rows.firstFault, number), column(rows.faults, number));
    return new ValueTask(
      {
        number,
        periodUs: policy === 'periodic' ? 1000 * column(this.#tasks.periodMs, number) : null,
        minIntervalUs: column(rows.minIntervalUs, number),
        members,
        snapshot: new TaskSnapshot(members, length, column(rows.fill, number), context.hot),
        builder: new FrameBuilder(length, protection, faults.mayRepeat),
        faults,
        counts: new FrameCounts(number, members, context),
      },
      context,
    );
  }

  #requestTask(number: number): RequestTask {
    const { context, layouts, requests } = this.#parts;
    const rows = this.#rows;
    const length = column(rows.length, number);
    const protection = layouts.protection(column(rows.protection, number));
    const faults = this.#faults(column(rows.firstFault, number), column(rows.faults, number));
    const builder = new FrameBuilder(length, protection, faults.mayRepeat);
    // Frames of processors have no signals whose age could be told.
    const counts = new FrameCounts(number, [], context);
    const parts = { number, length, builder, faults, counts };
    const task = new RequestTask(parts, context, requests.room);
    requests.add(task);
    return task;
  }

  #faults(first: number, count: number): TaskFaults {
    const { rule: texts } = this.#faultPlan;
    const rules: FaultRule[] = [];
    for (let index = first; index < first + count; index++) {
      const rule = this.#parts.codecs.json<FaultRuleRow>(column(texts, index));
      const { kind, start, every, count: most, byte_offset, mask, value } = rule;
      rules.push({
        place: index,
        kind,
        start,
        every,
        count: most,
        byteOffset: byte_offset ?? 0,
        mask: mask ?? 0,
        value: value === undefined ? undefined : narrowed(BigInt(value)),
      });
    }
    return new TaskFaults(rules, this.#faultStates);
  }
}
