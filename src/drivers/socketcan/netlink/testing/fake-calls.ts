import { constants } from 'node:os';
import { encodeMessage } from '../messages.ts';
import type { NetlinkCalls } from '../netlink-calls.ts';

interface Request {
  readonly type: number;
  readonly flags: number;
  readonly sequence: number;
  readonly body: Buffer;
}

/** A kernel with scripted responses. */
export class FakeCalls implements NetlinkCalls {
  readonly requests: Request[] = [];
  readonly opened: number[] = [];
  readonly closed: number[] = [];
  /** The datagrams of a response. */
  answer: (request: Request) => readonly Buffer[] = () => [];
  readonly #answers: Buffer[] = [];
  readonly #events: (Buffer | number)[] = [];
  #onReadable: () => void = () => undefined;

  open(groups: number): number {
    return this.opened.push(groups);
  }

  async send(_fd: number, bytes: Buffer): Promise<number> {
    const request = {
      type: bytes.readUInt16LE(4),
      flags: bytes.readUInt16LE(6),
      sequence: bytes.readUInt32LE(8),
      body: bytes.subarray(16),
    };
    this.requests.push(request);
    this.#answers.push(...this.answer(request));
    return bytes.length;
  }

  async receive(_fd: number, into: Buffer): Promise<number> {
    return this.#answers.shift()?.copy(into) ?? -1;
  }

  receiveNow(_fd: number, into: Buffer): number {
    const next = this.#events.shift() ?? -constants.errno.EAGAIN;
    return typeof next === 'number' ? next : next.copy(into);
  }

  watch(_fd: number, onReadable: () => void): () => void {
    this.#onReadable = onReadable;
    return () => {
      this.#onReadable = () => undefined;
    };
  }

  close(fd: number): void {
    this.closed.push(fd);
  }

  /** Delivers datagrams, or negative errnos. */
  happen(...events: readonly (Buffer | number)[]): void {
    this.queue(...events);
    this.#onReadable();
  }

  /** The same before the event loop has noticed. */
  queue(...events: readonly (Buffer | number)[]): void {
    this.#events.push(...events);
  }
}

/** An acknowledgement, or a refusal with an errno. */
export const acknowledgement = (sequence: number, errno = 0): Buffer => {
  const body = Buffer.alloc(20);
  body.writeInt32LE(-errno, 0);
  return encodeMessage(2, 0, sequence, body);
};

/** The end of a list. */
export const listEnd = (sequence: number, flags = 2): Buffer =>
  encodeMessage(3, flags, sequence, Buffer.alloc(4));
