import { invalidArgument } from '../base/errors/busbar-error.ts';

/** A frame of a list, and where it stands there. */
export interface FrameLine {
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
