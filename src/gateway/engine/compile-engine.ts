import { ImageReader } from '../image/image-reader.ts';
import {
  bindingTable,
  listTable,
  mappingTable,
  messageTable,
  signalTable,
  taskTable,
} from '../image/image-tables.ts';
import type { ProcessorStep } from '../image/image-values.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { Transform } from '../project/tables/mappings.ts';
import type { SignalType, Waveform } from '../project/tables/signals.ts';
import { compileTransform } from '../transforms/compile-transform.ts';
import { compileWaveform } from '../transforms/compile-waveform.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import { OutputCompiler } from './compile-outputs.ts';
import { UnitCompiler } from './compile-units.ts';
import type { LineMapping } from './generated/generate-evaluate.ts';
import { InputBinding, InputMessage } from './input-message.ts';
import { type NativeParts, requireNatives } from './native-parts.ts';
import { Processor } from './processor.ts';
import { RequestTasks } from './request-task.ts';
import { type CompiledEngine, type CompiledInput, Mapping } from './rounds.ts';
import type { SignalStates } from './signal-states.ts';
import type { ValueTaskContext } from './value-task.ts';
import { WaveformGroup, WaveformSignal } from './waveform-group.ts';
import { WireParts } from './wire-parts.ts';

const column = (values: ArrayLike<number>, index: number): number => values[index] as number;

/** Compiles an image row by row, so that the bench thread can do it in time slices. */
export class EngineCompiler {
  readonly #image: ProjectImage;
  readonly #signals: SignalStates;
  readonly #context: ValueTaskContext;
  readonly #reader: ImageReader;
  readonly #wires: WireParts;
  readonly #natives: NativeParts | undefined;
  readonly #requests = new RequestTasks();

  constructor(image: ProjectImage, context: ValueTaskContext, natives?: NativeParts) {
    this.#image = image;
    this.#signals = context.signals;
    this.#context = context;
    this.#natives = natives;
    this.#reader = new ImageReader(image);
    this.#wires = new WireParts(image, this.#reader, natives);
  }

  *compile(): Generator<void, CompiledEngine> {
    const inputs = yield* this.#compileInputs();
    const mappings = yield* this.#compileMappings();
    const waveforms = yield* this.#compileWaveforms();
    const shared = {
      image: this.#image,
      context: this.#context,
      reader: this.#reader,
      wires: this.#wires,
    };
    const units = yield* new UnitCompiler(shared).compile();
    const parts = { ...shared, units, requests: this.#requests };
    const outputs = yield* new OutputCompiler(parts).compile();
    return { inputs, mappings, waveforms, units, ...outputs };
  }

  *#compileInputs(): Generator<void, CompiledInput[]> {
    const messages = messageTable.open(this.#image.messages);
    const bindings = bindingTable.open(this.#image.bindings);
    const inputs: CompiledInput[] = [];
    for (let index = 0; index < messages.count; index++) {
      if (column(messages.isReceived, index) === 0) continue;
      const staleUs = column(messages.staleUs, index);
      const { time, states, hot, stores } = this.#context;
      const check = this.#wires.check(column(messages.e2e, index), staleUs, time);
      const first = column(messages.firstBinding, index);
      const end = first + column(messages.bindings, index);
      const own: InputBinding[] = [];
      for (let binding = first; binding < end; binding++) {
        const { place, field, validityBit, ranges } = this.#wires.field(binding);
        const signal = column(bindings.signal, binding);
        const parts = {
          signal,
          place,
          field,
          validityBit,
          ranges,
          decoder: this.#wires.decoder(binding, this.#signals.typeOf(signal)),
          selector: own[column(bindings.selector, binding) - 1] ?? null,
          check: column(bindings.isChecked, binding) === 0 ? null : check,
          staleUs,
        };
        own.push(new InputBinding(parts, this.#signals, time));
        yield;
      }
      const covered = own.filter((_, place) => column(bindings.isChecked, first + place) !== 0);
      const length = column(messages.length, index);
      inputs.push({
        endpoint: column(messages.endpoint, index),
        canId: column(messages.canId, index),
        extended: column(messages.extended, index) === 1,
        message: new InputMessage(
          { number: index, length, bindings: own, check, covered },
          { states, hot, stores },
        ),
      });
      yield;
    }
    return inputs;
  }

  *#compileMappings(): Generator<void, (Mapping | Processor)[]> {
    const rows = mappingTable.open(this.#image.mappings);
    const { number: operands } = listTable.open(this.#image.operands);
    const mappings: (Mapping | Processor)[] = [];
    for (let index = 0; index < rows.count; index++) {
      const first = column(rows.firstOperand, index);
      const middle = first + column(rows.inputs, index);
      const inputs = [...operands.subarray(first, middle)];
      const outputs = [...operands.subarray(middle, middle + column(rows.outputs, index))];
      const text = column(rows.transform, index);
      const transform = this.#reader.json<Transform | ProcessorStep>(text);
      if (transform.kind === 'processor') {
        mappings.push(this.#processor(index, transform, inputs, outputs));
        yield;
        continue;
      }
      const program = this.#transform(transform, this.#types(inputs), this.#types(outputs));
      const maxSkewUs = column(rows.maxSkewUs, index);
      const ttlUs = column(rows.ttlUs, index);
      const line = this.#line(transform, inputs, outputs, ttlUs);
      const parts = { number: index, program, inputs, outputs, maxSkewUs, ttlUs, line };
      mappings.push(new Mapping(parts, this.#context));
      yield;
    }
    return mappings;
  }

  *#compileWaveforms(): Generator<void, WaveformGroup[]> {
    const { waveform: texts, count } = signalTable.open(this.#image.signals);
    const groups = new Map<number, WaveformSignal[]>();
    const { time } = this.#context;
    for (let signal = 0; signal < count; signal++) {
      if (column(texts, signal) === 0) continue;
      const waveform = this.#reader.json<Waveform>(column(texts, signal));
      const program = compileWaveform(waveform, this.#signals.typeOf(signal));
      const sampleUs = 1000 * waveform.sample_ms;
      const group = groups.get(sampleUs) ?? [];
      group.push(new WaveformSignal(signal, program, this.#signals, time));
      groups.set(sampleUs, group);
      yield;
    }
    return Array.from(groups, ([sampleUs, group]) => new WaveformGroup(group, sampleUs, time));
  }

  #line(
    transform: Transform,
    [input = 0]: readonly number[],
    [output = 0]: readonly number[],
    ttlUs: number,
  ): LineMapping | null {
    const outputType = this.#signals.typeOf(output);
    if (transform.kind === 'identity') return { input, output, k: 1, b: 0, ttlUs, outputType };
    if (transform.kind !== 'linear') return null;
    const { k, b } = transform;
    return { input, output, k, b, ttlUs, outputType };
  }

  #transform(
    transform: Transform,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ): TransformProgram {
    if (transform.kind !== 'native') return compileTransform(transform, inputs, outputs);
    return requireNatives(this.#natives).transform(transform.plugin, inputs, outputs);
  }

  #processor(
    number: number,
    { plugin, periodUs, sendTasks }: ProcessorStep,
    inputs: readonly number[],
    outputs: readonly number[],
  ): Processor {
    const { message } = taskTable.open(this.#image.tasks);
    const { length } = messageTable.open(this.#image.messages);
    const program = requireNatives(this.#natives).processor(plugin, {
      inputs: this.#types(inputs),
      outputs: this.#types(outputs),
      taskLengths: sendTasks.map((task) => column(length, column(message, task) - 1)),
    });
    const { signals, states, time } = this.#context;
    const context = { signals, states, time, requests: this.#requests };
    return new Processor({ number, program, inputs, outputs, periodUs, sendTasks }, context);
  }

  #types(signals: readonly number[]): SignalType[] {
    return signals.map((signal) => this.#signals.typeOf(signal));
  }
}
