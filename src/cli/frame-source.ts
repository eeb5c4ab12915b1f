import { createReadStream, fstatSync, openSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { refusalOf } from '../base/files/path-refusals.ts';
import { batchLimit } from '../operations/limits.ts';
import { type FrameLine, FrameLines } from './frame-lines.ts';

const stdinFd = 0;
const lineEnd = /\r?\n/;
/** No line that holds a frame is nearly as long. */
const longestLine = 1024;

/** Where a list of frames comes from: a file that is read whole, or a stream that goes on. */
export interface FrameSource {
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
export const openFrameSource = (path: string): FrameSource => {
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
