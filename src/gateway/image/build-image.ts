import { LinearEncoder, type WireFormat, wireFormatOf } from '../codecs/encode-linear.ts';
import { StringPoolBuilder } from '../memory/string-pool.ts';
import { buildPlan } from '../plan/build-plan.ts';
import type { EnginePlan } from '../plan/engine-plan.ts';
import { faultPlanTable, inputMessageTable } from '../plan/plan-tables.ts';
import { RowNumbers } from '../plan/row-numbers.ts';
import { tableNames } from '../project/fields.ts';
import type { Project } from '../project/project.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import { type CodecRow, rawKinds } from '../project/tables/codecs.ts';
import { producers, type SignalRow, signalTypes } from '../project/tables/signals.ts';
import type { TxTaskRow } from '../project/tables/tx-tasks.ts';
import { savedPieces } from '../project/write-project.ts';
import { decimalOfValue, parseValue, type SignalValue } from '../values/signal-value.ts';
import { timingGroups, timingWindow } from '../values/task-counters.ts';
import {
  bindingStateTable,
  bindingTable,
  codecTable,
  endpointTable,
  faultEventBytes,
  faultEventDataTable,
  faultEventTable,
  faultStateTable,
  inputStateTable,
  instanceStateTable,
  keptFaultEvents,
  labelTable,
  reservedRawTable,
  signalStateTable,
  signalTable,
  taskStateTable,
  taskTable,
  timingSampleTable,
  timingTable,
  versionTable,
} from './image-tables.ts';
import { endpointKinds, modes, policies, taskKinds } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

/** How many rows a project has in all. */
export const countRows = (project: Project): number =>
  tableNames.reduce((sum, name) => sum + project[name].length, 0);

/** Raws of codecs that only a plugin understands are shown as the bits they are. */
const formatOf = (codec: CodecRow): WireFormat => {
  if (codec.kind === 'linear') return wireFormatOf(codec);
  return { raw: 'unsigned', bitLength: 64, factor: 1, offset: 0, reserved: [] };
};

/** Pieces one after another, in memory that all threads see. */
const sharedBytes = (pieces: readonly Uint8Array[]): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(pieces.reduce((sum, bytes) => sum + bytes.length, 0));
  const whole = new Uint8Array(buffer);
  let offset = 0;
  for (const bytes of pieces) {
    whole.set(bytes, offset);
    offset += bytes.length;
  }
  return buffer;
};

class ImageBuilder {
  readonly #project: Project;
  readonly #strings = new StringPoolBuilder();
  readonly #formats: readonly WireFormat[];
  readonly #encoders = new Map<number, LinearEncoder>();
  readonly #rows: RowNumbers;

  constructor(project: Project) {
    this.#project = project;
    this.#formats = project.codecs.map(formatOf);
    this.#rows = new RowNumbers(project);
  }

  build(text: readonly Uint8Array[]): ProjectImage {
    const bindings = this.#shownBindings();
    const shown = this.#project.signals.map(({ id }) => bindings.get(id) ?? []);
    const states = new Map(shown.flat().map(({ id }, index) => [id, index]));
    const tables = {
      endpoints: this.#buildEndpoints(),
      ...this.#buildSignals(shown),
      bindings: this.#buildBindings(shown.flat()),
      ...this.#buildCodecs(),
      tasks: this.#buildTasks(),
      plan: buildPlan(this.#project, this.#strings, states),
    };
    return {
      projectId: this.#project.header.id ?? null,
      rows: countRows(this.#project),
      plugins: this.#project.plugins.length,
      text: sharedBytes(text),
      ...tables,
      strings: this.#strings.finish(),
      state: this.#buildState(shown, tables.plan),
    };
  }

  /** The bindings of each signal that have a raw of ours: sent, served, or written to by clients. */
  #shownBindings(): Map<string, BindingRow[]> {
    const external = new Set(
      this.#project.modbus_resources
        .filter(({ access }) => access === 'external')
        .map(({ id }) => id),
    );
    const shown = new Map<string, BindingRow[]>();
    for (const binding of this.#project.bindings) {
      const isMirror = binding.resource !== undefined && external.has(binding.resource);
      if (binding.direction !== 'tx' && !isMirror) continue;
      const others = shown.get(binding.signal);
      if (others) others.push(binding);
      else shown.set(binding.signal, [binding]);
    }
    return shown;
  }

  #buildEndpoints(): SharedArrayBuffer {
    const { endpoints } = this.#project;
    const { buffer, columns } = endpointTable.create(endpoints.length);
    for (const [index, { id, kind, network }] of endpoints.entries()) {
      columns.id[index] = this.#strings.add(id);
      columns.kind[index] = endpointKinds.indexOf(kind);
      columns.network[index] = this.#strings.add(network);
    }
    return buffer;
  }

  #buildSignals(shown: readonly (readonly BindingRow[])[]) {
    const { signals } = this.#project;
    const labels = labelTable.create(
      signals.reduce((sum, signal) => sum + (signal.labels?.length ?? 0), 0),
    );
    const { buffer, columns } = signalTable.create(signals.length);
    let nextLabel = 0;
    let nextBinding = 0;
    for (const [index, signal] of signals.entries()) {
      columns.id[index] = this.#strings.add(signal.id);
      columns.type[index] = signalTypes.indexOf(signal.type);
      columns.producer[index] = producers.indexOf(signal.producer);
      columns.unit[index] = this.#strings.add(signal.unit);
      columns.firstLabel[index] = nextLabel;
      columns.labels[index] = signal.labels?.length ?? 0;
      for (const { value, label } of signal.labels ?? []) {
        labels.columns.value[nextLabel] = this.#strings.add(value);
        labels.columns.label[nextLabel] = this.#strings.add(label);
        nextLabel += 1;
      }
      columns.firstBinding[index] = nextBinding;
      columns.bindings[index] = shown[index]?.length ?? 0;
      nextBinding += columns.bindings[index];
    }
    columns.byId.set(orderOf(signals));
    return { signals: buffer, labels: labels.buffer };
  }

  #buildBindings(shown: readonly BindingRow[]): SharedArrayBuffer {
    const { buffer, columns } = bindingTable.create(shown.length);
    for (const [index, { id, codec }] of shown.entries()) {
      columns.id[index] = this.#strings.add(id);
      columns.codec[index] = this.#rows.of('codecs', codec);
    }
    return buffer;
  }

  #buildCodecs() {
    const reserved = reservedRawTable.create(
      this.#formats.reduce((sum, format) => sum + format.reserved.length, 0),
    );
    const { buffer, columns } = codecTable.create(this.#formats.length);
    let next = 0;
    for (const [index, format] of this.#formats.entries()) {
      columns.raw[index] = rawKinds.indexOf(format.raw);
      columns.bitLength[index] = format.bitLength;
      columns.factor[index] = format.factor;
      columns.offset[index] = format.offset;
      columns.rawMin[index] = this.#strings.add(format.rawMin);
      columns.rawMax[index] = this.#strings.add(format.rawMax);
      columns.invalidRaw[index] = this.#strings.add(format.invalidRaw);
      columns.firstReserved[index] = next;
      columns.reserved[index] = format.reserved.length;
      for (const raw of format.reserved) reserved.columns.raw[next++] = this.#strings.add(raw);
    }
    return { codecs: buffer, reservedRaws: reserved.buffer };
  }

  #buildTasks(): SharedArrayBuffer {
    const { tx_tasks: tasks } = this.#project;
    const { buffer, columns } = taskTable.create(tasks.length);
    for (const [index, task] of tasks.entries()) {
      const policy = task.mode === 'request' ? null : (task.policy ?? 'periodic');
      const { kind, endpoint, periodMs } = this.#destinationOf(task);
      columns.id[index] = this.#strings.add(task.id);
      columns.kind[index] = taskKinds.indexOf(kind);
      columns.policy[index] = policies.indexOf(policy);
      columns.mode[index] = modes.indexOf(task.mode);
      columns.periodMs[index] = policy === 'periodic' ? (task.period_ms ?? periodMs) : 0;
      columns.endpoint[index] = this.#rows.of('endpoints', endpoint);
    }
    return buffer;
  }

  #destinationOf({ message, resources: [first = ''] = [] }: TxTaskRow) {
    const { messages, modbus_resources: resources } = this.#project;
    if (message === undefined) {
      const endpoint = resources[this.#rows.of('modbus_resources', first)]?.endpoint ?? '';
      return { kind: 'modbus', endpoint, periodMs: 0 } as const;
    }
    const row = messages[this.#rows.of('messages', message)];
    return { kind: 'can', endpoint: row?.endpoint ?? '', periodMs: row?.period_ms ?? 0 } as const;
  }

  /** What an instance begins with: nothing was observed, and signals have their initial values. */
  #buildState(shown: readonly (readonly BindingRow[])[], plan: EnginePlan) {
    const { signals } = this.#project;
    const ofSignals = signalStateTable.create(signals.length);
    const ofBindings = bindingStateTable.create(shown.reduce((sum, { length }) => sum + length, 0));
    let next = 0;
    for (const [index, signal] of signals.entries()) {
      const initial = initialOf(signal);
      ofSignals.columns.observedUs[index] = Number.NaN;
      if (initial !== undefined) {
        ofSignals.columns.hasValue[index] = 1;
        ofSignals.columns.value.set(index, initial);
      }
      for (const { codec } of shown[index] ?? []) {
        const encoder = this.#encoderOf(this.#rows.of('codecs', codec));
        ofBindings.columns.raw.set(next, encoder.rawOfInvalid(initialDecimal(initial)));
        next += 1;
      }
    }
    return {
      version: versionTable.create(1).buffer,
      signals: ofSignals.buffer,
      bindings: ofBindings.buffer,
      ...this.#buildTaskState(plan),
    };
  }

  /** Memory that is not touched before the first start, and so takes no room until then. */
  #buildTaskState(plan: EnginePlan) {
    const { length } = this.#project.tx_tasks;
    const groups = length * timingGroups.length;
    return {
      tasks: taskStateTable.create(length + 1).buffer,
      timings: timingTable.create(groups).buffer,
      timingSamples: timingSampleTable.create(groups * timingWindow).buffer,
      inputs: inputStateTable.create(inputMessageTable.open(plan.inputMessages).count).buffer,
      ...this.#buildFaultState(plan),
      instance: instanceStateTable.create(1).buffer,
    };
  }

  #buildFaultState({ faults }: EnginePlan) {
    const { row } = faultPlanTable.open(faults);
    const { buffer, columns } = faultStateTable.create(row.length);
    for (const [place, number] of row.entries()) {
      columns.enabled[place] = this.#project.fault_rules[number]?.enabled ? 1 : 0;
    }
    const kept = row.length === 0 ? 0 : keptFaultEvents;
    return {
      faults: buffer,
      faultEvents: faultEventTable.create(kept).buffer,
      faultEventData: faultEventDataTable.create(kept * faultEventBytes).buffer,
    };
  }

  #encoderOf(codec: number): LinearEncoder {
    const known = this.#encoders.get(codec);
    if (known) return known;
    const encoder = new LinearEncoder(this.#formats[codec] as WireFormat);
    this.#encoders.set(codec, encoder);
    return encoder;
  }
}

/** Row numbers in the order of ids. */
const orderOf = (rows: readonly { readonly id: string }[]): Uint32Array => {
  const idAt = (index: number): string => rows[index]?.id ?? '';
  // Ids are plain ASCII, so that their order is that of their bytes.
  return Uint32Array.from(rows.keys()).sort((one, other) => (idAt(one) < idAt(other) ? -1 : 1));
};

const initialOf = ({ type, initial }: SignalRow): SignalValue | undefined =>
  initial === undefined ? undefined : parseValue(type, initial);

const initialDecimal = (initial: SignalValue | undefined) =>
  initial === undefined ? undefined : decimalOfValue(initial);

/** Makes the image of a project that was validated; `text` is the file as it is to be saved. */
export const buildImage = (
  project: Project,
  text: readonly Uint8Array[] = savedPieces(project, Number.POSITIVE_INFINITY) ?? [],
): ProjectImage => new ImageBuilder(project).build(text);
