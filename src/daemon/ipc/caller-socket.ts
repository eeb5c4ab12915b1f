import type { Socket } from 'node:net';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type Answer, longestBatch, longestLine, type StreamBatch } from '../../link/protocol.ts';

/** Bytes that may wait for a caller before it counts as one that does not keep up. */
export const backlogLimit = 256 * 1024;

/** A line in one piece or several, which are sent back to back. */
export type JsonLine = string | readonly (string | Uint8Array)[];

const checkLength = (line: JsonLine): JsonLine => {
  const parts = typeof line === 'string' ? [line] : line;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (length <= longestLine) return line;
  throw new BusbarError('response_too_large', { details: { limit: longestLine } });
};

/** A message as a line; fails where it has no JSON form or is longer than a line may be. */
export const lineOf = (message: object): string => {
  const line = `${stringifyJson(message)}\n`;
  checkLength(line);
  return line;
};

/** The answer to a call as a line. JSON that was written already is not copied. */
export const answerLine = (id: number, result: unknown): JsonLine =>
  result instanceof JsonText
    ? checkLength([`{"id":${id},"result":`, result.bytes, '}\n'])
    : lineOf({ id, result } satisfies Answer);

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
  sendLine(line: JsonLine): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      if (!socket.writable) {
        resolve();
        return;
      }
      const parts = typeof line === 'string' ? [line] : line;
      const last = parts.length - 1;
      socket.cork();
      parts.forEach((part, index) => {
        socket.write(part, index === last ? () => resolve() : undefined);
      });
      socket.uncork();
      if (!socket.writableNeedDrain || socket.isPaused()) return;
      // A caller that does not read its answers is not read from either.
      socket.pause();
      socket.once('drain', () => socket.resume());
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
