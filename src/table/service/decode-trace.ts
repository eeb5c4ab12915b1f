import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { ChosenMessages } from '../decode/chosen-messages.ts';
import { ChunkDecoder, framesPerChunk } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { TableAssembler, TablePart, WrittenPart } from '../table-format.ts';
import type { TraceDecoding } from '../table-records.ts';
import { tables } from '../tables.ts';
import type { DecodedChunk, DecodePool } from './decode-pool.ts';
import { DecodeTally, inputFieldsOf } from './decode-tally.ts';
import { type ChunkSource, TraceChunks } from './trace-chunks.ts';

export interface DecodeOptions extends ChunkSource {
  readonly file: string;
  readonly output: string;
  readonly settings: DecodeSettings;
  readonly write: (bytes: Uint8Array) => void;
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

  /** Decodes in threads as well; `onChunk` is awaited after each chunk. */
  async runIn(pool: DecodePool, onChunk: (position: number) => unknown): Promise<TraceDecoding> {
    this.#put(this.#assembler.begin());
    const turns = new YieldQueue();
    const pending: Promise<void>[] = [];
    const spare: Pick<DecodedChunk, 'buffer' | 'output'>[] = [];
    const writeAfter = async (
      before: Promise<void> | undefined,
      decoded: Promise<DecodedChunk>,
    ): Promise<void> => {
      await before;
      const chunk = await decoded;
      this.#writeChunk(chunk);
      spare.push(chunk);
      pending.shift();
    };
    for (;;) {
      const { buffer, output } = spare.pop() ?? { buffer: this.frames, output: new ArrayBuffer(0) };
      const batch = new TraceBatch(buffer);
      if (!this.#chunks.next(batch)) break;
      const { times, names, long } = this.#chunks;
      const chunk = { buffer: batch.buffer, count: batch.count, times, names: [...names], long };
      const written = writeAfter(pending.at(-1), pool.decode({ ...chunk, output }));
      // The last one fails as well, and is awaited.
      written.catch(() => undefined);
      pending.push(written);
      await (pending.length > pool.depth ? pending[0] : turns.next());
      await onChunk(this.#chunks.position);
    }
    await pending.at(-1);
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

  #writeChunk({ parts, counts, output }: DecodedChunk): void {
    this.#tally.add(counts);
    let at = 0;
    for (const part of parts) {
      this.#options.write(new Uint8Array(output, at, part.length));
      this.#add(part);
      at += part.length;
    }
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
