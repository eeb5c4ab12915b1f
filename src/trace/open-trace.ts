import { BusbarError } from '../base/errors/busbar-error.ts';
import { readAsc } from './asc/asc-reader.ts';
import { readBlf } from './blf/read-blf.ts';
import { readCandump } from './candump/candump-reader.ts';
import { readMf4 } from './mf4/read-mf4.ts';
import type { ByteSource, OpenTrace, TraceFormat } from './trace-format.ts';

const headBytes = 64 * 1024;

const readers: Readonly<Record<TraceFormat, OpenTrace>> = {
  asc: readAsc,
  blf: readBlf,
  candump: readCandump,
  mf4: readMf4,
};

class ReopenedSource implements ByteSource {
  readonly size: number | null;
  readonly readAt?: (into: Uint8Array, at: number) => number;
  readonly #rest: ByteSource;
  #head: Uint8Array;

  constructor(head: Uint8Array, rest: ByteSource) {
    this.size = rest.size;
    this.#head = head;
    this.#rest = rest;
    if (rest.readAt) this.readAt = (into, at) => rest.readAt?.(into, at) ?? 0;
  }

  read(into: Uint8Array): number {
    if (this.#head.length === 0) return this.#rest.read(into);
    const part = this.#head.subarray(0, into.length);
    into.set(part);
    this.#head = this.#head.subarray(part.length);
    return part.length;
  }
}

const readHead = (source: ByteSource): Uint8Array => {
  const head = new Uint8Array(headBytes);
  let length = 0;
  while (length < headBytes) {
    const got = source.read(head.subarray(length));
    if (got === 0) break;
    length += got;
  }
  return head.subarray(0, length);
};

const preamble = /^(?:\xef\xbb\xbf)?(?:[ \t]*(?:\/\/[^\r\n]*)?[\r\n]+)*[ \t]*/;
const mf4Start = /^(?:MDF {5}|UnFinMF )/;
const ascStart = /^(?:date|base|begin|internal|no internal)[ \t]/i;
const candumpStart = /^(?:\(|#|DROPCOUNT)/;
/** Any other line of a candump log is a remark. */
const candumpLine = /^[ \t]*\(\d{1,15}\.(?:\d{6}|\d{9})\)/m;

export const detectFormat = (head: Uint8Array): TraceFormat | null => {
  const text = new TextDecoder('latin1').decode(head);
  if (text.startsWith('LOGG')) return 'blf';
  if (mf4Start.test(text)) return 'mf4';
  const start = text.slice(preamble.exec(text)?.[0].length ?? 0);
  if (ascStart.test(start)) return 'asc';
  return candumpStart.test(start) || candumpLine.test(text) ? 'candump' : null;
};

const refusal = (reason: string, message: string): BusbarError =>
  new BusbarError('invalid_trace', { message, details: { field: 'file', reason } });

export const openTrace: OpenTrace = (source) => {
  const head = readHead(source);
  if (head.length === 0) throw refusal('empty', 'The file is empty');
  const format = detectFormat(head);
  if (format === null) {
    throw refusal('unknown_format', 'Unknown trace format');
  }
  try {
    return readers[format](new ReopenedSource(head, source));
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (error.code !== 'invalid_trace') throw thrown;
    const { message, details } = error;
    throw new BusbarError('invalid_trace', {
      message,
      details: { field: 'file', format, ...details },
      cause: thrown,
    });
  }
};
