import { BitField } from '../codecs/bit-field.ts';
import { decodedFormatOf, LinearDecoder } from '../codecs/decode-linear.ts';
import { bitLengthOf, isFloat, type Raw, wireFormatOf } from '../codecs/encode-linear.ts';
import { ValueEncoder } from '../codecs/value-encoder.ts';
import { narrowed, type WireField, wireField } from '../codecs/wire-field.ts';
import { Checker } from '../e2e/checker.ts';
import { compileLayout } from '../e2e/layout.ts';
import { Protector } from '../e2e/protector.ts';
import { bindingStateTable, faultStateTable, taskTable } from '../image/image-tables.ts';
import { policies } from '../image/image-values.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { StringPool } from '../memory/string-pool.ts';
import {
  bindingPlanTable,
  codecPlanTable,
  e2ePlanTable,
  faultPlanTable,
  inputMessageTable,
  mappingPlanTable,
  muxRangeTable,
  noBit,
  numberListTable,
  outputPlanTable,
  signalPlanTable,
} from '../plan/plan-tables.ts';
import type { E2eCodec, LinearCodec } from '../project/tables/codecs.ts';
import type { FaultRuleRow } from '../project/tables/fault-rules.ts';
import type { SignalType, Waveform } from '../project/tables/signals.ts';
import { type BuiltInTransform, compileTransform } from '../transforms/compile-transform.ts';
import { compileWaveform } from '../transforms/compile-waveform.ts';
import { Slots } from '../values/slots.ts';
import { CanTask, type CanTaskContext } from './can-task.ts';
import { FrameBuilder, type OutputProtection } from './frame-builder.ts';
import { InputBinding } from './input-binding.ts';
import { InputCheck } from './input-check.ts';
import { InputMessage } from './input-message.ts';
import { Mapping } from './mapping.ts';
import { MuxRangeList } from './mux.ts';
import { OutputBinding } from './output-binding.ts';
import type { SignalStates } from './signal-states.ts';
import { type FaultRule, type FaultStates, TaskFaults } from './task-faults.ts';
import { TaskSnapshot } from './task-snapshot.ts';
import { WaveformSignal } from './waveform-signal.ts';

/** A message as it is looked up: by endpoint, identifier and its format. */
export interface CompiledInput {
  readonly endpoint: number;
  readonly canId: number;
  readonly extended: boolean;
  readonly message: InputMessage;
}

/** The working parts of an engine, made of its plan. */
export interface CompiledEngine {
  readonly inputs: readonly CompiledInput[];
  readonly mappings: readonly Mapping[];
  readonly waveforms: readonly WaveformSignal[];
  readonly outputs: readonly OutputBinding[];
  /** The task of each output, by number. */
  readonly taskOfOutput: Uint32Array;
  /** By number; undefined for tasks that are not on CAN, or that processors feed. */
  readonly tasks: readonly (CanTask | undefined)[];
}

type Cells = ReturnType<typeof muxRangeTable.open>['low'];

const column = (values: ArrayLike<number>, index: number): number => values[index] as number;

/**
 * Compiles plans. It takes one row after another and stops in between, so that a thread with deadlines can do it
 * in slices.
 */
export class EngineCompiler {
  readonly #image: ProjectImage;
  readonly #signals: SignalStates;
  readonly #context: CanTaskContext;
  readonly #strings: StringPool;
  readonly #codecs: ReturnType<typeof codecPlanTable.open>;
  readonly #e2e: ReturnType<typeof e2ePlanTable.open>;
  readonly #ranges: ReturnType<typeof muxRangeTable.open>;
  readonly #outputs: ReturnType<typeof outputPlanTable.open>;
  readonly #tasks: ReturnType<typeof taskTable.open>;
  readonly #faultPlan: ReturnType<typeof faultPlanTable.open>;
  readonly #faultStates: FaultStates;
  readonly #known = new Map<number, LinearCodec>();
  readonly #decoders = new Map<LinearCodec, Map<SignalType, LinearDecoder>>();
  readonly #encoders = new Map<LinearCodec, ValueEncoder>();

  constructor(image: ProjectImage, context: CanTaskContext) {
    this.#image = image;
    this.#signals = context.signals;
    this.#context = context;
    this.#strings = new StringPool(image.strings);
    this.#codecs = codecPlanTable.open(image.plan.codecs);
    this.#e2e = e2ePlanTable.open(image.plan.e2e);
    this.#ranges = muxRangeTable.open(image.plan.muxRanges);
    this.#outputs = outputPlanTable.open(image.plan.outputs);
    this.#tasks = taskTable.open(image.tasks);
    this.#faultPlan = faultPlanTable.open(image.plan.faults);
    this.#faultStates = faultStateTable.open(image.state.faults);
  }

  /** Yields after each row. */
  *compile(): Generator<void, CompiledEngine> {
    const inputs = yield* this.#compileInputs();
    const mappings = yield* this.#compileMappings();
    const waveforms = yield* this.#compileWaveforms();
    const outputs = yield* this.#compileOutputs();
    return { inputs, mappings, waveforms, ...outputs };
  }

  *#compileInputs(): Generator<void, CompiledInput[]> {
    const { plan } = this.#image;
    const messages = inputMessageTable.open(plan.inputMessages);
    const bindings = bindingPlanTable.open(plan.inputBindings);
    const compiled: InputBinding[] = [];
    const inputs: CompiledInput[] = [];
    for (let index = 0; index < messages.count; index++) {
      const check = this.#check(column(messages.check, index));
      const first = column(messages.firstBinding, index);
      const end = first + column(messages.bindings, index);
      for (let binding = first; binding < end; binding++) {
        const { codec, field, validityBit, ranges } = this.#place(bindings, binding);
        const signal = column(bindings.signal, binding);
        const parts = {
          signal,
          field,
          validityBit,
          ranges,
          decoder: this.#decoder(codec, this.#signals.typeOf(signal)),
          selector: compiled[column(bindings.selector, binding) - 1] ?? null,
          check: column(bindings.check, binding) === 0 ? null : check,
          staleUs: column(messages.staleUs, index),
        };
        compiled.push(new InputBinding(parts, this.#signals, this.#context.time));
        yield;
      }
      const own = compiled.slice(first, end);
      const covered = own.filter((_, place) => column(bindings.check, first + place) !== 0);
      const length = column(messages.length, index);
      inputs.push({
        endpoint: column(messages.endpoint, index),
        canId: column(messages.canId, index),
        extended: column(messages.extended, index) === 1,
        message: new InputMessage({ length, bindings: own, check, covered }),
      });
      yield;
    }
    return inputs;
  }

  *#compileMappings(): Generator<void, Mapping[]> {
    const { plan } = this.#image;
    const rows = mappingPlanTable.open(plan.mappings);
    const { number: operands } = numberListTable.open(plan.operands);
    const mappings: Mapping[] = [];
    for (let index = 0; index < rows.count; index++) {
      const first = column(rows.firstOperand, index);
      const middle = first + column(rows.inputs, index);
      const inputs = [...operands.subarray(first, middle)];
      const outputs = [...operands.subarray(middle, middle + column(rows.outputs, index))];
      const transform = this.#json<BuiltInTransform>(column(rows.transform, index));
      const program = compileTransform(transform, this.#types(inputs), this.#types(outputs));
      const maxSkewUs = column(rows.maxSkewUs, index);
      const ttlUs = column(rows.ttlUs, index);
      const parts = { number: index, program, inputs, outputs, maxSkewUs, ttlUs };
      mappings.push(new Mapping(parts, this.#signals, this.#context.time));
      yield;
    }
    return mappings;
  }

  *#compileWaveforms(): Generator<void, WaveformSignal[]> {
    const { waveform: texts, count } = signalPlanTable.open(this.#image.plan.signals);
    const waveforms: WaveformSignal[] = [];
    for (let signal = 0; signal < count; signal++) {
      if (column(texts, signal) === 0) continue;
      const waveform = this.#json<Waveform>(column(texts, signal));
      const program = compileWaveform(waveform, this.#signals.typeOf(signal));
      const sampleUs = 1000 * waveform.sample_ms;
      const { time } = this.#context;
      waveforms.push(new WaveformSignal(signal, program, sampleUs, this.#signals, time));
      yield;
    }
    return waveforms;
  }

  *#compileOutputs() {
    const { plan, state } = this.#image;
    const rows = this.#outputs;
    const bindings = bindingPlanTable.open(plan.outputBindings);
    const shared = bindingStateTable.open(state.bindings);
    const outputs: OutputBinding[] = [];
    const taskOfOutput = new Uint32Array(bindings.count);
    const tasks: (CanTask | undefined)[] = [];
    for (let index = 0; index < rows.count; index++) {
      const first = column(rows.firstBinding, index);
      const end = first + column(rows.bindings, index);
      for (let binding = first; binding < end; binding++) {
        const { codec, field, validityBit, ranges } = this.#place(bindings, binding);
        const signal = column(bindings.signal, binding);
        const encoder = this.#encoder(codec);
        const parts = {
          signal,
          state: column(bindings.state, binding),
          field,
          validityBit,
          ranges,
          encoder,
          initialRaw: this.#initialRaw(signal, encoder),
          isFloat: isFloat(codec.raw),
          selector: outputs[column(bindings.selector, binding) - 1] ?? null,
        };
        taskOfOutput[binding] = index;
        outputs.push(new OutputBinding(parts, this.#signals, shared));
        yield;
      }
      const policy = policies[column(this.#tasks.policy, index)] ?? null;
      tasks.push(
        policy === null ? undefined : this.#task(index, policy, outputs.slice(first, end)),
      );
      yield;
    }
    return { outputs, taskOfOutput, tasks };
  }

  #task(
    number: number,
    policy: 'periodic' | 'on_change',
    bindings: readonly OutputBinding[],
  ): CanTask {
    const rows = this.#outputs;
    const { periodMs } = this.#tasks;
    const length = column(rows.length, number);
    const protection = this.#protection(column(rows.protection, number));
    const faults = this.#faults(column(rows.firstFault, number), column(rows.faults, number));
    return new CanTask(
      {
        number,
        periodUs: policy === 'periodic' ? 1000 * column(periodMs, number) : null,
        minIntervalUs: column(rows.minIntervalUs, number),
        bindings,
        snapshot: new TaskSnapshot(bindings, length, column(rows.fill, number)),
        builder: new FrameBuilder(length, protection, faults.mayRepeat),
        faults,
      },
      this.#context,
    );
  }

  #faults(first: number, count: number): TaskFaults {
    const { rule: texts } = this.#faultPlan;
    const rules: FaultRule[] = [];
    for (let index = first; index < first + count; index++) {
      const rule = this.#json<FaultRuleRow>(column(texts, index));
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

  #initialRaw(signal: number, encoder: ValueEncoder): Raw {
    const initial = this.#signals.initialOf(signal);
    if (initial === undefined) return 0;
    const slot = new Slots(1);
    slot.setValue(0, initial);
    return encoder.encode(slot, 0) === null ? encoder.raw : 0;
  }

  /** The field of a binding, its validity bit and the pages that it is on. */
  #place(bindings: ReturnType<typeof bindingPlanTable.open>, index: number) {
    const codec = this.#codec(column(this.#codecs.row, column(bindings.codec, index)));
    const bits = bitLengthOf(codec);
    const isMotorola = codec.byte_order === 'motorola';
    const start = column(bindings.start, index);
    const field: WireField = wireField({ kind: codec.raw, start, bits, isMotorola });
    const bit = column(bindings.validityBit, index);
    const validityBit = bit === noBit ? null : new BitField(bit, 1, false);
    const firstRange = column(bindings.firstRange, index);
    const count = column(bindings.ranges, index);
    const ranges = count === 0 ? null : this.#rangeList(firstRange, count);
    return { codec, field, validityBit, ranges };
  }

  /** Equal codecs are one: what they compute is used before they compute again. */
  #codec(text: number): LinearCodec {
    let codec = this.#known.get(text);
    if (!codec) {
      codec = this.#json<LinearCodec>(text);
      this.#known.set(text, codec);
    }
    return codec;
  }

  #decoder(codec: LinearCodec, type: SignalType): LinearDecoder {
    const ofCodec = this.#decoders.get(codec) ?? new Map<SignalType, LinearDecoder>();
    const decoder = ofCodec.get(type) ?? new LinearDecoder(decodedFormatOf(codec), type);
    this.#decoders.set(codec, ofCodec.set(type, decoder));
    return decoder;
  }

  #encoder(codec: LinearCodec): ValueEncoder {
    const encoder = this.#encoders.get(codec) ?? new ValueEncoder(wireFormatOf(codec));
    this.#encoders.set(codec, encoder);
    return encoder;
  }

  #rangeList(first: number, count: number): MuxRangeList {
    const of = (cells: Cells) =>
      Array.from({ length: count }, (_, index) =>
        narrowed(cells.unsigned[first + index] as bigint),
      );
    return new MuxRangeList(of(this.#ranges.low), of(this.#ranges.high));
  }

  #check(number: number): InputCheck | null {
    if (number === 0) return null;
    const { codec, layout, at } = this.#layout(number);
    return new InputCheck(new Checker(layout, codec), at);
  }

  #protection(number: number): OutputProtection | null {
    if (number === 0) return null;
    const { layout, at } = this.#layout(number);
    return { protector: new Protector(layout), at };
  }

  #layout(number: number) {
    const row = number - 1;
    const codec = this.#json<E2eCodec>(column(this.#e2e.codec, row));
    const layout = compileLayout(codec, column(this.#e2e.length, row));
    return { codec, layout, at: column(this.#e2e.at, row) };
  }

  #types(signals: readonly number[]): SignalType[] {
    return signals.map((signal) => this.#signals.typeOf(signal));
  }

  /** What the builder wrote there from a project that it had validated. */
  #json<T>(text: number): T {
    return JSON.parse(this.#strings.at(text) ?? 'null');
  }
}
