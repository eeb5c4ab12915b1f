import { byteOrders } from '../../database/model.ts';
import { wordOrders } from '../../modbus/pdu/word-order.ts';
import { formatOf, isFloat, type SpecialRaw } from '../codecs/encode-linear.ts';
import { initialRaw, ValueEncoder } from '../codecs/value-encoder.ts';
import { StringPoolBuilder } from '../memory/string-pool.ts';
import { pollReads } from '../modbus/poll-reads.ts';
import type { Project, RowOf } from '../project/project.ts';
import { tableNames } from '../project/table-names.ts';
import { type CodecRow, rawKinds } from '../project/tables/codecs.ts';
import { accesses, modbusTables, staleMsOf } from '../project/tables/modbus-resources.ts';
import { producers, type SignalRow, signalTypes } from '../project/tables/signals.ts';
import { addressesOf } from '../project/validate/modbus-words.ts';
import { parseRawRange, type RawRange } from '../project/validate/mux.ts';
import { savedPieces } from '../project/write-project.ts';
import { parseValue, type SignalValue } from '../values/signal-value.ts';
import { timingGroups, timingWindow } from '../values/task-counters.ts';
import { type EvaluationStep, evaluationOrder } from './evaluation-order.ts';
import {
  bindingStateTable,
  bindingTable,
  codecTable,
  e2eTable,
  endpointTable,
  faultEventBytes,
  faultEventDataTable,
  faultEventTable,
  faultStateTable,
  faultTable,
  instanceStateTable,
  keptFaultEvents,
  labelTable,
  listTable,
  mappingTable,
  messageStateTable,
  messageTable,
  muxRangeTable,
  noBit,
  noBitOffset,
  pluginTable,
  pollFillTable,
  pollTable,
  resourceTable,
  signalStateTable,
  signalTable,
  specialRawTable,
  taskStateTable,
  taskTable,
  timingSampleTable,
  timingTable,
  versionTable,
} from './image-tables.ts';
import {
  endpointRoles,
  modes,
  nativeFormat,
  type ProcessorStep,
  policies,
  specialStates,
} from './image-values.ts';
import {
  groupBy,
  noRows,
  type PlacedBinding,
  type PlacedBindings,
  placeBindings,
  RowLists,
} from './place-bindings.ts';
import { usedPlugins } from './plugin-uses.ts';
import type { ProjectImage } from './project-image.ts';
import { RowNumbers } from './row-numbers.ts';

export const countRows = (project: Project): number =>
  tableNames.reduce((sum, name) => sum + project[name].length, 0);

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

const listOf = (lists: RowLists<number>): SharedArrayBuffer =>
  listTable.from(lists.rows, (number) => ({ number }));

class ImageBuilder {
  readonly #project: Project;
  readonly #strings = new StringPoolBuilder();
  readonly #rows: RowNumbers;
  readonly #bindings: PlacedBindings;
  readonly #codecs: CodecRow[] = [];
  readonly #codecNumbers = new Map<string, number>();
  readonly #shown: ReadonlyMap<number, readonly number[]>;
  readonly #states: Uint32Array;
  readonly #initials: readonly (SignalValue | undefined)[];
  readonly #e2eOfMessage = new Map<string, number>();

  constructor(project: Project) {
    this.#project = project;
    this.#rows = new RowNumbers(project);
    this.#bindings = placeBindings(project);
    this.#initials = project.signals.map(initialOf);
    this.#shown = this.#shownBindings();
    this.#states = new Uint32Array(this.#bindings.shown);
    let state = 0;
    for (const signal of project.signals.keys()) {
      for (const row of this.#shown.get(signal) ?? []) this.#states[row] = state++;
    }
    this.#mergeCodecs();
    for (const [index, { message, pdu }] of project.e2e.entries()) {
      const covered =
        pdu === undefined ? message : project.pdus[this.#rows.of('pdus', pdu)]?.message;
      this.#e2eOfMessage.set(covered ?? '', index + 1);
    }
  }

  build(text: readonly Uint8Array[]): ProjectImage {
    const tables = {
      ...this.#buildSignals(),
      ...this.#buildBindings(),
      ...this.#buildCodecs(),
      messages: this.#buildMessages(),
      e2e: this.#buildE2e(),
      ...this.#buildTasks(),
      ...this.#buildModbus(),
      plugins: pluginTable.from(usedPlugins(this.#project, this.#rows), (plugin) => ({
        plugin: this.#json(plugin),
      })),
    };
    return {
      projectId: this.#project.header.id ?? null,
      rows: countRows(this.#project),
      text: sharedBytes(text),
      ...tables,
      strings: this.#strings.finish(),
      state: this.#buildState(tables.faults),
    };
  }

  #shownBindings(): Map<number, number[]> {
    const { rows, shown } = this.#bindings;
    const rowOf = new Map(rows.slice(0, shown).map(({ row }, index) => [row, index]));
    const inOrder = this.#project.bindings.flatMap((row) => rowOf.get(row) ?? []);
    return groupBy(inOrder, (row) =>
      this.#rows.of('signals', (rows[row] as PlacedBinding).row.signal),
    );
  }

  #mergeCodecs(): void {
    const known = new Map<string, number>();
    for (const codec of this.#project.codecs) {
      const { id, comment: _, ...content } = codec;
      const key = JSON.stringify(content);
      const number = known.get(key) ?? this.#codecs.push(codec) - 1;
      known.set(key, number);
      this.#codecNumbers.set(id, number);
    }
  }

  #codec(id: string): number {
    return this.#codecNumbers.get(id) ?? 0;
  }

  #buildSignals() {
    const { signals } = this.#project;
    const { steps, readers, isDynamic } = this.#findReaders();
    const labels = new RowLists<{ readonly value: string; readonly label: string }>();
    const readerLists = new RowLists<number>();
    const shownLists = new RowLists<number>();
    const byId = orderOf(signals);
    const table = signalTable.from(signals, (signal, index) => {
      const { id, type, producer, unit, waveform } = signal;
      const initial = this.#initials[index];
      const named = labels.add(signal.labels);
      const read = readerLists.add(readers.get(index));
      const shown = shownLists.add(this.#shown.get(index));
      return {
        id: this.#strings.add(id),
        byId: byId[index],
        type: signalTypes.indexOf(type),
        producer: producers.indexOf(producer),
        unit: this.#strings.add(unit),
        hasInitial: initial !== undefined,
        initial,
        isDynamic: isDynamic[index],
        waveform: waveform && this.#json(waveform),
        firstLabel: named.first,
        labels: named.count,
        firstReader: read.first,
        readers: read.count,
        firstShown: shown.first,
        shown: shown.count,
      };
    });
    return {
      signals: table,
      labels: labelTable.from(labels.rows, ({ value, label }) => ({
        value: this.#strings.add(value),
        label: this.#strings.add(label),
      })),
      readers: listOf(readerLists),
      shownBindings: listOf(shownLists),
      ...this.#buildMappings(steps),
    };
  }

  #findReaders() {
    const { signals } = this.#project;
    const steps = evaluationOrder(this.#project);
    const readers = new Map<number, number[]>();
    const isDynamic = Uint8Array.from(signals, ({ producer }) => (producer === 'constant' ? 0 : 1));
    for (const [number, { inputs, outputs, isPeriodic, processor }] of steps.entries()) {
      const read = new Set(inputs.map((id) => this.#rows.of('signals', id)));
      for (const signal of isPeriodic ? [] : read) {
        const known = readers.get(signal);
        if (known) known.push(number);
        else readers.set(signal, [number]);
      }
      // A processor may compute a different result from equal values.
      const changes =
        processor !== undefined || [...read].some((signal) => isDynamic[signal] === 1);
      for (const id of outputs) isDynamic[this.#rows.of('signals', id)] = changes ? 1 : 0;
    }
    return { steps, readers, isDynamic };
  }

  #buildMappings(steps: readonly EvaluationStep[]) {
    const operands = new RowLists<number>();
    const mappings = mappingTable.from(steps, (step) => {
      const { mapping, inputs, outputs } = step;
      const ids = [...inputs, ...outputs];
      return {
        transform: this.#json(mapping?.transform ?? this.#processorStep(step)),
        firstOperand: operands.add(ids.map((id) => this.#rows.of('signals', id))).first,
        inputs: inputs.length,
        outputs: outputs.length,
        maxSkewUs: 1000 * (mapping?.max_skew_ms ?? Number.POSITIVE_INFINITY),
        ttlUs: 1000 * (mapping?.ttl_ms ?? Number.POSITIVE_INFINITY),
      };
    });
    return { mappings, operands: listOf(operands) };
  }

  #processorStep({ processor }: EvaluationStep): ProcessorStep {
    const { id = '', trigger, period_ms: periodMs = 0, send_tasks: tasks = [] } = processor ?? {};
    return {
      kind: 'processor',
      plugin: id,
      periodUs: trigger === 'period' ? 1000 * periodMs : null,
      sendTasks: tasks.map((task) => this.#rows.of('tx_tasks', task)),
    };
  }

  #buildBindings() {
    const { rows, shown } = this.#bindings;
    const ranges = new RowLists<RawRange>();
    const firstRanges = new Map<string, number>();
    const addRanges = (values: readonly string[]): number => {
      const key = values.join();
      const first = firstRanges.get(key) ?? ranges.add(values.map(parseRawRange)).first;
      firstRanges.set(key, first);
      return first;
    };
    const bindings = bindingTable.from(rows, ({ row, byteOffset, selector }, index) => {
      const { mux, resource, validity_bit: bit } = row;
      return {
        id: index < shown ? this.#strings.add(row.id) : 0,
        signal: this.#rows.of('signals', row.signal),
        codec: this.#codec(row.codec),
        resource: this.#rows.numberOf('modbus_resources', resource),
        validityResource: typeof bit === 'string' && this.#rows.numberOf('modbus_resources', bit),
        start: 8 * byteOffset + (row.start_bit ?? 0),
        validityBit: typeof bit === 'number' ? 8 * byteOffset + bit : noBit,
        selector,
        firstRange: mux && addRanges(mux.values),
        ranges: mux?.values.length,
        isChecked: this.#isChecked(row),
        state: this.#states[index],
      };
    });
    const muxRanges = muxRangeTable.from(ranges.rows, ({ from, to }) => ({ low: from, high: to }));
    return { bindings, muxRanges };
  }

  #isChecked({ message, pdu, direction }: PlacedBinding['row']): boolean {
    if (direction === 'tx') return false;
    const { pdus, e2e } = this.#project;
    const covering = pdu === undefined ? message : pdus[this.#rows.of('pdus', pdu)]?.message;
    const check = e2e[(this.#e2eOfMessage.get(covering ?? '') ?? 0) - 1];
    return check !== undefined && (check.pdu === undefined || check.pdu === pdu);
  }

  #buildCodecs() {
    const specials = new RowLists<SpecialRaw>();
    const codecs = codecTable.from(this.#codecs, (codec) => {
      if (codec.kind === 'e2e') return { layout: this.#json(codec) };
      if (codec.kind === 'native') {
        return { plugin: this.#strings.add(codec.plugin), bitLength: codec.bit_length };
      }
      const format = formatOf(codec);
      const { first: firstSpecial, count } = specials.add(format.specials);
      return {
        raw: rawKinds.indexOf(format.raw),
        bitLength: format.bitLength,
        byteOrder: byteOrders.indexOf(format.byteOrder ?? 'intel'),
        wordOrder: wordOrders.indexOf(format.wordOrder ?? 'ABCD'),
        factor: format.factor,
        offset: format.offset,
        rawMin: this.#strings.add(format.rawMin),
        rawMax: this.#strings.add(format.rawMax),
        invalidRaw: this.#strings.add(format.invalidRaw),
        firstSpecial,
        specials: count,
      };
    });
    const specialRaws = specialRawTable.from(specials.rows, ({ raw, state }) => ({
      raw: this.#strings.add(raw),
      state: specialStates.indexOf(state),
    }));
    return { codecs, specialRaws };
  }

  #buildMessages(): SharedArrayBuffer {
    return messageTable.from(this.#project.messages, (message) => {
      const isReceived = message.direction === 'rx';
      const e2e = this.#e2eOfMessage.get(message.id) ?? 0;
      const { first, count } = this.#bindings.ofMessage.get(message.id) ?? noRows;
      return {
        id: isReceived && e2e > 0 && this.#strings.add(message.id),
        isReceived,
        endpoint: this.#rows.of('endpoints', message.endpoint),
        canId: message.can_id,
        extended: message.extended,
        fd: message.fd,
        brs: message.brs,
        length: message.length,
        fill: message.fill,
        staleUs: 1000 * (message.stale_after_ms ?? 0),
        e2e,
        firstBinding: first,
        bindings: count,
      };
    });
  }

  #buildE2e(): SharedArrayBuffer {
    const { e2e, messages, pdus } = this.#project;
    return e2eTable.from(e2e, (row) => {
      const pdu = row.pdu === undefined ? undefined : pdus[this.#rows.of('pdus', row.pdu)];
      const message = messages[this.#rows.of('messages', row.message ?? '')];
      return {
        codec: this.#codec(row.codec),
        at: pdu?.byte_offset,
        length: pdu?.length ?? message?.length,
      };
    });
  }

  #buildTasks() {
    const { tx_tasks: tasks, fault_rules: rules } = this.#project;
    const rowsByTask = groupBy(rules.keys(), (row) => rules[row]?.task);
    const faults = new RowLists<number>();
    const resources = new RowLists<number>();
    const table = taskTable.from(tasks, (task, index) => {
      const policy = task.mode === 'request' ? null : (task.policy ?? 'periodic');
      const { endpoint, periodMs } = this.#destinationOf(task);
      const written = task.resources?.map((id) => this.#rows.of('modbus_resources', id));
      const ofTask = resources.add(written);
      const rulesOfTask = faults.add(rowsByTask.get(task.id));
      const bindings = this.#bindings.ofTask[index] ?? noRows;
      return {
        id: this.#strings.add(task.id),
        policy: policies.indexOf(policy),
        mode: modes.indexOf(task.mode),
        periodMs: policy === 'periodic' ? (task.period_ms ?? periodMs) : 0,
        minIntervalUs: 1000 * (task.min_interval_ms ?? 0),
        endpoint: this.#rows.of('endpoints', endpoint),
        message: this.#rows.numberOf('messages', task.message),
        firstResource: ofTask.first,
        resources: ofTask.count,
        firstBinding: bindings.first,
        bindings: bindings.count,
        firstFault: rulesOfTask.first,
        faults: rulesOfTask.count,
      };
    });
    return {
      tasks: table,
      taskResources: listOf(resources),
      faults: faultTable.from(faults.rows, (row) => ({ row, rule: this.#json(rules[row]) })),
    };
  }

  #destinationOf({ message, resources: [first = ''] = [] }: RowOf<'tx_tasks'>) {
    const { messages, modbus_resources: resources } = this.#project;
    const row =
      message === undefined
        ? resources[this.#rows.of('modbus_resources', first)]
        : messages[this.#rows.of('messages', message)];
    const periodMs = row && 'period_ms' in row ? row.period_ms : undefined;
    return { endpoint: row?.endpoint ?? '', periodMs: periodMs ?? 0 };
  }

  #buildModbus() {
    const { modbus_resources: resources } = this.#project;
    const inOrder = [...resources.keys()].sort((one, other) => {
      const [a, b] = [resources[one], resources[other]] as [Resource, Resource];
      return modbusTables.indexOf(a.table) - modbusTables.indexOf(b.table) || a.address - b.address;
    });
    const byEndpoint = groupBy(inOrder, (row) => resources[row]?.endpoint);
    const ofEndpoints = new RowLists<number>();
    const endpoints = endpointTable.from(this.#project.endpoints, (endpoint) => {
      const { first, count } = ofEndpoints.add(byEndpoint.get(endpoint.id));
      return {
        id: this.#strings.add(endpoint.id),
        network: this.#strings.add(endpoint.network),
        role: endpointRoles.indexOf('role' in endpoint ? endpoint.role : 'can'),
        unit: 'node' in endpoint ? endpoint.node : 0,
        timeoutMs: 'timeout_ms' in endpoint ? endpoint.timeout_ms : 0,
        firstResource: first,
        resources: count,
      };
    });
    return {
      endpoints,
      endpointResources: listOf(ofEndpoints),
      resources: resourceTable.from(resources, (resource) => {
        const { first, count } = this.#bindings.ofResource.get(resource.id) ?? noRows;
        return {
          endpoint: this.#rows.of('endpoints', resource.endpoint),
          table: modbusTables.indexOf(resource.table),
          address: resource.address,
          items: addressesOf(resource),
          bitOffset: resource.bit_offset ?? noBitOffset,
          access: accesses.indexOf(resource.access),
          staleUs: 1000 * staleMsOf(resource),
          firstBinding: first,
          bindings: count,
        };
      }),
      ...this.#buildPolls(),
    };
  }

  #buildPolls() {
    const fills = new RowLists<{ readonly resource: Resource; readonly at: number }>();
    const polls = pollTable.from(pollReads(this.#project.modbus_resources), (poll) => {
      const { first: firstFill, count } = fills.add(poll.fills);
      return {
        endpoint: this.#rows.of('endpoints', poll.endpoint),
        table: modbusTables.indexOf(poll.fills[0]?.resource.table ?? 'holding'),
        address: poll.request.address,
        items: poll.request.count,
        pollMs: poll.pollMs,
        firstFill,
        fills: count,
      };
    });
    const pollFills = pollFillTable.from(fills.rows, ({ resource, at }) => ({
      resource: this.#rows.of('modbus_resources', resource.id),
      at,
    }));
    return { polls, pollFills };
  }

  #buildState(faults: SharedArrayBuffer): ProjectImage['state'] {
    const { signals, tx_tasks: tasks, messages, fault_rules: rules } = this.#project;
    const groups = tasks.length * timingGroups.length;
    const kept = rules.length === 0 ? 0 : keptFaultEvents;
    return {
      version: versionTable.create(1).buffer,
      signals: signalStateTable.from(signals, (_, index) => {
        const value = this.#initials[index];
        return { value, hasValue: value !== undefined, observedUs: Number.NaN };
      }),
      bindings: this.#buildBindingState(),
      // Memory that is never written is never allocated.
      tasks: taskStateTable.create(tasks.length + 1).buffer,
      timings: timingTable.create(groups).buffer,
      timingSamples: timingSampleTable.create(groups * timingWindow).buffer,
      messages: messageStateTable.create(messages.length).buffer,
      faults: faultStateTable.from([...faultTable.open(faults).row], (row) => ({
        enabled: rules[row]?.enabled,
      })),
      faultEvents: faultEventTable.create(kept).buffer,
      faultEventData: faultEventDataTable.create(kept * faultEventBytes).buffer,
      instance: instanceStateTable.create(1).buffer,
    };
  }

  #buildBindingState(): SharedArrayBuffer {
    const { rows, shown } = this.#bindings;
    const { buffer, columns } = bindingStateTable.create(shown);
    const formats = this.#codecs.map((codec) =>
      codec.kind === 'linear' ? formatOf(codec) : nativeFormat,
    );
    const encoders = formats.map((format) => new ValueEncoder(format));
    for (let index = 0; index < shown; index++) {
      const { row } = rows[index] as PlacedBinding;
      const codec = this.#codec(row.codec);
      const encoder = encoders[codec] as ValueEncoder;
      const raw =
        encoder.invalidRaw ??
        initialRaw(encoder, this.#initials[this.#rows.of('signals', row.signal)]);
      columns.raw.put(
        this.#states[index] as number,
        raw,
        isFloat((formats[codec] ?? nativeFormat).raw),
      );
    }
    return buffer;
  }

  #json(value: unknown): number {
    return this.#strings.add(JSON.stringify(value));
  }
}

type Resource = RowOf<'modbus_resources'>;

const orderOf = (rows: readonly { readonly id: string }[]): Uint32Array => {
  const idAt = (index: number): string => rows[index]?.id ?? '';
  // Ids are ASCII, so string order is byte order.
  return Uint32Array.from(rows.keys()).sort((one, other) => (idAt(one) < idAt(other) ? -1 : 1));
};

const initialOf = ({ type, initial }: SignalRow): SignalValue | undefined =>
  initial === undefined ? undefined : parseValue(type, initial);

/** Builds the image of a valid project. `text` is the saved file. */
export const buildImage = (
  project: Project,
  text: readonly Uint8Array[] = savedPieces(project, Number.POSITIVE_INFINITY) ?? [],
): ProjectImage => new ImageBuilder(project).build(text);
