import { createReadStream, fstatSync, openSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { pause } from '../base/clock/pause.ts';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { refusalOf } from '../base/files/path-refusals.ts';
import type { Connection } from '../link/connection.ts';
import { batchLimit } from '../operations/limits.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { SendRecord } from '../transmit/send-record.ts';
import { durationUs } from '../transmit/send-request.ts';
import type { CliContext } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';

interface FrameLine {
  readonly frame: string;
  readonly line: number;
}

/** `(1436509052.249713) can0 123#DEADBEEF`, in some logs followed by R or T. */
const logLine = /^\([^\s()]+\)\s+(\S+)\s+(\S+)(?:\s+[RT])?$/;

/** Parses frames in short notation or candump lines. The channel checks the frames. */
export class FrameLines {
  readonly #name: string;
  #line = 0;
  #interface: { readonly name: string; readonly line: number } | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** The frame of a line; undefined if the line is empty or a comment. */
  read(text: string): FrameLine | undefined {
    this.#line += 1;
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return undefined;
    const [, source, logged] = logLine.exec(trimmed) ?? [];
    if (source !== undefined) this.#expectSameInterface(source);
    const frame = logged ?? trimmed;
    if (/\s/.test(frame)) {
      throw this.#refuse('is neither a frame, such as 123#DEADBEEF, nor a line of a candump log');
    }
    return { frame, line: this.#line };
  }

  /** Frames of two buses must not be mixed silently. */
  #expectSameInterface(name: string): void {
    this.#interface ??= { name, line: this.#line };
    if (this.#interface.name === name) return;
    const first = `${this.#interface.name} as line ${this.#interface.line} is`;
    throw this.#refuse(
      `is from ${name}, not from ${first}; use replay start to send to several channels`,
    );
  }

  #refuse(problem: string): Error {
    const line = this.#line;
    return invalidArgument('file', `Line ${line} of ${this.#name} ${problem}`, { line });
  }
}

const stdinFd = 0;

const lineEnd = /\r?\n/;

const maxLineLength = 1024;

interface FrameSource {
  readonly name: string;
  /**
   * If a file is invalid, nothing is sent. If a stream is invalid, the frames before the
   * invalid line are sent.
   */
  readonly isWhole: boolean;
  lists(): AsyncIterable<readonly FrameLine[]>;
  close(): void;
}

const tooLong = (name: string): Error => {
  const { listFrames } = batchLimit;
  const advice = 'use replay start for longer traces';
  return invalidArgument('file', `${name} has more than ${listFrames} frames: ${advice}`, {
    reason: 'too_many',
    limit: listFrames,
  });
};

class FrameReader {
  readonly #lines: FrameLines;
  readonly #decoder = new StringDecoder('utf8');
  readonly #name: string;
  #rest = '';

  constructor(name: string) {
    this.#name = name;
    this.#lines = new FrameLines(name);
  }

  take(chunk: Buffer, frames: FrameLine[]): void {
    const texts = (this.#rest + this.#decoder.write(chunk)).split(lineEnd);
    this.#rest = texts.pop() ?? '';
    for (const text of texts) this.#read(text, frames);
    if (this.#rest.length > maxLineLength) {
      throw invalidArgument(
        'file',
        `${this.#name} is not a list of frames: its lines are too long`,
      );
    }
  }

  end(frames: FrameLine[]): void {
    this.#read(this.#rest, frames);
  }

  #read(text: string, frames: FrameLine[]): void {
    const line = this.#lines.read(text);
    if (line) frames.push(line);
  }
}

const errorIn = (read: () => void): BusbarError | undefined => {
  try {
    read();
    return undefined;
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

const opened = (path: string): number => {
  try {
    return openSync(path, 'r');
  } catch (thrown) {
    throw refusalOf({ path, field: 'file' }, thrown);
  }
};

/** A file, or standard input (`-`) or a pipe, read as data arrives. */
const openFrameSource = (path: string): FrameSource => {
  const isStdin = path === '-';
  const fd = isStdin ? stdinFd : opened(path);
  const name = isStdin ? 'standard input' : path;
  const isWhole = !isStdin && fstatSync(fd).isFile();
  let isClosed = false;
  const stream = createReadStream('', { fd, autoClose: !isStdin });
  const lists = async function* (): AsyncGenerator<readonly FrameLine[]> {
    const reader = new FrameReader(name);
    const { listFrames } = batchLimit;
    let gathered: FrameLine[] = [];
    let isEmpty = true;
    try {
      for await (const chunk of stream) {
        const error = errorIn(() => reader.take(chunk as Buffer, gathered));
        if (isWhole && error) throw error;
        if (isWhole && gathered.length > listFrames) throw tooLong(name);
        isEmpty &&= gathered.length === 0;
        if (isWhole) continue;
        for (; gathered.length > 0; gathered = gathered.slice(listFrames)) {
          yield gathered.slice(0, listFrames);
        }
        if (error) throw error;
      }
    } catch (thrown) {
      if (isClosed) return;
      throw refusalOf({ path, field: 'file' }, thrown);
    }
    reader.end(gathered);
    if (gathered.length > listFrames) throw tooLong(name);
    if (gathered.length > 0) yield gathered;
    else if (isEmpty) throw invalidArgument('file', `${name} has no frames`, { reason: 'empty' });
  };
  return {
    name,
    isWhole,
    lists,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      stream.destroy();
    },
  };
};

type Values = Readonly<Record<string, unknown>>;

const cancelTimeoutMs = 2000;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

class ListSender {
  readonly #context: CliContext;
  readonly #link: Connection;
  readonly #source: FrameSource;
  readonly #command: CliCommand;
  readonly #values: Values;
  readonly #cycleUs: number;
  #accepted = 0;
  #isInterrupted = false;
  #nextUs = 0;

  constructor(
    command: CliCommand,
    { file: _, ...values }: Values,
    context: CliContext,
    link: Connection,
    source: FrameSource,
  ) {
    this.#command = command;
    this.#values = values;
    this.#context = context;
    this.#link = link;
    this.#source = source;
    const { cycle, cycle_us } = values;
    this.#cycleUs = typeof cycle === 'string' ? durationUs('cycle', cycle) : numberIn(cycle_us);
  }

  async run(): Promise<SendRecord> {
    let last: SendRecord | undefined;
    for await (const list of this.#lists()) {
      await this.#untilDue();
      last = await this.#sendAll(list);
    }
    if (this.#isInterrupted || !last) throw this.#interrupted();
    return { ...last, accepted: this.#accepted };
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#link.cancelCalls();
    this.#source.close();
    this.#context.clock.after(cancelTimeoutMs, () => this.#link.close());
  }

  /** Lists of the source. Errors count the frames sent before. */
  async *#lists(): AsyncGenerator<readonly FrameLine[]> {
    try {
      yield* this.#source.lists();
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      throw error.with({ details: { ...error.details, accepted: this.#accepted } });
    }
  }

  /**
   * Sends a list. The daemon rejects the whole list if a frame is invalid. A stream is split at
   * arbitrary points, so the frames before the invalid one are then sent.
   */
  async #sendAll(list: readonly FrameLine[]): Promise<SendRecord> {
    try {
      return await this.#send(list);
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const { index } = error.details;
      if (!this.#source.isWhole && typeof index === 'number' && index > 0 && !this.#isInterrupted) {
        await this.#sendAll(list.slice(0, index));
      }
      throw this.#placed(error, list);
    }
  }

  async #send(list: readonly FrameLine[]): Promise<SendRecord> {
    const { clock, project } = this.#context;
    const frames = list.map(({ frame }) => frame).join('\n');
    const bar = terminalBar(this.#context);
    this.#nextUs = clock.monotonicUs() + list.length * this.#cycleUs;
    try {
      const progress = (reported: unknown): void => {
        const { accepted, count } = reported as { accepted: number; count: number };
        bar?.show(accepted, count);
      };
      const values = { ...this.#values, frames };
      const { id } = this.#command;
      const sent = (await this.#link.call(id, values, project, progress)) as SendRecord;
      this.#accepted += sent.accepted;
      return sent;
    } finally {
      bar?.clear();
    }
  }

  /** A list sent in pieces keeps its period. */
  async #untilDue(): Promise<void> {
    const waitMs = Math.ceil((this.#nextUs - this.#context.clock.monotonicUs()) / 1000);
    if (this.#cycleUs > 0 && waitMs > 0) await pause(this.#context.clock, waitMs);
  }

  #placed(error: BusbarError, list: readonly FrameLine[]): BusbarError {
    const { name } = this.#source;
    const { index, accepted, failed_index, ...details } = error.details;
    const at = index ?? failed_index;
    const line = typeof at === 'number' ? list[at]?.line : undefined;
    const place = line === undefined ? '' : `Line ${line} of ${name}: `;
    return error.with({
      message: place + error.message,
      details: {
        ...details,
        ...(details.field === 'frames' && { field: 'file' }),
        ...(line !== undefined && { line }),
        accepted: this.#accepted + numberIn(accepted),
        ...(typeof failed_index === 'number' && { failed_index: this.#accepted + failed_index }),
      },
    });
  }

  #interrupted(): BusbarError {
    return new BusbarError('operation_cancelled', {
      details: { cancelled: true, reason: 'caller_gone', accepted: this.#accepted },
    });
  }
}

export const sendList = async (
  command: CliCommand,
  values: Values,
  context: CliContext,
): Promise<SendRecord> => {
  const source = openFrameSource(values.file as string);
  let link: Connection | null = null;
  let forget = (): void => undefined;
  try {
    link = await openLink(context.home, context.clock);
    if (!link) throw noLink(context);
    const sender = new ListSender(command, values, context, link, source);
    forget = onInterruption(() => sender.interrupt());
    return await sender.run();
  } finally {
    forget();
    source.close();
    link?.close();
  }
};
