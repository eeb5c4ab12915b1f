import type { Socket } from 'node:net';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type Answer, maxBatch, maxLineLength, type StreamBatch } from '../../link/protocol.ts';

export const backlogLimit = 256 * 1024;

export type JsonLine = string | readonly (string | Uint8Array)[];

const checkLength = (line: JsonLine): JsonLine => {
  const parts = typeof line === 'string' ? [line] : line;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (length <= maxLineLength) return line;
  throw new BusbarError('response_too_large', { details: { limit: maxLineLength } });
};

/** Encodes a message as a line; throws if it has no JSON form or is too long. */
export const lineOf = (message: object): string => {
  const line = `${stringifyJson(message)}\n`;
  checkLength(line);
  return line;
};

export const answerLine = (id: number, result: unknown): JsonLine =>
  result instanceof JsonText
    ? checkLength([`{"id":${id},"result":`, result.bytes, '}\n'])
    : lineOf({ id, result } satisfies Answer);

export class CallerSocket {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get keepsUp(): boolean {
    return this.#socket.writableLength <= backlogLimit;
  }

  onDrain(callback: () => void): () => void {
    this.#socket.on('drain', callback);
    return () => void this.#socket.off('drain', callback);
  }

  /** Resolves when the kernel has accepted the line, or the caller has disconnected. */
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
      // A caller that does not read is not read from either.
      socket.pause();
      socket.once('drain', () => socket.resume());
    });
  }

  /** Copies bytes and announcement into one write. */
  sendBatch(id: number, bytes: Uint8Array, records: number): void {
    if (!this.#socket.writable) return;
    if (bytes.length > maxBatch) throw new BusbarError('internal_error');
    const batch: StreamBatch = { id, batch: { bytes: bytes.length, records } };
    const line = lineOf(batch);
    const message = Buffer.allocUnsafe(line.length + bytes.length);
    message.write(line, 'latin1');
    message.set(bytes, line.length);
    this.#socket.write(message);
  }
}
