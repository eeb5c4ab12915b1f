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

/** A frame of a list, and where it stands there. */
interface FrameLine {
  readonly frame: string;
  /** Counts from 1. */
  readonly line: number;
}

/** `(1436509052.249713) can0 123#DEADBEEF`, with R or T behind it in some logs. */
const logLine = /^\([0-9]+(?:\.[0-9]+)?\)\s+(\S+)\s+(\S+)(?:\s+[RT])?$/;

/**
 * Reads a list of frames line by line: frames in short notation, or lines of a candump log. Whether
 * a frame can exist is for its channel to say.
 */
export class FrameLines {
  /** What refusals call the list. */
  readonly #name: string;
  #line = 0;
  /** The interface of a log, and where it was met. */
  #interface: { readonly name: string; readonly line: number } | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** The frame of the next line; undefined where that is empty or a comment. */
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

  /** Frames of two buses would become one stream on one channel, which was not asked for. */
  #expectSameInterface(name: string): void {
    this.#interface ??= { name, line: this.#line };
    if (this.#interface.name === name) return;
    const first = `${this.#interface.name} as line ${this.#interface.line} is`;
    throw this.#refuse(`is of ${name}, not of ${first}: replay sends to several channels`);
  }

  #refuse(problem: string): Error {
    const line = this.#line;
    return invalidArgument('file', `Line ${line} of ${this.#name} ${problem}`, { line });
  }
}

const stdinFd = 0;

const lineEnd = /\r?\n/;

/** No line that holds a frame is nearly as long. */
const longestLine = 1024;

/** Where a list of frames comes from: a file that is read whole, or a stream that goes on. */
interface FrameSource {
  /** How the list is called in messages. */
  readonly name: string;
  /** Nothing of a file is sent where one line of it is wrong; of a stream, what came before that line. */
  readonly isWhole: boolean;
  /** Lists to be sent one after the other, each whole. */
  lists(): AsyncIterable<readonly FrameLine[]>;
  /** Ends the lists early. */
  close(): void;
}

const tooLong = (name: string): Error => {
  const { listFrames } = batchLimit;
  const advice = 'replay sends traces of any length';
  return invalidArgument('file', `${name} has more than ${listFrames} frames: ${advice}`, {
    reason: 'too_many',
    limit: listFrames,
  });
};

/** Splits what comes into lines, and those into frames. */
class FrameReader {
  readonly #lines: FrameLines;
  readonly #decoder = new StringDecoder('utf8');
  readonly #name: string;
  #rest = '';

  constructor(name: string) {
    this.#name = name;
    this.#lines = new FrameLines(name);
  }

  /** Adds the frames of a chunk, up to the first line that is refused. */
  take(chunk: Buffer, frames: FrameLine[]): void {
    const texts = (this.#rest + this.#decoder.write(chunk)).split(lineEnd);
    this.#rest = texts.pop() ?? '';
    for (const text of texts) this.#read(text, frames);
    if (this.#rest.length > longestLine) {
      throw invalidArgument('file', `${this.#name} is no list of frames: its lines are too long`);
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

/** What is wrong with a line; the frames before it are to be sent first where they can be. */
const flawIn = (read: () => void): BusbarError | undefined => {
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

/** The list in a file, or what comes from standard input (`-`) or a pipe, as it comes. */
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
        const flaw = flawIn(() => reader.take(chunk as Buffer, gathered));
        if (isWhole && flaw) throw flaw;
        if (isWhole && gathered.length > listFrames) throw tooLong(name);
        isEmpty &&= gathered.length === 0;
        if (isWhole) continue;
        for (; gathered.length > 0; gathered = gathered.slice(listFrames)) {
          yield gathered.slice(0, listFrames);
        }
        if (flaw) throw flaw;
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

/** How long the daemon may take to say how far an interrupted list came. */
const cancelTimeoutMs = 2000;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Sends the lists of a source one after the other over one link. */
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

  /** Has the daemon give up what it sends; a source that is waited for is not waited for longer. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#link.cancelCalls();
    this.#source.close();
    this.#context.clock.after(cancelTimeoutMs, () => this.#link.close());
  }

  /** The lists of the source, whose refusals tell how many frames were sent before. */
  async *#lists(): AsyncGenerator<readonly FrameLine[]> {
    try {
      yield* this.#source.lists();
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      throw error.with({ details: { ...error.details, accepted: this.#accepted } });
    }
  }

  /**
   * Sends a list. The daemon refuses it whole where a frame cannot be; how much of a stream is in a list is
   * left to chance, so that the frames before that one are sent then.
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
      const progress = (told: unknown): void => {
        const { accepted, count } = told as { accepted: number; count: number };
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

  /** A list that comes in pieces keeps its cycle from one piece to the next. */
  async #untilDue(): Promise<void> {
    const waitMs = Math.ceil((this.#nextUs - this.#context.clock.monotonicUs()) / 1000);
    if (this.#cycleUs > 0 && waitMs > 0) await pause(this.#context.clock, waitMs);
  }

  /** The same failure, which names the line and counts all that was sent before. */
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

/** Sends the frames of a file, or of standard input as they come. */
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
