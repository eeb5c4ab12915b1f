import { BusbarError } from '../../base/errors/busbar-error.ts';

/** Bytes of the longest line; the message of a plugin has 512. */
const maxLineBytes = 16 * 1024;
const newline = 10;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An error that a probe may report; undefined for anything else. */
const errorOf = (error: unknown): BusbarError | undefined => {
  if (!isObject(error)) return undefined;
  const { code, message, details } = error;
  const isOurs = code === 'plugin_failed' || code === 'internal_error';
  if (!isOurs || typeof message !== 'string' || !isObject(details)) return undefined;
  return BusbarError.fromRecord({ code, message, details, retryable: false });
};

/**
 * What a probe reports, byte by byte. The plugins that it runs can write there too, so nothing but the expected steps
 * in their order and one end is accepted, in bounded memory.
 */
export class ProbeReports {
  readonly #steps: number;
  readonly #line = Buffer.alloc(maxLineBytes);
  #length = 0;
  /** How many steps were begun. */
  begun = 0;
  /** How the probe ended; undefined as long as it has not said so. */
  outcome: BusbarError | 'done' | undefined;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** Takes more bytes; false if they are not what a probe writes. */
  add(bytes: Uint8Array): boolean {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from);
      const piece = bytes.subarray(from, end < 0 ? bytes.length : end);
      if (this.outcome !== undefined || this.#length + piece.length > maxLineBytes) return false;
      this.#line.set(piece, this.#length);
      this.#length += piece.length;
      if (end < 0) return true;
      const isTaken = this.#take(this.#line.toString('utf8', 0, this.#length));
      this.#length = 0;
      if (!isTaken) return false;
      from = end + 1;
    }
    return true;
  }

  #take(line: string): boolean {
    let report: unknown;
    try {
      report = JSON.parse(line);
    } catch {
      return false;
    }
    if (!isObject(report)) return false;
    if ('step' in report) {
      if (report.step !== this.begun || this.begun === this.#steps) return false;
      this.begun += 1;
      return true;
    }
    const isDone = report.done === true && this.begun === this.#steps;
    this.outcome = isDone ? 'done' : errorOf(report.error);
    return this.outcome !== undefined;
  }
}
