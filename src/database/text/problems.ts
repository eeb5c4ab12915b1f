import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostic } from '../database-records.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';

/** Limits beyond which a file is rejected: a much larger one is an attack or a mistake. */
export interface FileLimits {
  readonly fileBytes: number;
  readonly messages: number;
  readonly signals: number;
  /** Everything else that a file lists, signals included. */
  readonly entries: number;
  /** Statements that could not be parsed. */
  readonly errors: number;
}

const listedPerCode = 200;

interface Problem {
  readonly severity: Diagnostic['severity'];
  readonly code: DiagnosticCode;
  readonly offset: number;
  readonly message: string;
  readonly action: string;
}

export const shown = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text);

export class FileProblems {
  readonly #format: string;
  readonly #text: string;
  readonly #limits: FileLimits;
  readonly #listed: Problem[] = [];
  readonly #counts = new Map<DiagnosticCode, number>();
  #errors = 0;
  #entries = 0;
  #messages = 0;
  #signals = 0;

  /** `format` names the kind of file in refusals: `DBC`. */
  constructor(format: string, text: string, limits: FileLimits) {
    this.#format = format;
    this.#text = text;
    this.#limits = limits;
  }

  info(code: DiagnosticCode, offset: number, message: string, action: string): void {
    this.#add({ severity: 'info', code, offset, message, action });
  }

  warn(code: DiagnosticCode, offset: number, message: string, action: string): void {
    this.#add({ severity: 'warning', code, offset, message, action });
  }

  error(code: DiagnosticCode, offset: number, message: string, action: string): void {
    this.#add({ severity: 'error', code, offset, message, action });
    this.#errors += 1;
    if (this.#errors > this.#limits.errors) {
      this.refuse(offset, `more than ${this.#limits.errors} invalid statements`);
    }
  }

  keep(offset: number, count = 1): void {
    this.#entries += count;
    if (this.#entries > this.#limits.entries) {
      this.refuse(offset, `it contains more than ${this.#limits.entries} entries`);
    }
  }

  keepMessage(offset: number): void {
    this.keep(offset);
    this.#messages += 1;
    if (this.#messages > this.#limits.messages) {
      this.refuse(offset, `it contains more than ${this.#limits.messages} messages`);
    }
  }

  keepSignal(offset: number): void {
    this.keep(offset);
    this.#signals += 1;
    if (this.#signals > this.#limits.signals) {
      this.refuse(offset, `it contains more than ${this.#limits.signals} signals`);
    }
  }

  refuse(offset: number, reason: string): never {
    const [place] = this.#placesOf([offset]);
    const { line, column } = place ?? { line: 1, column: 1 };
    throw new BusbarError('invalid_database', {
      message: `Invalid ${this.#format} file: line ${line}, column ${column}: ${reason}`,
      details: { line, column, reason },
    });
  }

  list(): Diagnostic[] {
    const problems = this.#listed.sort((a, b) => a.offset - b.offset);
    const places = this.#placesOf(problems.map(({ offset }) => offset));
    const diagnostics = problems.map(({ severity, code, message, action }, index) => {
      const { line, column } = places[index] ?? { line: 1, column: 1 };
      return { severity, code, line, column, message, action };
    });
    for (const [code, count] of this.#counts) {
      if (count <= listedPerCode) continue;
      diagnostics.push({
        severity: 'warning',
        code: 'diagnostics_omitted',
        line: 1,
        column: 1,
        message: `${count - listedPerCode} more diagnostics with the code ${code}`,
        action: 'not listed',
      });
    }
    return diagnostics;
  }

  #add(problem: Problem): void {
    const count = (this.#counts.get(problem.code) ?? 0) + 1;
    this.#counts.set(problem.code, count);
    if (count <= listedPerCode) this.#listed.push(problem);
  }

  #placesOf(offsets: readonly number[]): { line: number; column: number }[] {
    const text = this.#text;
    let line = 1;
    let lineStart = 0;
    let at = 0;
    return offsets.map((offset) => {
      for (; at < offset; at += 1) {
        const code = text.charCodeAt(at);
        if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
          line += 1;
          lineStart = at + 1;
        }
      }
      return { line, column: offset - lineStart + 1 };
    });
  }
}
