import type { Socket } from 'node:net';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type Answer, longestBatch, longestLine, type StreamBatch } from '../../link/protocol.ts';

/** Bytes that may wait for a caller before it counts as one that does not keep up. */
export const backlogLimit = 256 * 1024;

const checkLength = <Line extends string | Uint8Array>(line: Line): Line => {
  if (Buffer.byteLength(line) <= longestLine) return line;
  throw new BusbarError('response_too_large', { details: { limit: longestLine } });
};

/** A message as a line; fails where it has no JSON form or is longer than a line may be. */
export const lineOf = (message: object): string => checkLength(`${stringifyJson(message)}\n`);

/** The answer to a call as a line. */
export const answerLine = (id: number, result: unknown): string | Uint8Array => {
  if (!(result instanceof JsonText)) return lineOf({ id, result } satisfies Answer);
  const [before, after] = [Buffer.from(`{"id":${id},"result":`), Buffer.from('}\n')];
  return checkLength(Buffer.concat([before, result.bytes, after]));
};

/** The way to one caller: whole lines, and batches that nothing can come between. */
export class CallerSocket {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get keepsUp(): boolean {
    return this.#socket.writableLength <= backlogLimit;
  }

  /** Calls back whenever all that waited has gone; returns how to stop that. */
  onDrain(callback: () => void): () => void {
    this.#socket.on('drain', callback);
    return () => void this.#socket.off('drain', callback);
  }

  /** Resolves once the line is with the kernel, or the caller is gone. */
  sendLine(line: string | Uint8Array): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      if (!socket.writable) resolve();
      else if (!socket.write(line, () => resolve()) && !socket.isPaused()) {
        // A caller that does not read its answers is not read from either.
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    });
  }

  /** Copies the bytes behind their announcement into one write, as the socket may keep it a while. */
  sendBatch(id: number, bytes: Uint8Array, records: number): void {
    if (!this.#socket.writable) return;
    if (bytes.length > longestBatch) throw new BusbarError('internal_error');
    const batch: StreamBatch = { id, batch: { bytes: bytes.length, records } };
    const line = lineOf(batch);
    const message = Buffer.allocUnsafe(line.length + bytes.length);
    message.write(line, 'latin1');
    message.set(bytes, line.length);
    this.#socket.write(message);
  }
}
