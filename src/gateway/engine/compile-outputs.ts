import type { BitField } from '../codecs/bit-field.ts';
import { isFloat } from '../codecs/encode-linear.ts';
import { initialRaw } from '../codecs/value-encoder.ts';
import { narrowed } from '../codecs/wire-field.ts';
import type { ImageReader } from '../image/image-reader.ts';
import {
  bindingStateTable,
  bindingTable,
  faultStateTable,
  faultTable,
  listTable,
  messageTable,
  taskTable,
} from '../image/image-tables.ts';
import { policies } from '../image/image-values.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { registerField, registerPlaceOf, validityField } from '../modbus/register-field.ts';
import { TaskWrites } from '../modbus/task-writes.ts';
import type { FaultRuleRow } from '../project/tables/fault-rules.ts';
import type { CompiledUnits } from './compile-units.ts';
import type { EngineTask } from './engine-task.ts';
import { FrameBuilder } from './frame-builder.ts';
import { FrameCounts } from './frame-counts.ts';
import { OutputBinding, type ServedOutput } from './output-binding.ts';
import { RequestTask, type RequestTasks } from './request-task.ts';
import { type FaultRule, TaskFaults } from './task-faults.ts';
import { type SnapshotMember, TaskSnapshot } from './task-snapshot.ts';
import { ValueTask, type ValueTaskContext } from './value-task.ts';
import type { PlacedField, WireParts } from './wire-parts.ts';

class WrittenItems {
  readonly writes: (TaskWrites | undefined)[] = [];
  readonly #reader: ImageReader;
  readonly #wires: WireParts;
  readonly #rows: ReturnType<typeof taskTable.open>;
  readonly #taskResources: Uint32Array;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #places: Uint32Array;
  readonly #tasks: Uint32Array;

  constructor({ image, reader, wires, units }: OutputParts) {
    this.#reader = reader;
    this.#wires = wires;
    this.#rows = taskTable.open(image.tasks);
    this.#taskResources = listTable.open(image.taskResources).number;
    this.#bindings = bindingTable.open(image.bindings);
    this.#places = units.places.slice();
    this.#tasks = new Uint32Array(this.#places.length);
  }

  *place(): Generator<void> {
    const { firstResource, resources, count } = this.#rows;
    for (let task = 0; task < count; task++) {
      const first = firstResource[task] as number;
      const end = first + (resources[task] as number);
      const numbers = this.#taskResources.subarray(first, end);
      const rows = Array.from(numbers, (number) => this.#reader.resource(number));
      const writes = rows.length === 0 ? undefined : new TaskWrites(rows);
      this.writes.push(writes);
      for (const [index, number] of numbers.entries()) {
        this.#places[number] = writes?.placeOf(index) ?? 0;
        this.#tasks[number] = task + 1;
      }
      yield;
    }
  }

  field(index: number): PlacedField {
    const resource = (this.#bindings.resource[index] as number) - 1;
    const validity = (this.#bindings.validityResource[index] as number) - 1;
    const place = registerPlaceOf(this.#reader.resource(resource), this.#wires.formatOf(index));
    const field = registerField(place, this.#places[resource] as number);
    const isOwn = validity >= 0 && this.#tasks[validity] === this.#tasks[resource];
    const validityBit = isOwn ? this.#bit(validity) : null;
    return { place: null, field, validityBit, ranges: null };
  }

  /** Returns the validity bit of a binding that another task writes; otherwise undefined. */
  foreignValidity(index: number): { readonly task: number; readonly bit: BitField } | undefined {
    const resource = (this.#bindings.resource[index] as number) - 1;
    const validity = (this.#bindings.validityResource[index] as number) - 1;
    if (validity < 0 || this.#tasks[validity] === this.#tasks[resource]) return undefined;
    return { task: (this.#tasks[validity] as number) - 1, bit: this.#bit(validity) };
  }

  #bit(resource: number): BitField {
    return validityField(this.#reader.resource(resource), this.#places[resource] as number);
  }
}

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
  readonly outputs: readonly OutputBinding[];
  readonly taskOfOutput: Uint32Array;
  /**
   * Number of the task, from 1, that writes the validity bit of an output; 0 if it is the
   * output's own task.
   */
  readonly validityTaskOfOutput: Uint32Array;
  readonly served: readonly ServedOutput[];
  readonly tasks: readonly EngineTask[];
  readonly taskWrites: readonly (TaskWrites | undefined)[];
}

interface OutputParts {
  readonly image: ProjectImage;
  readonly context: ValueTaskContext;
  readonly reader: ImageReader;
  readonly wires: WireParts;
  readonly units: CompiledUnits;
  readonly requests: RequestTasks;
}

const column = (values: ArrayLike<number>, index: number): number => values[index] as number;

export class OutputCompiler {
  readonly #parts: OutputParts;
  readonly #rows: ReturnType<typeof taskTable.open>;
  readonly #messages: ReturnType<typeof messageTable.open>;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #shared: ReturnType<typeof bindingStateTable.open>;
  readonly #faultRules: Uint32Array;
  readonly #faultStates: ReturnType<typeof faultStateTable.open>;
  readonly #items: WrittenItems;
  readonly #compiled: OutputBinding[] = [];

  constructor(parts: OutputParts) {
    this.#parts = parts;
    const { image } = parts;
    this.#rows = taskTable.open(image.tasks);
    this.#messages = messageTable.open(image.messages);
    this.#bindings = bindingTable.open(image.bindings);
    this.#shared = bindingStateTable.open(image.state.bindings);
    this.#faultRules = faultTable.open(image.faults).rule;
    this.#faultStates = faultStateTable.open(image.state.faults);
    this.#items = new WrittenItems(parts);
  }

  *compile(): Generator<void, CompiledOutputs> {
    yield* this.#items.place();
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
      taskWrites: this.#items.writes,
    };
  }

  *#compileBindings(): Generator<void, Uint32Array> {
    const taskOfOutput = new Uint32Array(this.#shared.count);
    for (let task = 0; task < this.#rows.count; task++) {
      const first = column(this.#rows.firstBinding, task);
      const end = first + column(this.#rows.bindings, task);
      for (let binding = first; binding < end; binding++) {
        taskOfOutput[binding] = task;
        this.#compileBinding(binding, first);
        yield;
      }
    }
    return taskOfOutput;
  }

  *#compileServed(): Generator<void, ServedOutput[]> {
    const { resource: resources, validityResource } = this.#bindings;
    const { serverOf, indexInServer, mirrors } = this.#parts.units;
    const served: ServedOutput[] = [];
    const end = this.#shared.count - mirrors.length;
    for (let binding = this.#compiled.length; binding < end; binding++) {
      const resource = column(resources, binding) - 1;
      const validity = column(validityResource, binding) - 1;
      served.push({
        binding: this.#compileBinding(binding, 0),
        server: column(serverOf, resource) - 1,
        resource: column(indexInServer, resource),
        validity: validity < 0 ? -1 : column(indexInServer, validity),
      });
      yield;
    }
    return served;
  }

  #compileBinding(index: number, firstOfTask: number): OutputBinding {
    const { wires, context } = this.#parts;
    const bindings = this.#bindings;
    const signal = column(bindings.signal, index);
    const isMessage = column(bindings.resource, index) === 0;
    const { place, field, validityBit, ranges } = isMessage
      ? wires.field(index)
      : this.#items.field(index);
    const encoder = wires.encoder(index, context.signals.typeOf(signal));
    const selector = column(bindings.selector, index);
    const parts = {
      signal,
      state: column(bindings.state, index),
      place,
      field,
      validityBit,
      ranges,
      encoder,
      initialRaw: initialRaw(encoder, context.signals.initialOf(signal)),
      isFloat: isFloat(wires.formatOf(index).raw),
      selector: selector === 0 ? null : (this.#compiled[firstOfTask + selector - 1] ?? null),
    };
    const binding = new OutputBinding(parts, context.signals, this.#shared, context.hot);
    this.#compiled.push(binding);
    return binding;
  }

  *#compileTasks(outputs: readonly OutputBinding[]) {
    const validityTaskOfOutput = new Uint32Array(outputs.length);
    const foreign = new Map<number, ValidityOutput[]>();
    for (const [index, output] of outputs.entries()) {
      const validity = this.#items.foreignValidity(index);
      if (!validity) continue;
      const { task, bit } = validity;
      validityTaskOfOutput[index] = task + 1;
      foreign.set(task, [...(foreign.get(task) ?? []), new ValidityOutput(output, bit)]);
    }
    const tasks: EngineTask[] = [];
    for (let index = 0; index < this.#rows.count; index++) {
      const first = column(this.#rows.firstBinding, index);
      const own = outputs.slice(first, first + column(this.#rows.bindings, index));
      const policy = policies[column(this.#rows.policy, index)] ?? null;
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
    const message = column(rows.message, number) - 1;
    const length = this.#items.writes[number]?.length ?? column(this.#messages.length, message);
    const fill = message < 0 ? 0 : column(this.#messages.fill, message);
    const protection = this.#protection(message);
    const faults = this.#faults(column(rows.firstFault, number), column(rows.faults, number));
    return new ValueTask(
      {
        number,
        periodUs: policy === 'periodic' ? 1000 * column(this.#rows.periodMs, number) : null,
        minIntervalUs: column(rows.minIntervalUs, number),
        members,
        snapshot: new TaskSnapshot(members, length, fill, context.hot),
        builder: new FrameBuilder(length, protection, faults.mayRepeat),
        faults,
        counts: new FrameCounts(number, members, context),
      },
      context,
    );
  }

  #requestTask(number: number): RequestTask {
    const { context, requests } = this.#parts;
    const rows = this.#rows;
    const message = column(rows.message, number) - 1;
    const length = column(this.#messages.length, message);
    const protection = this.#protection(message);
    const faults = this.#faults(column(rows.firstFault, number), column(rows.faults, number));
    const builder = new FrameBuilder(length, protection, faults.mayRepeat);
    const counts = new FrameCounts(number, [], context);
    const parts = { number, length, builder, faults, counts };
    const task = new RequestTask(parts, context, requests.room);
    requests.add(task);
    return task;
  }

  #protection(message: number) {
    return this.#parts.wires.protection(message < 0 ? 0 : column(this.#messages.e2e, message));
  }

  #faults(first: number, count: number): TaskFaults {
    const rules: FaultRule[] = [];
    for (let index = first; index < first + count; index++) {
      const rule = this.#parts.reader.json<FaultRuleRow>(column(this.#faultRules, index));
      const { kind, start, every, count: max, byte_offset, mask, value } = rule;
      rules.push({
        place: index,
        kind,
        start,
        every,
        count: max,
        byteOffset: byte_offset ?? 0,
        mask: mask ?? 0,
        value: value === undefined ? undefined : narrowed(BigInt(value)),
      });
    }
    return new TaskFaults(rules, this.#faultStates);
  }
}
