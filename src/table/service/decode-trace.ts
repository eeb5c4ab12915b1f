import { TraceBatch } from '../../trace/trace-batch.ts';
import { ChosenMessages } from '../decode/chosen-messages.ts';
import { ChunkDecoder, framesPerChunk } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { TableAssembler, TablePart, WrittenPart } from '../table-format.ts';
import type { TraceDecoding } from '../table-records.ts';
import { tables } from '../tables.ts';
import type { DecodePool } from './decode-pool.ts';
import { DecodeTally, inputFieldsOf } from './decode-tally.ts';
import type { OpenOutput } from './file-turns.ts';
import { type ChunkSource, TraceChunks } from './trace-chunks.ts';

export interface DecodeOptions extends ChunkSource {
  readonly file: string;
  readonly output: string;
  readonly settings: DecodeSettings;
  readonly write: (bytes: Uint8Array) => void;
}

/** The output, to which threads write between its first and last bytes. */
export interface HandedOutput {
  handOver(): OpenOutput;
  takeBack(bytes: number): void;
}

/** Makes a table of a trace. Steps are in the order of the trace in any number of threads. */
export class TraceDecode {
  readonly #options: DecodeOptions;
  readonly #messages: ChosenMessages;
  readonly #chunks: TraceChunks;
  readonly #assembler: TableAssembler;
  readonly #tally = new DecodeTally();
  readonly frames: number;
  #rows = 0;
  #bytes = 0;

  constructor(options: DecodeOptions) {
    const { settings } = options;
    this.#options = options;
    this.#messages = new ChosenMessages(settings);
    this.#chunks = new TraceChunks(options, this.#messages);
    this.#assembler = tables[settings.format].assembler(this.#messages.shapeFor(settings));
    this.frames = framesPerChunk(settings, this.#messages.maxSignals);
  }

  get position(): number {
    return this.#chunks.position;
  }

  /** Decodes in this thread; yields after each chunk, and after each part of a long pause. */
  *run(): Generator<void, TraceDecoding> {
    const decoder = new ChunkDecoder(this.#options.settings, this.#messages);
    const batch = new TraceBatch(this.frames);
    const add = (part: TablePart): void => this.#write(part);
    this.#put(this.#assembler.begin());
    while (this.#chunks.next(batch)) {
      const { times, names, long } = this.#chunks;
      this.#tally.add(decoder.decode(batch, times, names, long, add));
      yield;
      for (const part of decoder.heldParts()) {
        add(part);
        yield;
      }
    }
    for (const part of decoder.finish()) add(part);
    return this.#end();
  }

  /** Decodes in threads, which write their parts; `onChunk` is awaited after each chunk. */
  async runIn(
    pool: DecodePool,
    output: HandedOutput,
    onChunk: (position: number) => unknown,
  ): Promise<TraceDecoding> {
    this.#put(this.#assembler.begin());
    pool.begin(output.handOver());
    const pending: ReturnType<DecodePool['decode']>[] = [];
    const spare: ArrayBuffer[] = [];
    const takeFirst = async (): Promise<void> => {
      const chunk = await (pending.shift() as ReturnType<DecodePool['decode']>);
      this.#tally.add(chunk.counts);
      for (const part of chunk.parts) {
        output.takeBack(part.length);
        this.#add(part);
      }
      spare.push(chunk.buffer);
    };
    for (;;) {
      const batch = new TraceBatch(spare.pop() ?? this.frames);
      if (!this.#chunks.next(batch)) break;
      const { times, names, long } = this.#chunks;
      pending.push(pool.decode(batch.buffer, batch.count, times, [...names], long));
      if (pending.length > pool.depth) await takeFirst();
      await onChunk(this.#chunks.position);
    }
    while (pending.length > 0) await takeFirst();
    return this.#end();
  }

  #end(): TraceDecoding {
    const { file, output, reader, settings } = this.#options;
    this.#chunks.checkChannels(settings.databases);
    this.#put(this.#assembler.end());
    return {
      ...inputFieldsOf(file, reader, this.#chunks, this.#messages, this.#tally.fields),
      output,
      output_format: settings.format,
      bytes: this.#bytes,
      rows: this.#rows,
      samples: this.#tally.samples,
    };
  }

  #write({ bytes, rows, chunks }: TablePart): void {
    this.#options.write(bytes);
    this.#add({ length: bytes.length, rows, chunks });
  }

  #add(part: WrittenPart): void {
    this.#bytes += part.length;
    this.#rows += part.rows;
    this.#assembler.add(part);
  }

  #put(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    this.#options.write(bytes);
  }
}
