import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { endText, followStream, type StreamEnd, type StreamPrinter } from './follow-stream.ts';
import { csvLine } from './render/csv.ts';
import { gapText, type StreamGap } from './render/event-renderer.ts';

export interface RowPrinting<Row extends object> {
  readonly text: (row: Row) => string;
  readonly aside?: (row: Row) => string;
  readonly success?: { readonly isIn: (row: Row) => boolean; readonly missing: string };
}

interface LinePrinterOptions<Row extends object> {
  readonly context: CliContext;
  readonly row: RowPrinting<Row>;
  readonly after: unknown;
  readonly whenAbandoned: () => void;
}

const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

class LinePrinter<Row extends object> implements StreamPrinter {
  readonly #options: LinePrinterOptions<Row>;
  #hasHead = false;
  #hasSucceeded = false;

  constructor(options: LinePrinterOptions<Row>) {
    this.#options = options;
  }

  get hasFailed(): boolean {
    return this.#options.row.success !== undefined && !this.#hasSucceeded;
  }

  message(message: object): void {
    if ('event' in message) {
      this.#report(message as StreamGap);
      return;
    }
    const { row, context } = this.#options;
    if (row.success?.isIn(message as Row)) this.#hasSucceeded = true;
    if (context.format === 'text') context.stderr.write(row.aside?.(message as Row) ?? '');
    this.#write(this.#lineOf(message as Row));
  }

  batch(): void {}

  end(end: StreamEnd): void {
    const { context, row } = this.#options;
    context.stderr.write(endText(end, context.format));
    const isForPeople = context.format === 'text' || context.format === 'csv';
    if (this.hasFailed && isForPeople) context.stderr.write(`end: ${row.success?.missing}\n`);
  }

  #lineOf(row: Row): string {
    const { context } = this.#options;
    if (context.format === 'text') return this.#options.row.text(row);
    if (context.format !== 'csv') return `${JSON.stringify(row)}\n`;
    const line = csvLine(Object.values(row).map(cellOf));
    if (this.#hasHead) return line;
    this.#hasHead = true;
    return csvLine(Object.keys(row)) + line;
  }

  #report(gap: StreamGap): void {
    const { context, after } = this.#options;
    const { format, stderr } = context;
    if (format === 'text' || format === 'csv') stderr.write(gapText(gap, after));
    else this.#write(`${JSON.stringify(gap)}\n`);
  }

  #write(text: string): void {
    const { context, whenAbandoned } = this.#options;
    context.stdout.write(text);
    if (context.stdout.isAbandoned) whenAbandoned();
  }
}

export const lineStream =
  <Row extends object>(row: RowPrinting<Row>) =>
  (
    command: CliCommand,
    values: Readonly<Record<string, unknown>>,
    context: CliContext,
  ): Promise<Outcome> =>
    followStream(
      command,
      values,
      context,
      (whenAbandoned) => new LinePrinter({ context, row, after: values.after, whenAbandoned }),
    );

const microsPerSecond = 1_000_000;

/** `(1699999999.123456)`, as in candump. */
export const lineTime = (timestampUs: number): string => {
  const micros = String(timestampUs % microsPerSecond).padStart(6, '0');
  return `(${Math.floor(timestampUs / microsPerSecond)}.${micros})`;
};
